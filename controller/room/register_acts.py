"""What people ask of the register, and what becomes of it: pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from controller.contract.messages import Actor, Identifier, Line
from controller.room.acts import Act, ActError
from controller.room.arrivals import ARRIVAL_ACTS, gathering, leaves, settled
from controller.room.entering import ENTERING_ACTS
from controller.room.register import (
    KEPT_DRAWS,
    MAX_TABLES,
    Before,
    Drawn,
    Moment,
    Player,
    PlayerId,
    PlayerStatus,
    Register,
    here,
    place,
    seated,
    taken,
    with_players,
)
from controller.room.seat_draw import (
    CARD_SUITS,
    Draw,
    RoomTable,
    Sitting,
    by_card,
    seats,
)
from controller.room.taking_back import TAKING_BACK_ACTS, withdrawn
from firmware_bridge.sensed import SeatNumber

MAX_APART = 100


class Correct(Act, frozen=True, kw_only=True):
    """`correct`: what is not given stays."""

    player: PlayerId
    name: Actor | None = None
    paid: bool | None = None


class Of(Act, frozen=True, kw_only=True):
    """`withdraw`: the player has never entered. `stand`: he has no seat."""

    player: PlayerId


class Sit(Act, frozen=True, kw_only=True):
    """`sit`: the player gets this seat, or goes there. `swap`: who sits there goes to his.
    `announce`: that he goes to another table is told to everybody, and he counts there once he has
    arrived; with `all` no table deals a hand until then."""

    player: PlayerId
    table: Identifier
    seat: SeatNumber
    swap: bool = False
    announce: bool = False
    all: bool = False


class SitByCard(Act, frozen=True, kw_only=True):
    """`card`: the player has drawn this card of the drawing deck; see `seat_draw.by_card`."""

    player: PlayerId
    card: Annotated[str, Meta(min_length=2, max_length=2)]


class Mark(Act, frozen=True, kw_only=True):
    """`mark`: a player who sits is there, or is not."""

    player: PlayerId
    status: Literal["seated", "absent"]


class Tables(Act, frozen=True, kw_only=True):
    """`tables`: these are the tournament's. One at which somebody sits can't be left out."""

    tables: Annotated[tuple[RoomTable, ...], Meta(max_length=MAX_TABLES)]


class DrawSeats(Act, frozen=True, kw_only=True):
    """`draw`: seats by `seed` for those who have none, the first who entered before the others
    while there are too few; at all tables, or at these."""

    seed: Annotated[Line, Meta(min_length=1)]
    tables: tuple[Identifier, ...] = ()


class Redraw(Act, frozen=True, kw_only=True):
    """`redraw`: seats by `seed` at these tables, for those who sit at others, or for `all` who
    sit."""

    seed: Annotated[Line, Meta(min_length=1)]
    tables: Annotated[tuple[Identifier, ...], Meta(min_length=1, max_length=MAX_TABLES)]
    all: bool = False


class Apart(Act, frozen=True, kw_only=True):
    """`apart`: these players are not drawn to one table; `together`: they may be again."""

    players: Annotated[tuple[PlayerId, ...], Meta(min_length=2, max_length=10)]
    together: bool = False


class Late(Act, frozen=True, kw_only=True):
    """`late`: who has not entered by the end of this level does not any more; None: at any time."""

    level: Annotated[int, Meta(ge=0, le=1000)] | None = None


class TellSeats(Act, frozen=True, kw_only=True):
    """`tell-seats`: the register is right, and this table is told all of its seats again."""

    table: Identifier


class Even(Act, frozen=True, kw_only=True):
    """`even`: somebody moves once two tables differ by `gap` players, and a table halts once it is
    `halt` players short of the fullest one, with 0 never (TDA24-11D2); None: as the book has it."""

    gap: Annotated[int, Meta(ge=2, le=9)] | None = None
    halt: Annotated[int, Meta(ge=0, le=9)] | None = None


class Waive(Act, frozen=True, kw_only=True):
    """`waive`: this table plays on though it is short of players, or though others are still on the
    way to it; `ends`: no more."""

    table: Identifier
    ends: bool = False


class Clear(Act, frozen=True, kw_only=True):
    """`clear`: nobody has entered; the tables stay."""


def perform(register: Register, name: str, act: Act, now: Moment) -> Register:
    """The register after the act `name`. Raises ActError where that can't be, with the reason."""
    return settled(REGISTER_ACTS[name][1](register, act, now))


