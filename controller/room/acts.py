"""What people ask of the clock, and what becomes of it: pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.contract.messages import Actor, Line
from controller.contract.misfit import misfit
from controller.contract.observations import nearest
from controller.room import editing
from controller.room.clock import (
    ClockState,
    LevelLeft,
    at_entry,
    at_start,
    caught_up,
    hands_over,
    running,
    standing,
)
from controller.room.editing import EditError
from controller.room.structure import Entry, Structure, StructureError, check

Index = Annotated[int, Meta(ge=0, lt=editing.MAX_ENTRIES)]
Milliseconds = Annotated[int, Meta(ge=editing.SHORTEST_MS, le=editing.LONGEST_MS)]
By = Annotated[int, Meta(ge=-editing.LONGEST_MS, le=editing.LONGEST_MS)]

A = TypeVar("A", bound=Struct)


class ActError(ValueError):
    """Something that can't be done now or at all; the text is one line for whoever asked."""


class Act(Struct, frozen=True, kw_only=True):
    """What every act carries. `revision` is that of the clock the actor saw; with it an act that
    was decided on another clock is refused. This alone is `start` `pause` `resume` `next` `back`
    `end` `reopen` `reset`."""

    actor: Actor
    reason: Line = ""
    revision: int | None = None


class Go(Act, frozen=True, kw_only=True):
    """`go`: to the entry at `index`, counted from 0, with all of its time."""

    index: Index


class AddTime(Act, frozen=True, kw_only=True):
    """`time`: so much more for what runs; less than nothing takes time away."""

    by_ms: By


class CallBreak(Act, frozen=True, kw_only=True):
    """`break`: now, for so long; the level goes on afterwards with what it has left."""

    duration_ms: Milliseconds


class Answer(Act, frozen=True, kw_only=True):
    """`answer`: to the question after a restart. `stay`: it stands where it stopped."""

    choice: Literal["resume", "catch-up", "stay"]


class Change(Act, frozen=True, kw_only=True):
    """`change`: another entry in place of the one at `index`."""

    index: Index
    entry: Entry


class Insert(Act, frozen=True, kw_only=True):
    """`insert`: one more entry before the one at `index`."""

    index: Index
    entry: Entry


class Remove(Act, frozen=True, kw_only=True):
    """`remove`: the entry at `index` is not played."""

    index: Index


class NewStructure(Act, frozen=True, kw_only=True):
    """`structure`: another one, before the clock is started."""

    structure: Structure


class Rules(Act, frozen=True, kw_only=True):
    """`rules`: how the clock goes about breaks and disputes; None leaves it as it is."""

    hold_for_hands: bool | None = None
    pause_on_dispute: bool | None = None


def convert(name: str, fields: Mapping[str, object], kind: type[A]) -> A:
    """Fields as they were sent as a `kind`. Raises ActError, which names the field."""
    known = kind.__struct_encode_fields__
    for field in fields:
        if field not in known:
            raise ActError(
                f"'{name}' has no field '{field[:40]}'{nearest(field[:40], list(known))}"
            )
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise ActError(f"'{name}': {misfit(error, kind).words[:200]}") from None


def perform(state: ClockState, name: str, act: Act, now_ms: int) -> ClockState:
    """The clock after the act `name`; it has been advanced to `now_ms` before.

    Raises ActError where that can't be done now, with the reason.
    """
    if state.over and name not in ("reopen", "reset"):
        raise ActError("the tournament is over; reopen it first")
    if state.question is not None and name in _MOVES_TIME:
        raise ActError("first say whether the clock resumes where it stopped or catches up")
    try:
        return ACTS[name][1](state, act, now_ms)
    except EditError as error:
        raise ActError(str(error)) from None


_MOVES_TIME = ("start", "go", "next", "back", "time", "break")


def _start(state: ClockState, _act: Act, now_ms: int) -> ClockState:
    if state.begun:
        raise ActError("the clock has already been started; resume it")
    return running(state, now_ms)


def _pause(state: ClockState, act: Act, now_ms: int) -> ClockState:
    if state.question is not None:
        return replace(state, question=None, why=act.reason)
    if state.holding:
        return replace(state, holding=False, why=act.reason)
    if not state.runs:
        raise ActError("the clock is already stopped")
    return standing(state, now_ms, act.reason)


def _resume(state: ClockState, _act: Act, now_ms: int) -> ClockState:
    if state.runs:
        raise ActError("the clock is already running")
    return running(state, now_ms)


