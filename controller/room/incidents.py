"""What the tables have seen players do, as it is kept of each of them: pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.events import Closed, Event, Finding, Ruling
from controller.room.register import Player, PlayerId, Register
from controller.room.seat_draw import AtSeat
from controller.rules.conduct import PLAYERS_OWN

MAX_INCIDENTS = 2_000
"""The oldest go first."""


class Incident(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A finding about what a player did himself, as he was called then, with what was ruled on it,
    if anything was. `session` and `finding` are what the table calls it."""

    player: PlayerId
    name: str
    code: str
    wall_ms: int
    table: str
    seat: int
    hand: int
    session: str
    finding: int
    outcome: str = ""


Incidents = tuple[Incident, ...]


class At(Struct, frozen=True):
    """A session of a table in which something happened, and when."""

    table: str
    session: str
    wall_ms: int


def after(seen: Incidents, register: Register, event: Event, at: At) -> Incidents:
    """What is kept after `event`: what was found, what was ruled on it, and not what a person has
    put away as wrong."""
    match event:
        case Finding(id=number, code=code) if code in PLAYERS_OWN:
            if any(_is(one, at, number) for one in seen):
                return seen
            found = (
                Incident(
                    player=player.id,
                    name=player.name,
                    code=code,
                    wall_ms=at.wall_ms,
                    table=at.table,
                    seat=seat,
                    hand=event.hand,
                    session=at.session,
                    finding=number,
                )
                for seat, player in _sitting(register, at.table, event.seats)
            )
            return (*seen, *found)[-MAX_INCIDENTS:]
        case Ruling(id=number, ruling=ruling):
            return tuple(
                replace(one, outcome=ruling.outcome) if _is(one, at, number) else one
                for one in seen
            )
        case Closed(id=number, how="dismissed"):
            return tuple(one for one in seen if not _is(one, at, number))
    return seen


def without_old(seen: Incidents, before_wall_ms: int) -> Incidents:
    """Those that are kept for longer."""
    kept = tuple(one for one in seen if one.wall_ms >= before_wall_ms)
    return seen if len(kept) == len(seen) else kept


def _is(one: Incident, at: At, finding: int) -> bool:
    return (one.table, one.session, one.finding) == (at.table, at.session, finding)


def _sitting(register: Register, table: str, seats: Iterable[int]) -> Iterator[tuple[int, Player]]:
    for seat in seats:
        player = register.by_seat.get(AtSeat(table, seat))
        if player is not None:
            yield seat, player
