"""What there is on record of players: what was given to them, and what tables saw them do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from controller.room.conduct import MINUTES, ROUNDS, Given, Penalty, Step, next_step
from controller.room.incidents import Incident
from controller.room.register import Player, PlayerStatus
from controller.room.view import RoomView

_MINUTE_MS = 60_000


class GivenLine(Struct, frozen=True, omit_defaults=True):
    """A warning or a penalty: so many hands, rounds or minutes; `left` hands of it, or minutes, are
    to be served, or it is `over`."""

    id: int
    given: Given
    amount: int = 0
    reason: str = ""
    left: int | None = None
    over: Literal["", "served", "pardoned"] = ""


class SeenLine(Struct, frozen=True):
    """A finding that was made of a player so many times, the last time there."""

    code: str
    count: int
    table: str
    hand: int


class OnRecord(Struct, frozen=True):
    """Of one player; `next` is what one more offence might bring, after some."""

    given: tuple[GivenLine, ...] = ()
    seen: tuple[SeenLine, ...] = ()
    next: Step | None = None


class SeatOnRecord(Struct, frozen=True, omit_defaults=True):
    """Of who sits at a seat; the fields are those of `OnRecord`."""

    seat: int
    id: str
    name: str
    status: PlayerStatus
    given: tuple[GivenLine, ...] = ()
    seen: tuple[SeenLine, ...] = ()
    next: Step | None = None


class TableOnRecord(Struct, frozen=True):
    """Of all who sit at a table, seat by seat, and the `steps` that its book knows."""

    table: str
    players: tuple[SeatOnRecord, ...]
    steps: tuple[Step, ...]


class Records:
    """Finds what is on record of each player of a room."""

    def __init__(self, room: RoomView) -> None:
        self._room = room
        self._given: dict[str, list[Penalty]] = defaultdict(list)
        self._seen: dict[str, list[Incident]] = defaultdict(list)
        for one in room.conduct.given:
            self._given[one.player].append(one)
        for each in room.seen:
            self._seen[each.player].append(each)

    def of(self, player: Player) -> OnRecord:
        """What there is of a player."""
        given, seen = self._given.get(player.id, ()), self._seen.get(player.id, ())
        if not given and not seen:
            return OnRecord()
        table = None if player.at is None else player.at.table
        return OnRecord(
            tuple(_given(one, self._room.now_ms) for one in given),
            _counted(seen),
            next_step(given, self.steps(table)),
        )

    def steps(self, table: str | None) -> tuple[Step, ...]:
        """What may be given at a table, by its book."""
        return MINUTES if table in self._room.in_minutes else ROUNDS

    def at(self, table: str) -> TableOnRecord:
        """Of all who sit at a table."""
        sitting = sorted(
            (at.seat, player)
            for at, player in self._room.register.by_seat.items()
            if at.table == table
        )
        return TableOnRecord(
            table,
            tuple(_seat(seat, player, self.of(player)) for seat, player in sitting),
            self.steps(table),
        )


def _seat(seat: int, player: Player, of: OnRecord) -> SeatOnRecord:
    return SeatOnRecord(seat, player.id, player.name, player.status, of.given, of.seen, of.next)


def _counted(seen: Iterable[Incident]) -> tuple[SeenLine, ...]:
    last: dict[str, SeenLine] = {}
    for one in seen:
        before = last[one.code].count if one.code in last else 0
        last[one.code] = SeenLine(one.code, before + 1, one.table, one.hand)
    return tuple(last.values())


def _given(one: Penalty, now_ms: int) -> GivenLine:
    left = None
    if one.runs and one.hands is not None:
        left = one.hands - one.served
    elif one.runs and one.until_ms is not None:
        left = -((now_ms - one.until_ms) // _MINUTE_MS)
    return GivenLine(one.id, one.given, one.amount, one.reason, left, one.over)