def _go(state: ClockState, act: Go, now_ms: int) -> ClockState:
    last = len(state.structure.entries) - 1
    if act.index > last:
        raise ActError(f"the structure has {last + 1} levels and breaks, and none after these")
    return at_entry(state, act.index, now_ms)


def _next(state: ClockState, _act: Act, now_ms: int) -> ClockState:
    called = state.called
    if called is not None:
        ended = replace(
            standing(state, now_ms),
            called=None,
            holding=False,
            length_ms=called.length_ms,
            remaining_ms=called.left_ms,
        )
        return running(ended, now_ms) if state.runs or state.holding else ended
    if state.is_last:
        raise ActError("this is the last level")
    return at_entry(state, state.index + 1, now_ms)


def _back(state: ClockState, _act: Act, now_ms: int) -> ClockState:
    if state.called is not None:
        raise ActError("a break was called; end it first")
    if state.index == 0:
        raise ActError("this is the first level")
    return at_entry(state, state.index - 1, now_ms)


def _time(state: ClockState, act: AddTime, now_ms: int) -> ClockState:
    return editing.longer(state, act.by_ms, now_ms)


def _break(state: ClockState, act: CallBreak, now_ms: int) -> ClockState:
    if state.on_break:
        raise ActError("it is already a break; give it more time instead")
    if not state.begun:
        raise ActError("the clock has not been started yet")
    left = LevelLeft(state.left_ms(now_ms), state.length_ms)
    if not left.left_ms:
        raise ActError("the last level has run out; pause the clock instead")
    called = replace(
        state,
        called=left,
        length_ms=act.duration_ms,
        deadline_ms=None,
        remaining_ms=act.duration_ms,
        why="",
        holding=state.hold_for_hands,
    )
    return called if state.hold_for_hands else running(called, now_ms)


def _answer(state: ClockState, act: Answer, now_ms: int) -> ClockState:
    if state.question is None:
        raise ActError("the clock is not asking anything")
    if act.choice == "catch-up":
        return caught_up(state, now_ms)
    return running(state, now_ms) if act.choice == "resume" else replace(state, question=None)


def _end(state: ClockState, act: Act, now_ms: int) -> ClockState:
    over = standing(state, now_ms)
    return replace(over, over=True, holding=False, question=None, why=act.reason)


def _reopen(state: ClockState, _act: Act, _now_ms: int) -> ClockState:
    if not state.over:
        raise ActError("the tournament is not over")
    return replace(state, over=False, why="")


def _reset(state: ClockState, _act: Act, _now_ms: int) -> ClockState:
    if state.runs:
        raise ActError("the clock is running; pause it first")
    return at_start(
        state.structure,
        hold_for_hands=state.hold_for_hands,
        pause_on_dispute=state.pause_on_dispute,
    )


def _structure(state: ClockState, act: NewStructure, _now_ms: int) -> ClockState:
    if state.begun:
        raise ActError("the clock has already been started; change the levels to come, or reset it")
    editing.check(act.structure)
    try:
        check(act.structure)
    except StructureError as error:
        raise ActError(str(error)) from None
    return _reset(replace(state, structure=act.structure), act, 0)


def _rules(state: ClockState, act: Rules, now_ms: int) -> ClockState:
    given = {
        name: value
        for name in ("hold_for_hands", "pause_on_dispute")
        if (value := getattr(act, name)) is not None
    }
    after = replace(state, **given)
    return after if after.hold_for_hands else hands_over(after, now_ms)


Performed = Callable[[ClockState, Any, int], ClockState]

ACTS: Mapping[str, tuple[type[Act], Performed]] = {
    "start": (Act, _start),
    "pause": (Act, _pause),
    "resume": (Act, _resume),
    "go": (Go, _go),
    "next": (Act, _next),
    "back": (Act, _back),
    "time": (AddTime, _time),
    "break": (CallBreak, _break),
    "answer": (Answer, _answer),
    "change": (Change, lambda state, act, now: editing.change(state, act.index, act.entry, now)),
    "insert": (Insert, lambda state, act, _now: editing.insert(state, act.index, act.entry)),
    "remove": (Remove, lambda state, act, _now: editing.remove(state, act.index)),
    "structure": (NewStructure, _structure),
    "rules": (Rules, _rules),
    "end": (Act, _end),
    "reopen": (Act, _reopen),
    "reset": (Act, _reset),
}
"""Every act: its name → what it carries and what it does."""
