"""Hands that all tables play together: each plays one, and waits for the others. Pure.

Eliminations in one of them count as in one hand, whatever the table. What such a hand takes off the
clock, and whether all who go out in it share their places, is the book's to say (TDA24-RP8A to
-RP8D), or else the house's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.contract.view import BETWEEN_HANDS, TableView
from controller.room import clock
from controller.room.acts import Act, ActError
from controller.room.clock import ClockState

FEWEST = 2
"""So many players make a hand."""
_MINUTE_MS = 60_000

Minutes = Annotated[float, Meta(ge=0, le=10)]


class TableHand(Struct, frozen=True):
    """The hand of a table that runs, or was last; one that was a misdeal is dealt again."""

    hand: int
    is_over: bool = True
    is_misdeal: bool = False


class HandForHand(Struct, frozen=True, kw_only=True):
    """All tables play hand for hand since `since_ms`, in the room's time. `round` counts these
    hands; the first is that which ran at each table when it was announced. `due` is by table the
    hand with which it has done its part of this round. A hand takes `off_ms` off the clock, which
    stands meanwhile, though it `ran` before; with nothing to take off it runs on. `share`: who go
    out in one round share their places. `until`: no further round begins once so many players are
    left."""

    since_ms: int
    round: int = 1
    due: Mapping[str, int] = {}
    off_ms: int = 0
    ran: bool = False
    share: bool = False
    until: int | None = None


class PlayHandForHand(Act, frozen=True, kw_only=True):
    """`hand-for-hand`: all tables play so from the hand on that runs. Each hand takes `minutes` off
    the clock; with 0 it runs on. `share`: who go out in one round share their places."""

    minutes: Minutes = 0
    share: bool = False
    until: Annotated[int, Meta(ge=1, le=100_000)] | None = None


class NextRound(Act, frozen=True, kw_only=True):
    """`next-round`: the tables deal the next hand, though not all have finished this one."""


def table_hand(view: TableView) -> TableHand:
    """The hand of a table by its picture."""
    is_over = view.phase is None or view.phase in BETWEEN_HANDS
    return TableHand(view.hand, is_over, is_misdeal=view.phase == "misdeal")


def with_tables(now: HandForHand, tables: Mapping[str, TableHand | None]) -> HandForHand:
    """With all tables that play in it, as their hands stand; None is one that can't be heard. One
    that has begun another hand already finishes that, and a misdeal is played again."""
    due = {table: _due(now.due.get(table, 0), each) for table, each in tables.items()}
    return now if due == now.due else replace(now, due=due)


def _due(before: int, each: TableHand | None) -> int:
    return before if each is None else max(before, each.hand + each.is_misdeal)


def waits_for(now: HandForHand, tables: Mapping[str, TableHand | None]) -> tuple[str, ...]:
    """The tables that have not finished the hand of this round, in their order; None is one that
    can't be heard."""
    return tuple(table for table, each in tables.items() if not _is_done(now, table, each))


def _is_done(now: HandForHand, table: str, each: TableHand | None) -> bool:
    return each is not None and each.is_over and each.hand >= now.due.get(table, 0)


def next_round(state: ClockState, now: HandForHand, now_ms: int) -> tuple[ClockState, HandForHand]:
    """Clock and hand for hand as the tables deal one more hand. The first one takes nothing off the
    clock, under which its hands began."""
    due = {table: hand + 1 for table, hand in now.due.items()}
    after = state if now.round == 1 else clock.spent(state, now.off_ms, now_ms)
    return after, replace(now, round=now.round + 1, due=due)


def held_clock(state: ClockState, now: HandForHand, now_ms: int) -> ClockState:
    """The clock while they play so: it stands in each level, where a hand takes its time off."""
    runs_level = state.runs and not state.on_break
    return clock.standing(state, now_ms) if now.off_ms and runs_level else state


def check_resumes(state: ClockState, now: HandForHand | None) -> None:
    """Raises ActError where the clock goes on by the hands that are played."""
    if now is not None and held_clock(clock.running(state, 0), now, 0).runs is False:
        raise ActError("the tables play hand for hand, and each hand takes its time off the clock")


Changed = tuple[ClockState, HandForHand | None]


def _begin(
    state: ClockState, now: HandForHand | None, act: PlayHandForHand, now_ms: int
) -> Changed:
    if now is not None:
        raise ActError("the tables play hand for hand already")
    if not state.begun or state.over:
        raise ActError("the tournament is not being played")
    begun = HandForHand(
        since_ms=now_ms,
        off_ms=round(act.minutes * _MINUTE_MS),
        ran=state.runs,
        share=act.share,
        until=act.until,
    )
    return held_clock(state, begun, now_ms), begun


def _end(state: ClockState, now: HandForHand | None, _act: Act, now_ms: int) -> Changed:
    if now is None:
        raise ActError("the tables do not play hand for hand")
    goes_on = now.off_ms and now.ran and state.question is None and not state.holding
    return clock.running(state, now_ms) if goes_on else state, None


def perform(
    state: ClockState, now: HandForHand | None, name: str, act: Act, now_ms: int
) -> Changed:
    """Clock and hand for hand after the act `name`. Raises ActError where that can't be done."""
    return ROUND_ACTS[name][1](state, now, act, now_ms)


def _next(state: ClockState, now: HandForHand | None, _act: Act, now_ms: int) -> Changed:
    if now is None:
        raise ActError("the tables do not play hand for hand")
    return next_round(state, now, now_ms)


ROUND_ACTS: Mapping[str, tuple[type[Act], Callable[[ClockState, Any, Any, int], Changed]]] = {
    "hand-for-hand": (PlayHandForHand, _begin),
    "next-round": (NextRound, _next),
    "table-by-table": (Act, _end),
}
"""Every act: its name → what it carries and what it does."""
