"""What the players of the tournament have, as the tables show it with which they play."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from controller.contract.view import TableView
from controller.room.known import stacks_at
from controller.room.register import Register
from controller.room.seat_draw import AtSeat
from controller.room.seating import dealt_in, is_over
from controller.room.tables import Tables


class _PlaysOn(Struct, frozen=True):
    """A hand that somebody plays to its end at a seat which is not his any more."""

    at: AtSeat
    hand: int


class Stacks:
    """Knows them by the players' ids. Who is moved in a hand has what he has when it is over."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._sits: dict[str, AtSeat] = {}
        self._plays_on: dict[str, _PlaysOn] = {}

    def of(self, player: str) -> int | None:
        """What a player has, as far as it was seen."""
        return self._known.get(player)

    def plays_on(self, player: str) -> bool:
        """Whether a player has still a hand at the table that he has left."""
        return player in self._plays_on

    def look(self, register: Register, there: Iterable[tuple[AtSeat, str]], tables: Tables) -> None:
        """The tables are so now; `there` are who sits where by what they have taken, and have begun
        a hand since."""
        shown = stacks_at(tables)
        for at, player in there:
            self._sits[player] = at
            if at in shown:
                self._known[player] = shown[at]
        self._leave(register, tables)
        for player, last in list(self._plays_on.items()):
            seen = tables.get(last.at.table)
            view = None if seen is None or seen.hand is None or not seen.live else seen.hand.view
            if view is None or not _runs(view, last):
                del self._plays_on[player]
                if view is not None and view.hand == last.hand and last.at in shown:
                    self._known[player] = shown[last.at]
        self._forget(register)

    def _leave(self, register: Register, tables: Tables) -> None:
        """Who has left his seat in a hand."""
        for player, at in list(self._sits.items()):
            now = register.by_id.get(player)
            if now is not None and now.at == at:
                continue
            del self._sits[player]
            seen = tables.get(at.table)
            if now is None or now.status == "out" or seen is None or seen.hand is None:
                continue
            self._plays_on[player] = _PlaysOn(at, seen.hand.view.hand)

    def _forget(self, register: Register) -> None:
        """Who is out, or not in the register any more."""
        in_ = {each.id for each in register.players if each.status != "out"}
        self._known = {one: chips for one, chips in self._known.items() if one in in_}
        self._plays_on = {one: last for one, last in self._plays_on.items() if one in in_}


def _runs(view: TableView, last: _PlaysOn) -> bool:
    return view.hand == last.hand and not is_over(view) and last.at.seat in dealt_in(view)
