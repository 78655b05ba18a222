"""Who moves to a shorter table, and to which chair there.

Sources: TDA09-06a, TDA24-11A1 (UK-09 lost that sentence: it is taken from there), RR7-T-15,
HPT-MOVE-03, HPT-MOVE-08, NL10-SEAT-04. Positions are those of the hand to come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from controller.contract.zones import SEATS
from controller.rules.button import ButtonRule, Positions, next_positions
from controller.rules.procedure import clockwise

MoveWay = Literal["worst", "soonest", "position", "behind-button"]
"""Who moves and where to. `worst`: who is due the big blind, to the chair that is due it soonest, a
second big blind too, but never to that of the small blind, nor between it and the button, where he
would miss hands (TDA09-05, TDA09-06a). `soonest`: the same, with no chair excepted (RR7-T-15,
RR7-T-16). `position`: who sits to the button as the one did who is out, to that one's chair
(HPT-MOVE-03). `behind-button`: who sits right of the button, to the chair right of it there
(NL10-SEAT-04)."""


@dataclass(frozen=True, slots=True)
class Ring:
    """A table with so many chairs, the seats of those who play on, and the positions of its last
    hand, which may be running. `vacated` are chairs of players who are out, the last one last."""

    chairs: int
    players: frozenset[int]
    last: Positions
    rule: ButtonRule = "dead"
    vacated: tuple[int, ...] = ()

    @property
    def open(self) -> tuple[int, ...]:
        """The chairs at which nobody sits."""
        return tuple(n for n in range(1, self.chairs + 1) if n not in self.players)


@dataclass(frozen=True, slots=True)
class Chair:
    """An empty chair, as it would be for a newcomer: in how many hands he has the big blind, and
    whether he would have the small one, or sit between it and the button."""

    seat: int
    until_big: int
    is_small: bool
    is_behind: bool


def mover(way: MoveWay, giving: Ring, short: Ring) -> int | None:
    """The seat of the player who moves; None where there is nobody to take."""
    if len(giving.players) < 2:
        return None
    if way in ("worst", "soonest"):
        return next_positions(giving.last, giving.players, giving.rule).big
    order = clockwise(giving.players, giving.last.button)
    if way == "behind-button":
        return next(seat for seat in reversed(order) if seat != giving.last.button)
    vacated = _vacated(short)
    if vacated is None:
        return None
    return _at_offset(order, _offset(short, vacated))


def chair(way: MoveWay, short: Ring) -> int | None:
    """The chair that he is given; None where there is none for him before the next hand. With one
    who sits alone he plays heads-up wherever he sits, and may have the small blind: else neither
    could play."""
    if not short.open:
        return None
    if way == "behind-button":
        order = clockwise(short.open, short.last.button)
        return next((seat for seat in reversed(order) if seat != short.last.button), order[-1])
    if way == "position":
        return _vacated(short)
    first = short.last.big + 1
    places = sorted(chairs(short), key=lambda one: (one.until_big, (one.seat - first) % SEATS))
    found = (one.seat for one in places if way == "soonest" or not (one.is_small or one.is_behind))
    return next(found, places[0].seat if len(short.players) == 1 else None)


def chairs(ring: Ring) -> tuple[Chair, ...]:
    """The empty chairs of a table with a player at least, as they would be for a newcomer in the
    hand to come."""
    return tuple(_chair(ring, seat) for seat in ring.open)


def _chair(ring: Ring, seat: int) -> Chair:
    seats = ring.players | {seat}
    place = next_positions(ring.last, seats, ring.rule)
    bigs = clockwise(seats, place.big)
    until = (bigs.index(seat) + 1) % len(bigs)
    behind = _strictly_between(place.button, seat, place.small)
    return Chair(seat, until, is_small=seat == place.small != place.big, is_behind=behind)


def _strictly_between(first: int, seat: int, second: int) -> bool:
    if first == second or seat in (first, second):
        return False
    return clockwise((seat, second), first)[0] == seat


def _vacated(ring: Ring) -> int | None:
    """Of the chairs of players who are out the one closest left of the button (HPT-MOVE-07), or
    where there are none, of all that are empty."""
    gone = [seat for seat in ring.vacated if seat in ring.open] or ring.open
    return clockwise(gone, ring.last.button)[0] if gone else None


def _offset(ring: Ring, seat: int) -> int:
    """How far left of the button a chair is, by players: the button itself is 0."""
    if seat == ring.last.button:
        return 0
    return clockwise({*ring.players, seat}, ring.last.button).index(seat) + 1


def _at_offset(order: list[int], offset: int) -> int:
    return order[-1] if offset == 0 else order[min(offset, len(order)) - 1]


@dataclass(frozen=True, slots=True)
class Trigger:
    """From which difference between two tables on somebody moves: with more tables than `many`
    from `gap_of_many` on (RR7-T-17)."""

    gap: int
    many: int | None = None
    gap_of_many: int | None = None


def unbalanced(sizes: Mapping[str, int], trigger: Trigger) -> tuple[list[str], str] | None:
    """The fullest tables, and the shortest one that gets a player; None where all is even enough.
    The table that is listed last breaks first (RR7-T-13): of several that are as short the first
    one gets the player, who then stays there longest."""
    if len(sizes) < 2:
        return None
    most, fewest = max(sizes.values()), min(sizes.values())
    is_many = trigger.many is not None and len(sizes) > trigger.many
    gap = trigger.gap_of_many if is_many and trigger.gap_of_many is not None else trigger.gap
    if most - fewest < gap:
        return None
    fullest = [table for table, size in sizes.items() if size == most]
    return fullest, next(table for table, size in sizes.items() if size == fewest)


def too_short(sizes: Mapping[str, int], short_by: int) -> list[str]:
    """The tables that are so many players short of the fullest one: they halt (UK-09C, TDA09-06d,
    TDA24-11D1)."""
    most = max(sizes.values(), default=0)
    return [table for table, size in sizes.items() if most - size >= short_by]
