"""How players enter, one by one or from a file: pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.contract.messages import Actor, Identifier
from controller.room.acts import Act, ActError
from controller.room.register import (
    MAX_PLAYERS,
    Moment,
    Player,
    PlayerId,
    Register,
    place,
    seated,
    taken,
    with_players,
)
from firmware_bridge.sensed import SeatNumber


class Entrant(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One who enters; without `id` he is given a number. `table` and `seat` come together. `line`
    is where in a file he stands."""

    name: Actor
    id: PlayerId | None = None
    table: Identifier | None = None
    seat: SeatNumber | None = None
    paid: bool = False
    line: int | None = None


class Enter(Act, frozen=True, kw_only=True):
    """`enter`: a player more."""

    name: Actor
    id: PlayerId | None = None
    table: Identifier | None = None
    seat: SeatNumber | None = None
    paid: bool = False


class Import(Act, frozen=True, kw_only=True):
    """`import`: all of these, or none."""

    players: Annotated[tuple[Entrant, ...], Meta(min_length=1, max_length=MAX_PLAYERS)]


def _enter(register: Register, act: Enter, now: Moment) -> Register:
    return _entered(
        register,
        [Entrant(name=act.name, id=act.id, table=act.table, seat=act.seat, paid=act.paid)],
        now,
    )


def _import(register: Register, act: Import, now: Moment) -> Register:
    return _entered(register, act.players, now)


def _entered(register: Register, entrants: Iterable[Entrant], now: Moment) -> Register:
    new = tuple(entrants)
    last = register.late_until
    if last is not None and now.playing and now.level > last:
        raise ActError(f"late registration ended with level {last}")
    if len(register.players) + len(new) > MAX_PLAYERS:
        raise ActError(f"a register has at most {MAX_PLAYERS} players")
    entering = _Entering(register, {each.id: each for each in new if each.id is not None})
    for one in new:
        try:
            entering.add(one, playing=now.playing)
        except ActError as error:
            raise ActError(f"line {one.line}: {error}" if one.line else str(error)) from None
    return replace(with_players(register, entering.made), numbers=entering.number)


class _Entering:
    """Those who enter at once, each beside those before him and all who have entered."""

    def __init__(self, register: Register, reserved: dict[str, Entrant]) -> None:
        self.made: list[Player] = []
        self.number = register.numbers
        self._register = register
        self._reserved = reserved.keys()
        self._ids = dict(register.by_id)
        self._taken = dict(register.by_seat)
        self._names: dict[str, list[Player]] = {}
        for each in register.players:
            self._names.setdefault(_spoken(each.name), []).append(each)

    def add(self, one: Entrant, *, playing: bool) -> None:
        """Who has no id of the club's is given one. Raises ActError where he can't enter."""
        self.number += 1
        same = self._names.setdefault(_spoken(one.name), [])
        if same and (one.id is None or any(each.id == _own_id(each.number) for each in same)):
            raise ActError(f"{one.name} has entered already; who has the same name needs an id")
        while one.id is None and _own_id(self.number) in self._ids.keys() | self._reserved:
            self.number += 1
        id_ = _own_id(self.number) if one.id is None else one.id
        if id_ in self._ids:
            raise ActError(f"the id {id_} is {self._ids[id_].name}'s")
        player = Player(id=id_, name=one.name, number=self.number, paid=one.paid)
        at = place(self._register, one.table, one.seat)
        if at is not None and at in self._taken:
            raise ActError(taken(at, self._taken[at]))
        if at is not None:
            player = self._taken[at] = seated(player, at, playing=playing)
        self._ids[id_] = player
        same.append(player)
        self.made.append(player)


def check_namesakes(register: Register, player: Player) -> None:
    """Raises ActError where somebody of the same name is in who could be the same player: of two
    each has an id of the club's."""
    same = [each for each in register.players if _spoken(each.name) == _spoken(player.name)]
    if same and any(each.id == _own_id(each.number) for each in (*same, player)):
        raise ActError(f"{player.name} has entered already")


def _spoken(name: str) -> str:
    """The same for names that only differ in how they were typed: capitals, blanks, or accents in
    a character of their own."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


def _own_id(number: int) -> str:
    """The id of who has none of the club's."""
    return f"p{number}"


ENTERING_ACTS: Mapping[str, tuple[type[Act], Callable[[Register, Any, Moment], Register]]] = {
    "enter": (Enter, _enter),
    "import": (Import, _import),
}
"""Every act: its name → what it carries and what it does."""
