from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.room.acts import ActError
from controller.room.clock import (
    SHORT_MS,
    ClockState,
    advance,
    at_start,
    caught_up,
    hands_over,
    running,
    standing,
    unwatched,
    wall_moved,
)
from controller.room.clock_message import payload, recovered, wanted_blinds
from controller.room.record import Record, after, asked
from tests.room.evening import EVENING, MINUTE, ONE, THREE, TWO


def begun(now_ms: int = 0) -> ClockState:
    return running(at_start(EVENING), now_ms)


def times(clock: ClockState) -> tuple[int, int | None, int | None]:
    return (clock.index, clock.deadline_ms, clock.remaining_ms)


def test_it_stands_until_it_is_started() -> None:
    clock = at_start(EVENING)
    assert advance(clock, 10**9) == clock
    assert times(clock) == (0, None, 20 * MINUTE)
    assert times(running(clock, 1_000)) == (0, 20 * MINUTE + 1_000, None)
    assert payload(clock, 0).state == "ready"


def test_a_pause_keeps_what_is_left_and_going_on_gives_it_back() -> None:
    paused = standing(begun(), 5 * MINUTE, "a fire drill")
    assert times(paused) == (0, None, 15 * MINUTE)
    assert standing(paused, 9 * MINUTE) == paused
    assert (payload(paused, 0).state, payload(paused, 0).why) == ("paused", "a fire drill")
    again = running(paused, 60 * MINUTE)
    assert times(again) == (0, 75 * MINUTE, None)
    assert payload(again, 0).why == ""


def test_a_level_begins_when_the_last_one_ran_out_however_late_one_looks() -> None:
    clock = begun()
    assert advance(clock, 20 * MINUTE - 1) == clock
    assert times(advance(clock, 20 * MINUTE)) == (1, 40 * MINUTE, None)
    assert times(advance(clock, 41 * MINUTE)) == (2, 50 * MINUTE, None)


def test_the_last_level_stays_in_force() -> None:
    clock = advance(begun(), 10**9)
    assert times(clock) == (3, 65 * MINUTE, None)
    said = payload(clock, 10**9)
    assert (said.ended, said.remaining_ms, said.deadline_ms) == (True, 0, None)
    assert (said.state, said.blinds) == ("last-level", THREE)
    assert not payload(clock, 64 * MINUTE).ended


def test_what_is_said_of_a_level() -> None:
    said = payload(begun(), 0)
    assert (said.index, said.level, said.on_break) == (0, 1, False)
    assert (said.blinds, said.next_blinds, said.next_is_break) == (ONE, TWO, False)
    assert (said.deadline_ms, said.remaining_ms) == (20 * MINUTE, None)
    assert (said.to_break_ms, said.duration_ms) == (20 * MINUTE, 20 * MINUTE)
    last = payload(advance(begun(), 64 * MINUTE), 0)
    assert (last.level, last.next_blinds, last.to_break_ms) == (3, None, None)


def test_what_is_said_around_a_break() -> None:
    before = payload(advance(begun(), 39 * MINUTE), 0)
    assert (before.next_is_break, before.next_blinds, before.to_break_ms) == (True, THREE, 0)
    during = payload(advance(begun(), 41 * MINUTE), 0)
    assert (during.on_break, during.level, during.blinds) == (True, 2, TWO)
    assert during.next_blinds == THREE


def test_a_break_that_holds_waits_for_the_last_hand_and_then_has_all_of_its_time() -> None:
    clock = advance(running(at_start(EVENING, hold_for_hands=True), 0), 43 * MINUTE)
    assert times(clock) == (2, None, 10 * MINUTE)
    assert payload(clock, 0).state == "holding"
    assert times(hands_over(clock, 44 * MINUTE)) == (2, 54 * MINUTE, None)
    assert hands_over(begun(), 1) == begun()


def test_tables_are_to_play_nothing_before_the_start_and_the_old_level_on_a_break() -> None:
    assert wanted_blinds(at_start(EVENING)) is None
    assert wanted_blinds(begun()) == ONE
    assert wanted_blinds(advance(begun(), 45 * MINUTE)) == TWO
    assert wanted_blinds(advance(begun(), 50 * MINUTE)) == THREE


def test_tables_are_told_who_posts_the_antes_and_the_smallest_chip() -> None:
    """TDA24-RP11A, RR7-TIES-3."""
    anted = replace(EVENING, ante_by="big-blind", chips=(25, 100))
    state = replace(begun(), structure=anted)
    assert wanted_blinds(state) == replace(ONE, ante_by="big-blind", chip=25)


# --- nobody watched ---


def test_a_short_absence_is_not_asked_about() -> None:
    assert unwatched(begun(), 1_000, 1_000 + SHORT_MS, "restart") == begun()


def test_a_long_one_is_asked_about_and_the_clock_stands_where_it_stopped() -> None:
    asks = unwatched(begun(), 5 * MINUTE, 30 * MINUTE, "restart")
    assert times(asks) == (0, None, 15 * MINUTE)
    said = payload(asks, 30 * MINUTE)
    assert said.state == "question"
    assert said.question is not None
    assert (said.question.stopped_ms, said.question.back_ms) == (5 * MINUTE, 30 * MINUTE)
    assert times(running(asks, 31 * MINUTE)) == (0, 46 * MINUTE, None)
    assert times(caught_up(asks, 31 * MINUTE)) == (1, 40 * MINUTE, None)


