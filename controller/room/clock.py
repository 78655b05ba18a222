"""The blinds clock: pure. Times are the room's, in milliseconds, and are given in.

A clock that runs has a deadline, one that stands has a remainder; it never counts.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from controller.events import Blinds
from controller.messages import RoomClock
from controller.room.structure import Entry, Structure


class ClockState(Struct, frozen=True):
    """`index` is the entry in force; exactly one of the two times is set."""

    index: int
    deadline_ms: int | None = None
    remaining_ms: int | None = None

    @property
    def runs(self) -> bool:
        """Whether time passes."""
        return self.deadline_ms is not None


def at_start(structure: Structure) -> ClockState:
    """The first entry, standing with all of its time left."""
    return ClockState(0, remaining_ms=structure.entries[0].duration_ms)


def resume(state: ClockState, now_ms: int) -> ClockState:
    """Start, or go on after a pause. A running clock stays as it is."""
    if state.remaining_ms is None:
        return state
    return ClockState(state.index, deadline_ms=now_ms + state.remaining_ms)


def pause(state: ClockState, now_ms: int) -> ClockState:
    """Stand still with what is left. A standing clock stays as it is."""
    if state.deadline_ms is None:
        return state
    return ClockState(state.index, remaining_ms=max(0, state.deadline_ms - now_ms))


def advance(structure: Structure, state: ClockState, now_ms: int) -> ClockState:
    """Pass every entry that has run out. The last one stays in force, however late it is.

    A level begins when the one before it ran out, not when somebody looked.
    """
    while (
        state.deadline_ms is not None
        and state.deadline_ms <= now_ms
        and state.index + 1 < len(structure.entries)
    ):
        index = state.index + 1
        begins_ms = state.deadline_ms
        state = ClockState(index, deadline_ms=begins_ms + structure.entries[index].duration_ms)
    return state


def move(structure: Structure, state: ClockState, by: int, now_ms: int) -> ClockState:
    """Go to another entry with all of its time, running or standing as before."""
    index = min(max(state.index + by, 0), len(structure.entries) - 1)
    full_ms = structure.entries[index].duration_ms
    moved = ClockState(index, remaining_ms=full_ms)
    return resume(moved, now_ms) if state.runs else moved


def payload(structure: Structure, state: ClockState, now_ms: int) -> RoomClock:
    """What is published of a clock; `now_ms` only tells whether the last level has run out."""
    entries, index = structure.entries, state.index
    this, later = entries[index], entries[index + 1 :]
    played = [entry for entry in entries[: index + 1] if entry.blinds is not None]
    ended = not later and state.deadline_ms is not None and state.deadline_ms <= now_ms
    clock = RoomClock(
        index=index,
        level=len(played),
        on_break=this.blinds is None,
        blinds=played[-1].blinds if played else None,
        next_blinds=_first_blinds(later),
        next_is_break=bool(later) and later[0].blinds is None,
        duration_ms=this.duration_ms,
        deadline_ms=state.deadline_ms,
        remaining_ms=state.remaining_ms,
        to_break_ms=_to_break_ms(later),
    )
    return replace(clock, ended=True, deadline_ms=None, remaining_ms=0) if ended else clock


def _first_blinds(entries: tuple[Entry, ...]) -> Blinds | None:
    return next((entry.blinds for entry in entries if entry.blinds is not None), None)


def _to_break_ms(entries: tuple[Entry, ...]) -> int | None:
    passed_ms = 0
    for entry in entries:
        if entry.blinds is None:
            return passed_ms
        passed_ms += entry.duration_ms
    return None
