"""The draw of seats: random by a seed, and to be checked by whoever has it. Pure.

Seats are drawn at random (TDA24-07a, TDA09-04a, UK-06, RR7-T-2) and evenly over the tables
(NL10-SEAT-01). Nothing decides but the seed: the order of everything is that of the SHA-256 of
`seed`, a colon and its name, which any program can compute. The players come in the order of
`seed:id`, those before the others who are kept apart from somebody. Each gets a seat at the table
that has the fewest players by then, of several the first by `seed:table`; there it is the free seat
that comes first by `seed:table/seat`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from controller.contract.messages import Identifier
from firmware_bridge.sensed import SeatNumber

SeatCount = Annotated[int, Meta(ge=2, le=10)]


class AtSeat(Struct, frozen=True, order=True):
    """A seat of a table."""

    table: Identifier
    seat: SeatNumber


class RoomTable(Struct, frozen=True):
    """A table of the tournament and how many seats it has."""

    table: Identifier
    seats: SeatCount


CARD_SUITS = "shcd"
"""Spades are the first table's, then hearts, clubs (HPT-SEAT-03) and diamonds."""
_RANKS = "A23456789T"


def by_card(card: str, tables: Sequence[RoomTable]) -> AtSeat | None:
    """The seat of who has drawn a card of the drawing deck, which has a suit for each table and a
    rank for each seat from the ace up (HPT-SEAT-02): ace is seat 1, where the button is at the
    start (HPT-SEAT-03). None where the card is not in it."""
    rank, suit = _RANKS.find(card[:1]), CARD_SUITS.find(card[1:])
    if len(card) != 2 or rank < 0 or not 0 <= suit < len(tables) or rank >= tables[suit].seats:
        return None
    return AtSeat(tables[suit].table, rank + 1)


class Sitting(Struct, frozen=True):
    """Who sits where, by his id."""

    player: str
    at: AtSeat


class Draw(Struct, frozen=True):
    """All that a draw follows from: for `players` a seat each at one of `tables`, where some are
    `taken`. Those of a group of `apart` come to different tables, also from those who sit, as long
    as another table has a free seat."""

    seed: str
    players: tuple[str, ...]
    tables: tuple[RoomTable, ...]
    taken: tuple[Sitting, ...] = ()
    apart: tuple[tuple[str, ...], ...] = ()


class DrawError(ValueError):
    """There are fewer free seats than players; the text is one line."""


def drawn_seat(seed: str, table: str, seats: Sequence[int]) -> int:
    """Which of these seats of a table the button is drawn to: the one that comes first by the
    SHA-256 of `seed:button:table/seat`."""
    return min(seats, key=lambda seat: _rank(seed, f"button:{table}/{seat}"))


def seats(draw: Draw) -> tuple[AtSeat, ...]:
    """The seats of the players, in their order. Raises DrawError."""
    taken = {sits.at for sits in draw.taken}
    free = {each.table: _free(draw.seed, each, taken) for each in draw.tables}
    count = sum(map(len, free.values()))
    if len(draw.players) > count:
        raise DrawError(f"{len(draw.players)} players, but {count} free seats")
    size = Counter(at.table for at in taken)
    tables = {sits.player: sits.at.table for sits in draw.taken}
    given: dict[str, AtSeat] = {}
    ranks = {name: _rank(draw.seed, name) for name in free}
    kept_apart = {one for group in draw.apart for one in group}
    for player in sorted(
        draw.players, key=lambda one: (one not in kept_apart, _rank(draw.seed, one))
    ):
        others = (one for group in draw.apart if player in group for one in group)
        avoided = {tables[one] for one in others if one in tables}
        table = min(
            (name for name in free if free[name]),
            key=lambda name: (name in avoided, size[name], ranks[name]),
        )
        given[player] = free[table].pop(0)
        size[table] += 1
        tables[player] = table
    return tuple(given[player] for player in draw.players)


def _free(seed: str, table: RoomTable, taken: set[AtSeat]) -> list[AtSeat]:
    all_ = (AtSeat(table.table, number) for number in range(1, table.seats + 1))
    return sorted(
        (at for at in all_ if at not in taken),
        key=lambda at: _rank(seed, f"{at.table}/{at.seat}"),
    )


def _rank(seed: str, name: str) -> bytes:
    return hashlib.sha256(f"{seed}:{name}".encode()).digest()