def test_a_clock_that_stood_has_nothing_to_ask() -> None:
    paused = standing(begun(), 5 * MINUTE)
    assert unwatched(paused, 6 * MINUTE, 10**9, "power") == paused
    over = advance(begun(), 66 * MINUTE)
    assert unwatched(over, 66 * MINUTE, 10**9, "power") == over


def test_how_long_the_power_was_off_is_asked_even_where_the_wall_clock_says_not_at_all() -> None:
    asks = unwatched(begun(), 5 * MINUTE, 5 * MINUTE, "power")
    assert asks.question is not None
    later = wall_moved(asks, 3 * MINUTE)
    assert times(caught_up(later, 6 * MINUTE)) == (0, 17 * MINUTE, None)
    assert times(running(later, 6 * MINUTE)) == (0, 21 * MINUTE, None)
    back = wall_moved(later, -90 * MINUTE)
    assert back.question is not None
    assert back.question.back_ms == back.question.stopped_ms


def test_a_wall_clock_that_is_set_changes_nothing_else() -> None:
    assert wall_moved(begun(), 10**9) == begun()
    asks = unwatched(begun(), 5 * MINUTE, 30 * MINUTE, "restart")
    assert wall_moved(asks, 10**9) == asks


@given(st.integers(0, 70 * MINUTE), st.integers(SHORT_MS + 1, 70 * MINUTE), st.integers(0, MINUTE))
def test_catching_up_is_as_if_nothing_had_happened(stop: int, away: int, thought: int) -> None:
    now = stop + away + thought
    asks = unwatched(advance(begun(), stop), stop, stop + away, "restart")
    assert caught_up(asks, now) == advance(begun(), now) or asks.question is None


@given(st.integers(0, 70 * MINUTE), st.integers(SHORT_MS + 1, 10**8), st.integers(0, 10**8))
def test_going_on_loses_nothing_and_wins_nothing(stop: int, away: int, thought: int) -> None:
    before = advance(begun(), stop)
    asks = unwatched(before, stop, stop + away, "power")
    if asks.question is not None:
        after_ = running(asks, stop + away + thought)
        assert after_.index == before.index
        assert after_.left_ms(stop + away + thought) == before.left_ms(stop)


# --- from a message ---


@given(st.integers(0, 80 * MINUTE), st.booleans())
def test_a_clock_can_be_had_again_from_what_it_said(now: int, stands: bool) -> None:
    clock = advance(begun(), now)
    clock = standing(clock, now) if stands else clock
    back = recovered(at_start(EVENING), payload(clock, now), now, now)
    assert back.index == clock.index
    assert back.left_ms(now) == clock.left_ms(now)
    assert wanted_blinds(back) == wanted_blinds(clock)
    if not stands and now < 65 * MINUTE:
        assert back.question is not None
        assert caught_up(back, now).deadline_ms == clock.deadline_ms


# --- time is never lost ---

ACTS = ["resume", "pause", "look", "time", "break", "restart", "blink"]


@given(
    st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 6 * MINUTE)), min_size=1, max_size=60)
)
def test_time_is_neither_lost_nor_won_whatever_is_done(acts: list[tuple[str, int]]) -> None:
    """What was played and what is left always come to the length of the levels that are begun,
    with what was added: left time never jumps."""
    record, now, played, added = Record(clock=begun()), 0, 0, 0
    total = sum(entry.duration_ms for entry in EVENING.entries)
    for name, passed in acts:
        ran = record.clock.runs
        now += passed
        played += passed if ran else 0
        record = Record(clock=advance(record.clock, now))
        if played >= total + added:
            return
        try:
            if name == "restart" and record.clock.runs:
                asks = unwatched(record.clock, now, now + MINUTE, "restart")
                now += MINUTE
                record = Record(clock=running(asks, now))
            elif name == "blink":
                now += SHORT_MS
                played += SHORT_MS if record.clock.runs else 0
                record = Record(
                    clock=advance(unwatched(record.clock, now - SHORT_MS, now, "restart"), now)
                )
            elif name == "time":
                by = MINUTE if passed % 2 else -MINUTE
                record = after(record, "time", asked("time", {"actor": "a", "by_ms": by}), now)
                added += by
            elif name == "break":
                act = asked("break", {"actor": "a", "duration_ms": 2 * MINUTE})
                record = after(record, "break", act, now)
                added += 2 * MINUTE
            elif name in ("resume", "pause"):
                record = after(record, name, asked(name, {"actor": "a"}), now)
        except ActError:
            pass
        clock = record.clock
        if played >= total + added:
            return
        through = sum(entry.duration_ms for entry in EVENING.entries[: clock.index + 1])
        left = clock.left_ms(now) + (clock.called.left_ms if clock.called else 0)
        assert through + added - left == played


def test_what_there_is_not_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ActError, match="did you mean 'pause'"):
        asked("pawse", {"actor": "a"})
    with pytest.raises(ActError, match="no field 'by_m'; did you mean 'by_ms'"):
        asked("time", {"actor": "a", "by_m": 3})
    with pytest.raises(ActError, match="actor"):
        asked("pause", {})
