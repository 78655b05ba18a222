from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.events import Blinds
from controller.room.clock import (
    ClockState,
    advance,
    at_start,
    move,
    pause,
    payload,
    resume,
)
from controller.room.structure import Entry, Structure

MINUTE = 60_000
ONE, TWO, THREE = Blinds(25, 50), Blinds(50, 100), Blinds(100, 200, 200)
EVENING = Structure(
    "evening",
    (
        Entry(20 * MINUTE, ONE),
        Entry(20 * MINUTE, TWO),
        Entry(10 * MINUTE, None),
        Entry(15 * MINUTE, THREE),
    ),
)


def test_it_stands_until_it_is_started() -> None:
    clock = at_start(EVENING)
    assert advance(EVENING, clock, 10**9) == clock
    assert clock == ClockState(0, remaining_ms=20 * MINUTE)
    assert resume(clock, 1_000) == ClockState(0, deadline_ms=20 * MINUTE + 1_000)


def test_a_pause_keeps_what_is_left_and_going_on_gives_it_back() -> None:
    clock = resume(at_start(EVENING), 0)
    paused = pause(clock, 5 * MINUTE)
    assert paused == ClockState(0, remaining_ms=15 * MINUTE)
    assert pause(paused, 9 * MINUTE) == paused
    assert resume(paused, 60 * MINUTE) == ClockState(0, deadline_ms=75 * MINUTE)
    assert resume(clock, 7) == clock


def test_a_level_begins_when_the_last_one_ran_out_however_late_one_looks() -> None:
    clock = resume(at_start(EVENING), 0)
    assert advance(EVENING, clock, 20 * MINUTE - 1) == clock
    assert advance(EVENING, clock, 20 * MINUTE) == ClockState(1, deadline_ms=40 * MINUTE)
    assert advance(EVENING, clock, 41 * MINUTE) == ClockState(2, deadline_ms=50 * MINUTE)


def test_the_last_level_stays_in_force() -> None:
    clock = advance(EVENING, resume(at_start(EVENING), 0), 10**9)
    assert clock == ClockState(3, deadline_ms=65 * MINUTE)
    said = payload(EVENING, clock, 10**9)
    assert (said.ended, said.remaining_ms, said.deadline_ms) == (True, 0, None)
    assert said.blinds == THREE
    assert not payload(EVENING, clock, 64 * MINUTE).ended


def test_moving_gives_the_whole_time_and_stays_inside() -> None:
    running = resume(at_start(EVENING), 0)
    assert move(EVENING, running, 1, 500) == ClockState(1, deadline_ms=20 * MINUTE + 500)
    assert move(EVENING, pause(running, 500), 1, 500) == ClockState(1, remaining_ms=20 * MINUTE)
    assert move(EVENING, running, -5, 0).index == 0
    assert move(EVENING, running, 99, 0).index == 3


def test_what_is_said_of_a_level() -> None:
    said = payload(EVENING, resume(at_start(EVENING), 0), 0)
    assert (said.index, said.level, said.on_break) == (0, 1, False)
    assert (said.blinds, said.next_blinds, said.next_is_break) == (ONE, TWO, False)
    assert (said.deadline_ms, said.remaining_ms) == (20 * MINUTE, None)
    assert said.to_break_ms == 20 * MINUTE
    assert said.duration_ms == 20 * MINUTE
    last = payload(EVENING, ClockState(3, remaining_ms=1), 0)
    assert (last.level, last.next_blinds, last.to_break_ms) == (3, None, None)


def test_what_is_said_around_a_break() -> None:
    before = payload(EVENING, ClockState(1, remaining_ms=1), 0)
    assert (before.next_is_break, before.next_blinds, before.to_break_ms) == (True, THREE, 0)
    during = payload(EVENING, ClockState(2, deadline_ms=9), 0)
    assert (during.on_break, during.level, during.blinds) == (True, 2, TWO)
    assert during.next_blinds == THREE


@given(
    st.lists(
        st.tuples(st.sampled_from(["resume", "pause", "look"]), st.integers(0, 10 * MINUTE)),
        max_size=40,
    )
)
def test_time_is_never_lost_or_won_by_pausing(acts: list[tuple[str, int]]) -> None:
    clock, now, played = at_start(EVENING), 0, 0
    for act, passed in acts:
        now += passed
        played += passed if clock.runs else 0
        clock = advance(EVENING, clock, now)
        if act == "resume":
            clock = resume(clock, now)
        elif act == "pause":
            clock = pause(clock, now)
    through = sum(entry.duration_ms for entry in EVENING.entries[: clock.index + 1])
    left = clock.deadline_ms - now if clock.deadline_ms is not None else clock.remaining_ms
    assert left is not None
    total = sum(entry.duration_ms for entry in EVENING.entries)
    if played < total:
        assert through - left == played