def _playing(register: Register, player: str) -> Player:
    found = register.player(player)
    if found.status == "out":
        raise ActError(f"{found.name} is out")
    return found


def _correct(register: Register, act: Correct, _now: Moment) -> Register:
    player = register.player(act.player)
    changed = replace(
        player,
        name=player.name if act.name is None else act.name,
        paid=player.paid if act.paid is None else act.paid,
    )
    return with_players(register, [changed])


def _withdraw(register: Register, act: Of, now: Moment) -> Register:
    """Who has paid stays once there is play: his money is in the purse (HPT-LEAVE-05)."""
    player = _playing(register, act.player)
    if now.playing and (player.paid or len(player.owes) < len(player.bought)):
        raise ActError(
            f"{player.name} has paid, and nothing is paid back once there is play (HPT-LEAVE-05): "
            "take him out, or mark first that he has not paid"
        )
    return withdrawn(register, player)


def _stand(register: Register, act: Of, _now: Moment) -> Register:
    player = _playing(register, act.player)
    if player.at is None:
        raise ActError(f"{player.name} has no seat")
    return with_players(
        register, [replace(player, at=None, status="entered", came=None, coming=False)]
    )


def _sit(register: Register, act: Sit, now: Moment) -> Register:
    player = _playing(register, act.player)
    at = place(register, act.table, act.seat)
    other = register.by_seat.get(at) if at is not None else None
    if at is None or other is player:
        raise ActError(f"{player.name} sits there already")
    changed = [seated(player, at, playing=now.playing)]
    if other is not None:
        if not act.swap or player.at is None:
            raise ActError(taken(at, other))
        changed.append(seated(other, player.at, playing=now.playing))
    if now.playing:
        were = register.by_id
        changed = [leaves(each, were[each.id].at, walks=act.announce) for each in changed]
    register = replace(
        with_players(register, changed),
        pending=tuple(each for each in register.pending if each.player != player.id),
    )
    tables = (each.table for each in register.tables)
    return gathering(register, tables, button=False) if act.all else register


def _by_card(register: Register, act: SitByCard, now: Moment) -> Register:
    if len(register.tables) > len(CARD_SUITS):
        raise ActError(f"a drawing deck has suits for {len(CARD_SUITS)} tables only")
    at = by_card(act.card, register.tables)
    if at is None:
        raise ActError(f"{act.card} is not in the drawing deck of these tables")
    sit = Sit(actor=act.actor, player=act.player, table=at.table, seat=at.seat)
    return _sit(register, sit, now)


def _mark(register: Register, act: Mark, now: Moment) -> Register:
    player = _playing(register, act.player)
    if player.at is None:
        raise ActError(f"{player.name} has no seat")
    if player.status == "penalty":
        raise ActError(f"{player.name} is away for a penalty")
    if act.status == "seated":
        waits = now.playing and (player.new or not player.played)
        status: PlayerStatus = "waiting" if waits else "seated"
        back = replace(player, status=status, away_ms=None, no_show=False)
        return with_players(register, [back])
    if player.status == "absent":
        raise ActError(f"{player.name} is away already")
    return with_players(register, [replace(player, status=act.status, away_ms=now.now_ms)])


def _tables(register: Register, act: Tables, _now: Moment) -> Register:
    names = [each.table for each in act.tables]
    if len(set(names)) < len(names):
        raise ActError("a table is listed twice")
    after = replace(register, tables=act.tables)
    for at, player in register.by_seat.items():
        if at.seat > after.seats_of.get(at.table, 0):
            raise ActError(taken(at, player))
    return after


def _draw(register: Register, act: DrawSeats, now: Moment) -> Register:
    tables = _meant(register, act.tables)
    names = {each.table for each in tables}
    waiting = register.without_seat()
    free = sum(at.table in names for at in register.free())
    if not waiting:
        raise ActError("everybody has a seat")
    if not free:
        raise ActError("no seat is free")
    taken = tuple(Sitting(each.id, at) for at, each in sorted(register.by_seat.items()))
    ids = tuple(each.id for each in waiting[:free])
    return _drawn(register, Draw(act.seed, ids, tables, taken, register.apart), now)


