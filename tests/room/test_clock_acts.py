"""What people ask of the clock."""

from __future__ import annotations

import pytest

from controller.contract.events import Blinds
from controller.room.acts import ActError
from controller.room.clock import ClockState, advance, at_start, running, unwatched
from controller.room.clock_message import payload, wanted_blinds
from controller.room.record import Record, after, asked
from controller.room.structure import Entry
from tests.room.evening import EVENING, MINUTE, ONE, THREE, TWO


def begun() -> Record:
    return Record(clock=running(at_start(EVENING), 0))


def do(record: Record, name: str, now_ms: int, **fields: object) -> Record:
    record = Record(
        clock=advance(record.clock, now_ms),
        revision=record.revision,
        tournament=record.tournament,
    )
    return after(record, name, asked(name, {"actor": "Ann", **fields}), now_ms)


def refused(record: Record, name: str, now_ms: int, **fields: object) -> str:
    with pytest.raises(ActError) as caught:
        do(record, name, now_ms, **fields)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def times(record: Record) -> tuple[int, int | None, int | None]:
    clock = record.clock
    return (clock.index, clock.deadline_ms, clock.remaining_ms)


def test_start_pause_and_resume_each_once() -> None:
    ready = Record(clock=at_start(EVENING))
    run = do(ready, "start", 5)
    assert times(run) == (0, 20 * MINUTE + 5, None)
    assert run.revision == 1
    assert "has already been started" in refused(run, "start", 6)
    assert "already running" in refused(run, "resume", 6)
    paused = do(run, "pause", MINUTE + 5, reason="a fire drill")
    assert times(paused) == (0, None, 19 * MINUTE)
    assert paused.clock.why == "a fire drill"
    assert "already stopped" in refused(paused, "pause", 7)
    assert "has already been started" in refused(paused, "start", 7)
    assert times(do(paused, "resume", 0)) == (0, 19 * MINUTE, None)


def test_another_level_has_all_of_its_time_running_or_standing_as_before() -> None:
    assert times(do(begun(), "next", MINUTE)) == (1, 21 * MINUTE, None)
    assert times(do(begun(), "go", MINUTE, index=3)) == (3, 16 * MINUTE, None)
    paused = do(begun(), "pause", MINUTE)
    assert times(do(paused, "next", 0)) == (1, None, 20 * MINUTE)
    assert times(do(do(begun(), "next", 0), "back", MINUTE)) == (0, 21 * MINUTE, None)
    assert "first level" in refused(begun(), "back", 0)
    assert "last level" in refused(do(begun(), "go", 0, index=3), "next", 0)
    assert "has 4 levels and breaks" in refused(begun(), "go", 0, index=4)


def test_time_is_added_and_taken_and_never_to_nothing() -> None:
    longer = do(begun(), "time", 5 * MINUTE, by_ms=2 * MINUTE)
    assert times(longer) == (0, 22 * MINUTE, None)
    assert longer.clock.length_ms == 22 * MINUTE
    paused = do(begun(), "pause", 5 * MINUTE)
    assert times(do(paused, "time", 0, by_ms=-MINUTE)) == (0, None, 14 * MINUTE)
    assert "only 15:00 is left" in refused(begun(), "time", 5 * MINUTE, by_ms=-15 * MINUTE)
    assert "24 hours" in refused(begun(), "time", 0, by_ms=24 * 60 * MINUTE)


def test_a_last_level_that_has_run_out_gets_more_time_from_now_on() -> None:
    over = do(begun(), "time", 90 * MINUTE, by_ms=5 * MINUTE)
    assert times(over) == (3, 95 * MINUTE, None)


