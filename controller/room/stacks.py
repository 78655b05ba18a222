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


class PlaysOn(Struct, frozen=True):
    """A hand that somebody plays to its end at a seat which is not his any more."""

    sits: Sits
    hand: int


class Stacks:
    """Knows them by the players' entries. Who is moved goes first and then comes: with what he has
    once his table does not have him any more, and his hand there is over."""

    def __init__(
        self,
        known: Mapping[str, int],
        sits: Mapping[str, Sits],
        plays_on: Mapping[str, PlaysOn],
    ) -> None:
        """So much was `known` before, and so they sat and played on."""
        self._known = dict(known)
        self._sits = sits
        self._plays_on = dict(plays_on)
        self._missed = {each.at.table for each in sits.values()}
        """Tables that have not shown since they are heard again what their hands left everybody."""

    @property
    def plays_on(self) -> Mapping[str, PlaysOn]:
        """Who plays on at a seat that is not his any more."""
        return self._plays_on

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

    def forget(self, table: str) -> None:
        """A table is not ours any more: nobody waits for what it would tell."""
        gone = [entry for entry, each in self._plays_on.items() if each.sits.at.table == table]
        gone += [entry for entry, sits in self._sits.items() if sits.at.table == table]
        for entry in gone:
            self._settles(entry)
        self._missed.discard(table)

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

    def look(self, entries: Container[str], there: Mapping[str, Sits], tables: Tables) -> None:
        """The tables are so now. Of the `entries` that are in `there` is where those tables have
        them that are heard."""
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
                self._plays_on[entry] = PlaysOn(sits, view.hand)
        self._missed |= {sits.at.table for sits in self._sits.values()} - views.keys()
        self._missed -= {id_ for id_, view in views.items() if view.stacks is not None}
        self._sits = {**unheard, **there}
        for entry, sits in there.items():
            if sits in shown:
                self._is_shown(entry, shown[sits])
        for entry, last in list(self._plays_on.items()):
            self._look_back(entry, last, views.get(last.sits.at.table), shown)
        self._known = {one: chips for one, chips in self._known.items() if one in entries}
        self._plays_on = {one: on for one, on in self._plays_on.items() if one in entries}

    def _look_back(
        self, entry: str, last: PlaysOn, view: TableView | None, shown: Mapping[Sits, int | None]
    ) -> None:
        """What is left of somebody at the seat that he has left. A table that is not heard may have
        taken all of it since, and in a later hand it does not tell: then it is waited for."""
        if view is None or (view.hand == last.hand and _runs(view, last.sits.at.seat)):
            return
        if last.sits in shown and entry not in self._sits:
            self._is_shown(entry, shown[last.sits])
        elif view.stacks is None and (view.hand != last.hand or view.table in self._missed):
            return
        del self._plays_on[entry]

    def _is_shown(self, entry: str, chips: int | None) -> None:
        """A table that does not know what he has knows more than who knew it before."""
        if chips is None:
            self._known.pop(entry, None)
        else:
            self._known[entry] = chips


def _runs(view: TableView, seat: int) -> bool:
    return not is_over(view) and seat in dealt_in(view)


def _shown(tables: Tables) -> Iterator[tuple[Sits, int | None]]:
    """Whose chips the tables show, as far as they know them, also of who has left his seat."""
    for id_, seen in tables.items():
        if seen.hand is not None:
            for one in (*seen.hand.view.left, *sitting(seen.hand.view)):
                yield Sits(AtSeat(id_, one.seat), one.player or ""), one.chips
