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

    def __init__(self, known: Mapping[str, int]) -> None:
        """So much was `known` before."""
        self._known = dict(known)
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

    def brings(self, entry: str, chips: int) -> None:
        """Somebody has said what a player brings to his new seat, whatever his old table has."""
        self._known[entry] = chips
        self._settles(entry)

    def plays_unknown(self, entry: str) -> None:
        """A player has had a hand at his new table before it was known what he brought: what he has
        since nobody knows but that table."""
        self._known.pop(entry, None)
        self._settles(entry)

    def _settles(self, entry: str) -> None:
        """No table has to tell any more what a player has."""
        self._plays_on.pop(entry, None)
        self._sits = {one: sits for one, sits in self._sits.items() if one != entry}

    def settled(self, entry: str) -> int | None:
        """What a player has who is between two seats, once nobody has to tell it any more."""
        return None if entry in self._plays_on or entry in self._sits else self.of(entry)

    def is_elsewhere(self, entry: str, at: AtSeat) -> bool:
        """Whether another seat has a player still, or his hand."""
        sits = self._sits.get(entry)
        return entry in self._plays_on or (sits is not None and sits.at != at)

    def look(
        self,
        entries: Container[str],
        there: Mapping[str, Sits],
        tables: Tables,
        movers: Mapping[str, Sits],
    ) -> None:
        """The tables are so now. Of the `entries` that are in `there` is where those tables have
        them that are heard; `movers` are those who have left a seat for another table, and where
        that was, as long as they are not shown at the new one."""
        shown = dict(_shown(tables))
        views = {
            id_: seen.hand.view
            for id_, seen in tables.items()
            if seen.live and seen.hand is not None
        }
        unheard = dict[str, Sits]()
        for entry, sits in self._sits.items():
            view = views.get(sits.at.table)
            if view is None and entry not in there and entry in entries:
                unheard[entry] = sits
            elif view is not None and there.get(entry) != sits:
                self._plays_on[entry] = _PlaysOn(sits, view.hand)
        for entry, sits in movers.items():  # a room that has just begun did not see him leave
            if entry not in there and entry not in {*self._plays_on, *unheard, *self._known}:
                self._plays_on[entry] = _PlaysOn(sits, _hand(views.get(sits.at.table)))
        self._sits = {**unheard, **there}
        for entry, sits in there.items():
            if sits in shown:
                self._known[entry] = shown[sits]
        for entry, last in list(self._plays_on.items()):
            self._look_back(entry, last, views.get(last.sits.at.table), shown)
        self._known = {one: chips for one, chips in self._known.items() if one in entries}
        self._plays_on = {one: on for one, on in self._plays_on.items() if one in entries}

    def _look_back(
        self, entry: str, last: _PlaysOn, view: TableView | None, shown: Mapping[Sits, int]
    ) -> None:
        """What is left of somebody at the seat that he has left. A table that is not heard may have
        taken all of it since, and in a later hand it does not tell: then it is waited for."""
        if view is None or (view.hand == last.hand and _runs(view, last.sits.at.seat)):
            return
        if last.sits in shown and entry not in self._sits:
            self._known[entry] = shown[last.sits]
        elif view.stacks is None and view.hand != last.hand:
            return
        del self._plays_on[entry]


def _hand(view: TableView | None) -> int:
    return 0 if view is None else view.hand


def _runs(view: TableView, seat: int) -> bool:
    return not is_over(view) and seat in dealt_in(view)


def _shown(tables: Tables) -> Iterator[tuple[Sits, int]]:
    """Whose chips the tables show, also of who has left his seat."""
    for id_, seen in tables.items():
        if seen.hand is not None:
            for one in (*seen.hand.view.left, *sitting(seen.hand.view)):
                if one.chips is not None:
                    yield Sits(AtSeat(id_, one.seat), one.player or ""), one.chips
