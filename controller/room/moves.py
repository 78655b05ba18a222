"""Who has to move to another table, as the desk announces it: pure."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from controller.contract.messages import Actor, Move, Place
from controller.room.acts import Act, ActError

MAX_MOVES = 500
DEFAULT_MINUTES = 5
_MINUTE_MS = 60_000

Minutes = Annotated[float, Meta(gt=0, le=24 * 60)]


class Moves(Act, frozen=True, kw_only=True):
    """`move`: a player goes to another table, or seat; it is shown for so many minutes. The
    tables need not be known to the room."""

    player: Actor
    from_: Place = field(name="from")
    to: Place
    minutes: Minutes = DEFAULT_MINUTES


class Unmove(Act, frozen=True, kw_only=True):
    """`unmove`: the move with this id is not announced any more."""

    id: int


def announced(moves: tuple[Move, ...], act: Moves, number: int, now_ms: int) -> tuple[Move, ...]:
    """The moves with one more, in place of what was said of the same player there before.

    Raises ActError where there are too many, and for a move that is none.
    """
    if act.from_ == act.to or (act.from_.table == act.to.table and act.to.seat is None):
        raise ActError(f"that is not a move: {act.player} is already at table {act.to.table}")
    others = tuple(each for each in moves if (each.player, each.from_) != (act.player, act.from_))
    if len(others) >= MAX_MOVES:
        raise ActError(f"there are already {MAX_MOVES} moves; remove one first")
    until_ms = now_ms + round(act.minutes * _MINUTE_MS)
    return (*others, Move(number, act.player, act.from_, act.to, until_ms))


def taken_away(moves: tuple[Move, ...], act: Unmove) -> tuple[Move, ...]:
    """The moves without one. Raises ActError where it is not there."""
    others = tuple(each for each in moves if each.id != act.id)
    if len(others) == len(moves):
        raise ActError("that move is no longer there")
    return others
