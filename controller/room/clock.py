"""The blinds clock: pure. Times are the room's, in milliseconds, and are given in.

A clock that runs has a deadline, one that stands has a remainder; it never counts.
What people ask of it is in `acts`, what is said of it in `told`.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.messages import ClockCause, ClockQuestion
from controller.room.structure import Entry, Structure

SHORT_MS = 5_000
"""So long a clock may go unwatched without anyone being asked about it."""


class LevelLeft(Struct, frozen=True):
    """What is left of a level that a called break interrupts, and its whole length."""

    left_ms: int
    length_ms: int


class ClockState(Struct, frozen=True, kw_only=True):
    """`index` is the entry in force; exactly one of the two times is set.

    `length_ms` is the whole length of what runs, with what was added. `called` is set on a break
    that was called in the middle of the entry. `holding`: a break that waits for hands.
    `question` is set while the clock asks; it stands then. `over`: the tournament has ended.
    `hold_for_hands`: a break begins when no table plays a hand any more. `pause_on_dispute`:
    a finding that needs the floor pauses the clock.
    """

    structure: Structure
    index: int = 0
    length_ms: int
    deadline_ms: int | None = None
    remaining_ms: int | None = None
    begun: bool = False
    why: str = ""
    called: LevelLeft | None = None
    holding: bool = False
    question: ClockQuestion | None = None
    over: bool = False
    hold_for_hands: bool = False
    pause_on_dispute: bool = False

    @property
    def runs(self) -> bool:
        """Whether time passes."""
        return self.deadline_ms is not None

    @property
    def entry(self) -> Entry:
        """The entry in force; a called break interrupts it."""
        return self.structure.entries[self.index]

    @property
    def on_break(self) -> bool:
        """Whether nobody plays now."""
        return self.called is not None or self.entry.blinds is None

    @property
    def is_last(self) -> bool:
        """Whether nothing comes after what runs."""
        return self.called is None and self.index + 1 == len(self.structure.entries)

    @property
    def level(self) -> int:
        """The number of the level in force, from 1, or of that before the break."""
        return sum(each.blinds is not None for each in self.structure.entries[: self.index + 1])

    def left_ms(self, now_ms: int) -> int:
        """What is left of what runs; never less than nothing."""
        if self.deadline_ms is not None:
            return max(0, self.deadline_ms - now_ms)
        return self.remaining_ms or 0


def at_start(
    structure: Structure, *, hold_for_hands: bool = False, pause_on_dispute: bool = False
) -> ClockState:
    """The first entry, standing with all of its time left."""
    full_ms = structure.entries[0].duration_ms
    return ClockState(
        structure=structure,
        length_ms=full_ms,
        remaining_ms=full_ms,
        hold_for_hands=hold_for_hands,
        pause_on_dispute=pause_on_dispute,
    )


def running(state: ClockState, now_ms: int) -> ClockState:
    """The clock as it goes on with what is left. A running clock stays as it is."""
    if state.remaining_ms is None:
        return state
    return replace(
        state,
        deadline_ms=now_ms + state.remaining_ms,
        remaining_ms=None,
        begun=True,
        why="",
        holding=False,
        question=None,
    )


def standing(state: ClockState, now_ms: int, why: str = "") -> ClockState:
    """The clock as it stands with what is left. A standing clock stays as it is."""
    if state.deadline_ms is None:
        return state
    return replace(state, deadline_ms=None, remaining_ms=state.left_ms(now_ms), why=why)


def at_entry(state: ClockState, index: int, now_ms: int) -> ClockState:
    """Another entry with all of its time, running or standing as before."""
    full_ms = state.structure.entries[index].duration_ms
    there = replace(
        state,
        index=index,
        length_ms=full_ms,
        deadline_ms=None,
        remaining_ms=full_ms,
        called=None,
        holding=False,
    )
    return running(there, now_ms) if state.runs or state.holding else there


def advance(state: ClockState, now_ms: int) -> ClockState:
    """Pass everything that has run out. The last entry stays in force, however late it is.

    A level begins when the one before it ran out, not when somebody looked. A break that
    holds for hands begins with `hands_over`.
    """
    while state.deadline_ms is not None and state.deadline_ms <= now_ms and not state.is_last:
        ends_ms, called = state.deadline_ms, state.called
        if called is not None:
            state = replace(
                state,
                called=None,
                length_ms=called.length_ms,
                deadline_ms=ends_ms + called.left_ms,
            )
            continue
        coming = state.structure.entries[state.index + 1]
        state = replace(state, index=state.index + 1, length_ms=coming.duration_ms)
        if coming.blinds is None and state.hold_for_hands:
            return replace(state, deadline_ms=None, remaining_ms=coming.duration_ms, holding=True)
        state = replace(state, deadline_ms=ends_ms + coming.duration_ms)
    return state


def spent(state: ClockState, ms: int, now_ms: int) -> ClockState:
    """A standing clock after so much play that was not counted as it passed: it stands on, in the
    level that it has reached. A break that it has reached runs from now on, with all of its time.
    """
    if state.remaining_ms is None or state.on_break or state.over or state.question is not None:
        return state
    ends_ms = now_ms + state.remaining_ms - ms
    ran = advance(replace(state, deadline_ms=ends_ms, remaining_ms=None), now_ms)
    if ran.holding:
        return ran
    if ran.on_break:
        return replace(ran, deadline_ms=now_ms + ran.length_ms)
    return replace(standing(ran, now_ms), why=state.why)


def hands_over(state: ClockState, now_ms: int) -> ClockState:
    """No table plays a hand any more: a break that waited for that begins."""
    return running(state, now_ms) if state.holding else state


def unwatched(state: ClockState, stopped_ms: int, now_ms: int, cause: ClockCause) -> ClockState:
    """Nobody watched the clock from `stopped_ms` to `now_ms`.

    One that ran goes on if that was short and is known for sure, and else stands where it
    stopped and asks. A last level that had run out before, and a clock that stood, have nothing
    to ask.
    """
    deadline_ms, sure = state.deadline_ms, cause in ("restart", "suspended")
    if deadline_ms is None or (sure and now_ms - stopped_ms <= SHORT_MS):
        return state
    if state.is_last and deadline_ms <= stopped_ms:
        return state
    before = advance(state, stopped_ms)
    if before.deadline_ms is None:
        return before
    question = ClockQuestion(cause, stopped_ms, now_ms, before.deadline_ms)
    return replace(standing(before, stopped_ms), question=question)


def caught_up(state: ClockState, now_ms: int) -> ClockState:
    """A clock that asks, as if it had run on all the time."""
    if state.question is None:
        return state
    ran = replace(
        state, deadline_ms=state.question.deadline_ms, remaining_ms=None, question=None, why=""
    )
    return advance(ran, now_ms)


def wall_moved(state: ClockState, by_ms: int) -> ClockState:
    """The machine's wall clock was set. If it alone had told how long the power was off, that
    is known better now."""
    question = state.question
    if question is None or question.cause != "power":
        return state
    by_ms = max(by_ms, question.stopped_ms - question.back_ms)
    # The room's time does not move, so that more time away is an earlier end.
    return replace(
        state,
        question=replace(
            question,
            stopped_ms=question.stopped_ms - by_ms,
            deadline_ms=question.deadline_ms - by_ms,
        ),
    )
