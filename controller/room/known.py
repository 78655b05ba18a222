"""What else is known when something is asked of the room: pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from controller.contract.messages import Hand
from controller.contract.sight import SeatChips
from controller.room.conduct import HandOf
from controller.room.seat_draw import AtSeat
from controller.room.seating import is_over, sitting
from controller.room.tables import Tables
from controller.room.tournament import players_seen
from controller.rules.chip_race import ChipRace


class Known(Struct, frozen=True):
    """The wall clock, how many `players` all tables together show, from whom a count begins that
    the desk has not begun, each table's hand, and what the players have, by their entries, as far
    as that is known; which tables are `in_a_hand`, how the book of a table races its chips, and by
    their names which events have the tables that this one has not."""

    wall_ms: int = 0
    players: int | None = None
    hands: Mapping[str, HandOf] = {}
    chips: Mapping[str, int] = {}
    in_a_hand: frozenset[str] = frozenset()
    race: Callable[[str], ChipRace | None] = lambda _table: None
    others: Mapping[str, str] = {}


NOTHING = Known()


def at_tables(tables: Tables) -> Known:
    """What is known of the tables."""
    return Known(
        players=players_seen(tables.values()),
        hands={id_: HandOf(id_, hand.session, hand.view.hand) for id_, hand in _hands(tables)},
        in_a_hand=frozenset(id_ for id_, hand in _hands(tables) if not is_over(hand.view)),
    )


def stacks_at(tables: Tables) -> dict[AtSeat, SeatChips]:
    """Who sits where by the tables, and with what, as far as that is known: between two hands what
    he has, else what he had when the hand began."""
    return {
        AtSeat(id_, one.seat): one for id_, hand in _hands(tables) for one in sitting(hand.view)
    }


def _hands(tables: Tables) -> Iterator[tuple[str, Hand]]:
    return ((id_, seen.hand) for id_, seen in tables.items() if seen.hand is not None)