def test_a_called_break_gives_the_level_back() -> None:
    called = do(begun(), "break", 5 * MINUTE, duration_ms=10 * MINUTE)
    said = payload(called.clock, 5 * MINUTE)
    assert (said.state, said.on_break, said.called) == ("running", True, True)
    assert (said.blinds, said.next_blinds, said.level_left_ms) == (ONE, ONE, 15 * MINUTE)
    assert (said.duration_ms, said.to_break_ms) == (10 * MINUTE, 35 * MINUTE)
    assert wanted_blinds(called.clock) == ONE
    later = advance(called.clock, 16 * MINUTE)
    assert (later.index, later.deadline_ms, later.on_break) == (0, 30 * MINUTE, False)
    assert later.length_ms == 20 * MINUTE
    short = do(called, "next", 6 * MINUTE)
    assert times(short) == (0, 21 * MINUTE, None)
    assert "is already a break" in refused(called, "break", 6 * MINUTE, duration_ms=MINUTE)
    assert "end it first" in refused(called, "back", 6 * MINUTE)
    ready = Record(clock=at_start(EVENING))
    assert "not been started" in refused(ready, "break", 0, duration_ms=MINUTE)


def test_a_called_break_may_wait_for_hands_too() -> None:
    holds = do(begun(), "rules", 0, hold_for_hands=True)
    called = do(holds, "break", 5 * MINUTE, duration_ms=10 * MINUTE)
    assert payload(called.clock, 0).state == "holding"
    assert times(do(called, "resume", 6 * MINUTE)) == (0, 16 * MINUTE, None)
    assert times(do(called, "rules", 6 * MINUTE, hold_for_hands=False)) == (0, 16 * MINUTE, None)
    stands = do(called, "pause", 6 * MINUTE)
    assert payload(stands.clock, 0).state == "paused"
    assert times(do(called, "next", 6 * MINUTE)) == (0, 21 * MINUTE, None)


def asks() -> Record:
    return Record(clock=unwatched(begun().clock, 5 * MINUTE, 30 * MINUTE, "restart"))


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        ("resume", (0, 46 * MINUTE, None)),
        ("catch-up", (1, 40 * MINUTE, None)),
        ("stay", (0, None, 15 * MINUTE)),
    ],
)
def test_the_question_after_a_restart_is_answered(
    choice: str, wanted: tuple[int, int | None, int | None]
) -> None:
    answered = do(asks(), "answer", 31 * MINUTE, choice=choice)
    assert times(answered) == wanted
    assert answered.clock.question is None
    assert "is not asking anything" in refused(answered, "answer", 32 * MINUTE, choice=choice)


def test_until_it_is_answered_nothing_else_moves_the_time() -> None:
    for name, fields in (
        ("next", {}),
        ("go", {"index": 2}),
        ("time", {"by_ms": MINUTE}),
        ("break", {"duration_ms": MINUTE}),
        ("start", {}),
    ):
        assert "first say whether" in refused(asks(), name, 31 * MINUTE, **fields)
    assert times(do(asks(), "resume", 31 * MINUTE)) == (0, 46 * MINUTE, None)
    assert times(do(asks(), "pause", 31 * MINUTE)) == (0, None, 15 * MINUTE)


def test_the_end_and_what_may_be_done_after_it() -> None:
    over = do(begun(), "end", MINUTE, reason="a deal was made")
    said = payload(over.clock, 0)
    assert (said.state, said.ended, said.why) == ("ended", True, "a deal was made")
    assert (said.deadline_ms, said.remaining_ms) == (None, 0)
    assert "reopen it first" in refused(over, "resume", MINUTE)
    assert times(do(over, "reopen", MINUTE)) == (0, None, 19 * MINUTE)
    anew = do(over, "reset", MINUTE)
    assert anew.clock == at_start(EVENING)
    assert "pause it first" in refused(begun(), "reset", 0)
    assert "not over" in refused(begun(), "reopen", 0)


def test_the_desk_says_that_one_player_is_left() -> None:
    told = do(begun(), "tournament", 0, entries=9, players_left=2)
    assert not told.clock.over
    over = do(told, "tournament", MINUTE, players_left=1)
    assert (over.clock.over, over.clock.why) == (True, "one player is left")


def test_an_act_that_was_decided_on_another_clock_is_refused() -> None:
    run = do(begun(), "next", 0, revision=0)
    assert run.revision == 1
    assert "has changed in the meantime" in refused(run, "next", 0, revision=0)


# --- the structure while it is played ---


