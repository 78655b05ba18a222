"""Players on their way to another table: pure.

Who was moved is dealt in at his new table once he is there: his dealer says so, or the desk, or the
deal itself. Until then nobody there waits for him, unless the tables that gather players do, after
a redraw (HPT-SEAT-04, RR7-T-18, UK-10) or a move for which all hands have to be over (HPT-MOVE-04,
HPT-MOVE-06).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from controller.contract.messages import Identifier, Line
from controller.room.acts import Act, ActError
from controller.room.register import (
    KEPT_DRAWS,
    ButtonDrawn,
    Moment,
    Pending,
    Player,
    PlayerId,
    Register,
    place,
    with_players,
)
from controller.room.seat_draw import AtSeat, drawn_seat
from firmware_bridge.sensed import Chips, SeatNumber


class Arrive(Act, frozen=True, kw_only=True):
    """`arrive`: a player who was moved is at his new seat; with so many `chips`, where no table
    tells them. `ends`: he is not there yet."""

    player: PlayerId
    chips: Chips | None = None
    ends: bool = False


class DrawButton(Act, frozen=True, kw_only=True):
    """`draw-button`: of those who sit at this table one has the button, by `seed`."""

    table: Identifier
    seed: Annotated[Line, Meta(min_length=1)]


class SetButton(Act, frozen=True, kw_only=True):
    """`button`: it is to be at this seat in the table's next hand, by a high card or since it was
    due there."""

    table: Identifier
    seat: SeatNumber


class LeaveButton(Act, frozen=True, kw_only=True):
    """`leave-button`: the table has its button right."""

    table: Identifier


class SitLater(Act, frozen=True, kw_only=True):
    """`sit-later`: the player goes to this seat once the level that runs has ended (NL10-SEAT-04).
    `ends`: he does not."""

    player: PlayerId
    table: Identifier
    seat: SeatNumber
    ends: bool = False


class PutOff(Act, frozen=True, kw_only=True):
    """`put-off`: no table breaks, and nobody is redrawn, until somebody more is out. `ends`: it may
    be again."""

    ends: bool = False


def walks(player: Player) -> Player:
    """A player who was moved: if that is from another table he is on his way."""
    if player.came is None or player.at is None or player.came.table == player.at.table:
        return player
    return replace(player, coming=True)


def settled(register: Register) -> Register:
    """The register once nobody is awaited any more at tables that gather: they play on."""
    if not register.gathers:
        return register
    awaited = any(
        p.coming and p.at is not None and p.at.table in register.gathers for p in register.players
    )
    undrawn = any(table in register.gathers for table in register.undrawn)
    return register if awaited or undrawn else replace(register, gathers=())


def gathering(register: Register, tables: Iterable[str], *, button: bool) -> Register:
    """The register where these tables deal no hand until all who come to one of them are there,
    and where there is to be another `button`, until that is known."""
    now = tuple(dict.fromkeys((*register.gathers, *tables)))
    undrawn = tuple(dict.fromkeys((*register.undrawn, *tables))) if button else register.undrawn
    return replace(register, gathers=now, undrawn=undrawn)


def came(register: Register, table: str, seats: Collection[int]) -> Register:
    """The register once these players are at their seats."""
    there = (register.by_seat.get(AtSeat(table, seat)) for seat in seats)
    now = [replace(each, coming=False) for each in there if each is not None and each.coming]
    return settled(with_players(register, now)) if now else register


def due_pending(register: Register, level: int, *, on_break: bool) -> tuple[Pending, ...]:
    """The moves for which the level has ended."""
    return tuple(each for each in register.pending if on_break or level > each.level)


def _arrive(register: Register, act: Arrive, _now: Moment) -> Register:
    player = register.player(act.player)
    if act.ends:
        if player.at is None or player.came is None or player.coming:
            raise ActError(f"{player.name} is not at a new table")
        return with_players(register, [replace(player, coming=True)])
    if not player.coming and (act.chips is None or player.came is None):
        raise ActError(f"{player.name} is not on the way to another table")
    return with_players(register, [replace(player, coming=False)])


def _button(register: Register, act: SetButton, _now: Moment) -> Register:
    place(register, act.table, act.seat)
    return _has_button(register, act.table)


def _draw_button(register: Register, act: DrawButton, _now: Moment) -> Register:
    if act.table not in register.seats_of:
        raise ActError(f"there is no table {act.table} in this tournament")
    seats = [at.seat for at in register.by_seat if at.table == act.table]
    if not seats:
        raise ActError(f"nobody sits at table {act.table}")
    drawn = ButtonDrawn(act.table, drawn_seat(act.seed, act.table, seats), act.seed)
    after = replace(register, buttons=(*register.buttons, drawn)[-KEPT_DRAWS:])
    return _has_button(after, act.table)


def _has_button(register: Register, table: str) -> Register:
    return replace(register, undrawn=tuple(t for t in register.undrawn if t != table))


def _leave_button(register: Register, act: LeaveButton, _now: Moment) -> Register:
    if act.table not in register.seats_of:
        raise ActError(f"there is no table {act.table} in this tournament")
    return _has_button(register, act.table)


def _sit_later(register: Register, act: SitLater, now: Moment) -> Register:
    player = register.player(act.player)
    others = tuple(each for each in register.pending if each.player != player.id)
    if act.ends:
        if len(others) == len(register.pending):
            raise ActError(f"{player.name} is not to move")
        return replace(register, pending=others)
    at = place(register, act.table, act.seat)
    if at is None or player.at is None:
        raise ActError(f"{player.name} has no seat")
    if at in register.by_seat or any(each.to == at for each in others):
        raise ActError(f"table {at.table}, seat {at.seat} is not free")
    return replace(register, pending=(*others, Pending(player.id, at, now.level)))


def _put_off(register: Register, act: PutOff, _now: Moment) -> Register:
    left = sum(each.status != "out" for each in register.players)
    return replace(register, put_off=None if act.ends else left)


ARRIVAL_ACTS: Mapping[str, tuple[type[Act], Callable[[Register, Any, Moment], Register]]] = {
    "arrive": (Arrive, _arrive),
    "button": (SetButton, _button),
    "draw-button": (DrawButton, _draw_button),
    "leave-button": (LeaveButton, _leave_button),
    "sit-later": (SitLater, _sit_later),
    "put-off": (PutOff, _put_off),
}
"""Every act: its name → what it carries and what it does."""