def _redraw(register: Register, act: Redraw, now: Moment) -> Register:
    tables = _meant(register, act.tables)
    names = {each.table for each in tables}
    sitting = sorted(register.by_seat.items())
    stay = [(at, each) for at, each in sitting if at.table in names and not act.all]
    ids = tuple(each.id for at, each in sitting if act.all or at.table not in names)
    room = sum(each.seats for each in tables) - len(stay)
    if not ids:
        raise ActError("nobody has to move")
    if len(ids) > room:
        raise ActError(f"{len(ids)} players, but {room} free seats")
    taken = tuple(Sitting(each.id, at) for at, each in stay)
    after = _drawn(register, Draw(act.seed, ids, tables, taken, register.apart), now)
    if not now.playing:
        return after
    moved = [leaves(after.by_id[one], register.by_id[one].at) for one in ids]
    if act.all:  # the table begins from a new button: nobody waits
        moved = [_waits_no_more(each) for each in moved]
    after = with_players(replace(after, pending=()), moved)
    return gathering(after, names, button=True) if act.all else after


def _waits_no_more(player: Player) -> Player:
    known = replace(player, new=False)
    return replace(known, status=here(known)) if player.status == "waiting" else known


def _meant(register: Register, names: Collection[str]) -> tuple[RoomTable, ...]:
    """These tables, or all where none is named."""
    unknown = next((name for name in names if name not in register.seats_of), None)
    if unknown is not None:
        raise ActError(f"there is no table {unknown} in this tournament")
    return tuple(each for each in register.tables if not names or each.table in names)


def _drawn(register: Register, asked: Draw, now: Moment) -> Register:
    given = seats(asked)
    sat = [
        seated(register.by_id[player], at, playing=now.playing)
        for player, at in zip(asked.players, given, strict=True)
    ]
    were = [register.by_id[player] for player in asked.players]
    before = tuple(Before(each.at, each.status, each.new, each.came, each.coming) for each in were)
    drawn = Drawn(now.now_ms, asked, given, before)
    return replace(with_players(register, sat), draws=(*register.draws, drawn)[-KEPT_DRAWS:])


def _apart(register: Register, act: Apart, _now: Moment) -> Register:
    group = tuple(sorted({register.player(player).id for player in act.players}))
    others = tuple(each for each in register.apart if each != group)
    if act.together:
        if len(others) == len(register.apart):
            raise ActError("these are not kept apart")
        return replace(register, apart=others)
    if len(group) < 2:
        raise ActError("name two players at least")
    if len(others) >= MAX_APART:
        raise ActError(f"there are already {MAX_APART} groups that are kept apart")
    return replace(register, apart=(*others, group))


def _tell_seats(register: Register, act: TellSeats, _now: Moment) -> Register:
    if act.table not in register.seats_of:
        raise ActError(f"there is no table {act.table} in this tournament")
    return register


def _even(register: Register, act: Even, _now: Moment) -> Register:
    if act.halt == 1:
        raise ActError("a table can halt from 2 players on that it is short, or with 0 never")
    return replace(register, gap=act.gap, halt=act.halt)


def _waive(register: Register, act: Waive, _now: Moment) -> Register:
    if act.table not in register.seats_of:
        raise ActError(f"there is no table {act.table} in this tournament")
    others = tuple(each for each in register.waived if each != act.table)
    return replace(
        register,
        waived=others if act.ends else (*others, act.table),
        gathers=tuple(each for each in register.gathers if each != act.table),
        undrawn=tuple(each for each in register.undrawn if each != act.table),
    )


def _clear(register: Register, _act: Clear, now: Moment) -> Register:
    if now.playing:
        raise ActError("the clock has been started: reset it first")
    return Register(
        tables=register.tables,
        numbers=register.numbers,  # what is on record of one of them is never another's
        late_until=register.late_until,
        offers=register.offers,
        gap=register.gap,
        halt=register.halt,
    )


Performed = Callable[[Register, Any, Moment], Register]

REGISTER_ACTS: Mapping[str, tuple[type[Act], Performed]] = {
    **ENTERING_ACTS,
    **TAKING_BACK_ACTS,
    **ARRIVAL_ACTS,
    "correct": (Correct, _correct),
    "withdraw": (Of, _withdraw),
    "stand": (Of, _stand),
    "sit": (Sit, _sit),
    "card": (SitByCard, _by_card),
    "mark": (Mark, _mark),
    "tables": (Tables, _tables),
    "draw": (DrawSeats, _draw),
    "redraw": (Redraw, _redraw),
    "apart": (Apart, _apart),
    "late": (Late, lambda register, act, _now: replace(register, late_until=act.level)),
    "tell-seats": (TellSeats, _tell_seats),
    "even": (Even, _even),
    "waive": (Waive, _waive),
    "clear": (Clear, _clear),
}
"""Every act: its name → what it carries and what it does."""
