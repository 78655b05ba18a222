"""The clock as a message, and a clock out of one: pure."""

from __future__ import annotations

from msgspec.structs import replace

from controller.contract.events import Blinds
from controller.contract.messages import ClockWord, RoomClock
from controller.room.clock import ClockState, LevelLeft, unwatched
from controller.room.structure import Entry, Structure, smallest_chip


def payload(
    state: ClockState, now_ms: int, *, session: str = "", lineage: str = "", revision: int = 0
) -> RoomClock:
    """What is published of a clock; `now_ms` only tells whether the last level has run out."""
    entries, index = state.structure.entries, state.index
    later = entries[index + 1 :]
    interrupted = state.called is not None
    played = [entry for entry in entries[: index + 1] if entry.blinds is not None]
    word = _word(state, now_ms)
    clock = RoomClock(
        index=index,
        level=len(played),
        on_break=state.on_break,
        blinds=played[-1].blinds if played else None,
        next_blinds=_first_blinds(entries[index:] if interrupted else later),
        next_is_break=not interrupted and bool(later) and later[0].blinds is None,
        duration_ms=state.length_ms,
        deadline_ms=state.deadline_ms,
        remaining_ms=state.remaining_ms,
        to_break_ms=_to_break_ms(state, later),
        state=word,
        structure=state.structure.name,
        session=session,
        lineage=lineage,
        revision=revision,
        why=state.why,
        question=state.question,
        called=interrupted,
        level_left_ms=state.called.left_ms if state.called else None,
    )
    if word not in ("last-level", "ended"):
        return clock
    return replace(clock, ended=True, deadline_ms=None, remaining_ms=0)


def wanted_blinds(state: ClockState) -> Blinds | None:
    """The blinds that every table is to play from its next riffle on; None before the start.

    On a break they are those of the level before it.
    """
    if not state.begun:
        return None
    structure = state.structure
    reached = enumerate(structure.entries[: state.index + 1])
    played = [(index, entry.blinds) for index, entry in reached if entry.blinds is not None]
    if not played:
        return None
    index, blinds = played[-1]
    return replace(blinds, ante_by=structure.ante_by, chip=smallest_chip(structure, index))


def recovered(
    state: ClockState, said: RoomClock, now_ms: int, stopped_ms: int | None
) -> ClockState:
    """A clock from what was last published of one, in place of `state`, a clock at its start.

    What the structure says otherwise about the entry in force gives way to what was published.
    One that ran asks; `stopped_ms` is when it was last seen running, if that is known.
    """
    index = min(said.index, len(state.structure.entries) - 1)
    structure = _with_blinds(state.structure, index, said)
    left = replace(
        state,
        structure=structure,
        index=index,
        length_ms=said.duration_ms,
        begun=said.state != "ready",
        why=said.why,
        over=said.state == "ended",
        called=_interrupted(structure.entries[index], said),
    )
    if said.question is not None:
        return replace(left, remaining_ms=said.remaining_ms or 0, question=said.question)
    if said.deadline_ms is None:
        return replace(left, remaining_ms=said.remaining_ms or 0, holding=said.state == "holding")
    ran = replace(left, deadline_ms=said.deadline_ms, remaining_ms=None)
    return unwatched(ran, now_ms if stopped_ms is None else stopped_ms, now_ms, "recovered")


def _interrupted(entry: Entry, said: RoomClock) -> LevelLeft | None:
    if not said.called or said.level_left_ms is None:
        return None
    return LevelLeft(said.level_left_ms, max(entry.duration_ms, said.level_left_ms))


def _with_blinds(structure: Structure, index: int, said: RoomClock) -> Structure:
    entry = structure.entries[index]
    if said.on_break or said.blinds is None or entry.blinds is None:
        return structure
    entries = list(structure.entries)
    entries[index] = replace(entry, blinds=said.blinds)
    return replace(structure, entries=tuple(entries))


def _word(state: ClockState, now_ms: int) -> ClockWord:
    if state.over:
        return "ended"
    if state.question is not None:
        return "question"
    if state.holding:
        return "holding"
    if state.deadline_ms is None:
        return "paused" if state.begun else "ready"
    return "last-level" if state.is_last and state.deadline_ms <= now_ms else "running"


def _first_blinds(entries: tuple[Entry, ...]) -> Blinds | None:
    return next((entry.blinds for entry in entries if entry.blinds is not None), None)


def _to_break_ms(state: ClockState, later: tuple[Entry, ...]) -> int | None:
    passed_ms = state.called.left_ms if state.called else 0
    for entry in later:
        if entry.blinds is None:
            return passed_ms
        passed_ms += entry.duration_ms
    return None
