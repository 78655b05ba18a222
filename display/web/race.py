"""The worksheets of a chip race: for each table that has still to race, what is to be counted and
dealt there, and for the others what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from controller.room.races import Due, RacedTable
from controller.room.seat_draw import AtSeat
from controller.room.structure import smallest_chip
from controller.room.view import RoomView
from controller.rules.chip_race import ChipRace, Racer, cards_to_deal, new_chips


class SeatLine(Struct, frozen=True):
    """Who sits there, with what, and how many chips that go are odd, where the stack tells it; he
    has `only` these."""

    seat: int
    name: str
    stack: int | None
    odd: int | None
    only: bool


class Sheet(Struct, frozen=True):
    """A table that has still to race chips of `goes`, in sets of so many, by this `way`."""

    table: str
    goes: int
    into: int
    full_set: int
    way: ChipRace
    seats: tuple[SeatLine, ...]


class RacePicture(Struct, frozen=True):
    """All that the page shows. `chips` are those in play, `coming` go on the next break."""

    sheets: tuple[Sheet, ...]
    done: tuple[RacedTable, ...]
    coming: tuple[int, ...]
    chips: tuple[int, ...]


class ToDeal(Struct, frozen=True):
    """How many cards each seat gets, and how many new chips are in the race."""

    cards: tuple[int, ...]
    chips: int


def race(room: RoomView) -> RacePicture:
    """What the page shows of a room."""
    smallest = smallest_chip(room.schedule, room.clock.index)
    return RacePicture(
        sheets=tuple(_sheets(room)),
        done=room.races.tables[::-1],
        coming=() if room.clock.on_break else room.race_off,
        chips=tuple(value for value in room.schedule.chips if value >= smallest),
    )


def to_deal(due: Due, chips: tuple[int, ...]) -> ToDeal:
    """What is dealt where the seats have so many chips that go."""
    racers = [Racer(number, each) for number, each in enumerate(chips)]
    cards = dict(cards_to_deal(due.change, racers))
    dealt = tuple(cards.get(number, 0) for number in range(len(chips)))
    return ToDeal(dealt, new_chips(due.change, sum(dealt)))


def _sheets(room: RoomView) -> Iterator[Sheet]:
    for due in room.to_race:
        for table in due.tables:
            seats = tuple(_seats(room, due, table))
            change, way = due.change, room.race_ways[table]
            yield Sheet(table, due.goes, due.into, change.full_set, way, seats)


def _seats(room: RoomView, due: Due, table: str) -> Iterator[SeatLine]:
    for seat in range(1, room.register.seats_of[table] + 1):
        player = room.register.by_seat.get(AtSeat(table, seat))
        if player is None:
            continue
        stack = room.chips.get(player.entry)
        odd = None if stack is None else due.change.odd_of(stack)
        only = stack is not None and odd is not None and 0 < stack == odd * due.goes
        yield SeatLine(seat, player.name, stack, odd, only)