def entry(minutes: int, small: int | None = None) -> dict[str, object]:
    blinds = None if small is None else {"small": small, "big": 2 * small}
    return {"duration_ms": minutes * MINUTE, "blinds": blinds}


def test_the_level_that_runs_keeps_the_time_it_was_played() -> None:
    longer = do(begun(), "change", 5 * MINUTE, index=0, entry=entry(30, 75))
    assert times(longer) == (0, 30 * MINUTE, None)
    assert wanted_blinds(longer.clock) == Blinds(75, 150)
    assert "only 10:00 is left" in refused(
        begun(), "change", 10 * MINUTE, index=0, entry=entry(10, 25)
    )
    assert "can't be turned into" in refused(begun(), "change", 0, index=0, entry=entry(30))


def test_the_level_that_a_called_break_interrupts_is_changed_and_not_the_break() -> None:
    called = do(begun(), "break", 5 * MINUTE, duration_ms=10 * MINUTE)
    longer = do(called, "change", 6 * MINUTE, index=0, entry=entry(30, 25))
    assert times(longer) == (0, 15 * MINUTE, None)
    assert advance(longer.clock, 15 * MINUTE).deadline_ms == 40 * MINUTE


def test_what_comes_is_changed_inserted_and_removed() -> None:
    changed = do(begun(), "change", 0, index=1, entry=entry(10, 60)).clock.structure.entries
    assert changed[1] == Entry(duration_ms=10 * MINUTE, blinds=Blinds(60, 120))
    inserted = do(begun(), "insert", 0, index=1, entry=entry(5)).clock.structure.entries
    assert [each.blinds for each in inserted] == [ONE, None, TWO, None, THREE]
    at_end = do(begun(), "insert", 0, index=4, entry=entry(5, 500)).clock.structure.entries
    assert at_end[4].blinds == Blinds(500, 1000)
    removed = do(begun(), "remove", 0, index=2).clock.structure.entries
    assert [each.blinds for each in removed] == [ONE, TWO, THREE]


def test_what_has_been_played_stays_as_it_was() -> None:
    second = do(begun(), "next", 0)
    for name, fields in (
        ("change", {"index": 0, "entry": entry(5, 25)}),
        ("remove", {"index": 0}),
        ("remove", {"index": 1}),
        ("insert", {"index": 1, "entry": entry(5)}),
    ):
        assert refused(second, name, 0, **fields)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"duration_ms": 0, "blinds": None}, "entry 2: has to last between a second"),
        ({"duration_ms": MINUTE, "blinds": {"small": 5, "big": 4}}, "entry 2: the big blind"),
        ({"duration_ms": MINUTE, "blinds": {"small": 0, "big": 0}}, "entry 2: the big blind"),
        ({"duration_ms": MINUTE, "blinds": {"small": 1, "big": 2, "ante": -1}}, "not an ante"),
        ({"duration_ms": "x", "blinds": None}, "duration_ms"),
    ],
)
def test_an_impossible_level_is_refused_with_its_fault(bad: dict[str, object], said: str) -> None:
    assert said in refused(begun(), "change", 0, index=1, entry=bad)


def test_a_structure_keeps_a_level_and_has_an_end() -> None:
    breaks = {"name": "x", "entries": [entry(5)]}
    ready = Record(clock=at_start(EVENING))
    assert "only breaks" in refused(ready, "structure", 0, structure=breaks)
    long = {"name": "x", "entries": [entry(5, 25)] * 201}
    assert "at most 200" in refused(ready, "structure", 0, structure=long)
    assert "at least one" in refused(ready, "structure", 0, structure={"name": "x", "entries": []})


def test_another_structure_before_the_start_and_only_then() -> None:
    other = {"name": "other", "entries": [entry(5, 25), entry(5), entry(5, 50)]}
    clock: ClockState = do(Record(clock=at_start(EVENING)), "structure", 0, structure=other).clock
    assert (clock.structure.name, clock.remaining_ms) == ("other", 5 * MINUTE)
    assert "has already been started" in refused(begun(), "structure", 0, structure=other)
