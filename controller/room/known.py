"""What else is known when something is asked of the room: pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from controller.contract.view import TableView
from controller.room.seat_draw import AtSeat
from controller.room.tables import Tables
from controller.room.tournament import players_seen


class Known(Struct, frozen=True):
    """The wall clock, how many `players` all tables together show, from whom a count begins that
    the desk has not begun, the number of each table's hand, and the stacks by seat, as far as they
    are known."""

    wall_ms: int = 0
    players: int | None = None
    hands: Mapping[str, int] = {}
    stacks: Mapping[AtSeat, int] = {}


NOTHING = Known()


def at_tables(tables: Tables) -> Known:
    """What is known of the tables."""
    return Known(
        players=players_seen(tables.values()),
        hands={id_: view.hand for id_, view in _views(tables)},
        stacks=stacks_at(tables),
    )


def stacks_at(tables: Tables) -> dict[AtSeat, int]:
    """What they show at each seat."""
    return {
        AtSeat(id_, seat.seat): seat.stack
        for id_, view in _views(tables)
        for seat in view.seats
        if seat.stack is not None
    }


def _views(tables: Tables) -> Iterator[tuple[str, TableView]]:
    return ((id_, seen.hand.view) for id_, seen in tables.items() if seen.hand is not None)
