"""What else is known when something is asked of the room: pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from controller.contract.messages import Hand
from controller.room.conduct import HandOf
from controller.room.seat_draw import AtSeat
from controller.room.seating import sitting
from controller.room.tables import Tables
from controller.room.tournament import players_seen


class Known(Struct, frozen=True):
    """The wall clock, how many `players` all tables together show, from whom a count begins that
    the desk has not begun, each table's hand, and the stacks by seat, as far as they
    are known."""

    wall_ms: int = 0
    players: int | None = None
    hands: Mapping[str, HandOf] = {}
    stacks: Mapping[AtSeat, int] = {}


NOTHING = Known()


def at_tables(tables: Tables) -> Known:
    """What is known of the tables."""
    return Known(
        players=players_seen(tables.values()),
        hands={id_: HandOf(id_, hand.session, hand.view.hand) for id_, hand in _hands(tables)},
        stacks=stacks_at(tables),
    )


def stacks_at(tables: Tables) -> dict[AtSeat, int]:
    """What they show at each seat: between two hands what it has, as far as that is known, else
    what it had when the hand began."""
    found: dict[AtSeat, int] = {}
    for id_, hand in _hands(tables):
        for one in sitting(hand.view):
            if one.chips is not None:
                found[AtSeat(id_, one.seat)] = one.chips
    return found


def _hands(tables: Tables) -> Iterator[tuple[str, Hand]]:
    return ((id_, seen.hand) for id_, seen in tables.items() if seen.hand is not None)
