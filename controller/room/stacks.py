"""What the players of the tournament have, as the tables show it at which they sit."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from msgspec import Struct

from controller.contract.view import TableView
from controller.room.seat_draw import AtSeat
from controller.room.seating import dealt_in, is_over, sitting
from controller.room.tables import Tables


class Sits(Struct, frozen=True):
    """A seat at which a table has somebody, by the name it was told."""

    at: AtSeat
    name: str


class _PlaysOn(Struct, frozen=True):
    """A hand that somebody plays to its end at a seat which is not his any more."""

    sits: Sits
    hand: int


class Stacks:
    """Knows them by the players' entries. Who is moved goes first and then comes: with what he has
    once his table does not have him any more, and his hand there is over."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._sits: Mapping[str, Sits] = {}
        self._plays_on: dict[str, _PlaysOn] = {}

    def of(self, entry: str) -> int | None:
        """What a player has, as far as it was seen."""
        return self._known.get(entry)

    def all(self) -> Mapping[str, int]:
        """What each player has of whom it was seen."""
        return dict(self._known)

    def told(self, entry: str, chips: int) -> None:
        """A table has just taken that a player has these."""
        self._known[entry] = chips

    def is_elsewhere(self, entry: str, at: AtSeat) -> bool:
        """Whether another seat has a player still, or his hand."""
        sits = self._sits.get(entry)
        return entry in self._plays_on or (sits is not None and sits.at != at)

    def look(self, entries: Container[str], there: Mapping[str, Sits], tables: Tables) -> None:
        """The tables are so now. Of the `entries` that are in `there` is where those tables have
        them that are heard."""
        shown = dict(_shown(tables))
        views = {
            id_: seen.hand.view
            for id_, seen in tables.items()
            if seen.live and seen.hand is not None
        }
        for entry, sits in self._sits.items():
            view = views.get(sits.at.table)
            if view is not None and there.get(entry) != sits:
                self._plays_on[entry] = _PlaysOn(sits, view.hand)
        self._sits = there
        for entry, sits in there.items():
            if sits in shown:
                self._known[entry] = shown[sits]
        for entry, last in list(self._plays_on.items()):
            view = views.get(last.sits.at.table)
            if view is None or view.hand != last.hand or not _runs(view, last.sits.at.seat):
                del self._plays_on[entry]
                if view is not None and last.sits in shown and entry not in there:
                    self._known[entry] = shown[last.sits]
        self._known = {one: chips for one, chips in self._known.items() if one in entries}


def _runs(view: TableView, seat: int) -> bool:
    return not is_over(view) and seat in dealt_in(view)


def _shown(tables: Tables) -> Iterator[tuple[Sits, int]]:
    """Whose chips the tables show, also of who has left his seat."""
    for id_, seen in tables.items():
        if seen.hand is not None:
            for one in (*seen.hand.view.left, *sitting(seen.hand.view)):
                if one.chips is not None:
                    yield Sits(AtSeat(id_, one.seat), one.player or ""), one.chips
