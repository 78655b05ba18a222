"""Compares where each table has its button with where it was due, and tells a table where it is to
be."""

from __future__ import annotations

import msgspec

from controller.contract.messages import SeatOrder
from controller.contract.view import TableView
from controller.room import pucks
from controller.room.acts import ActError
from controller.room.changes import Changes
from controller.room.commander import Commander, OrderError
from controller.room.pucks import PuckDiffers, PuckSeen
from controller.room.table_split import EventTables


class PuckWatch:
    """Gives its orders with the `commander` whose answers the desk sees."""

    def __init__(self, commander: Commander, watch: EventTables, changes: Changes) -> None:
        self._commander = commander
        self._watch = watch
        self._changes = changes
        self._seen: dict[str, PuckSeen] = {}

    def hand(self, table: str) -> None:
        """A table has shown its hand."""
        view = self._watch.view(table)
        before = self._seen.get(table)
        after = None if view is None else pucks.after(before, view)
        if after is not None:
            self._keep(table, after)

    def differs(self, table: str) -> PuckDiffers | None:
        """Where a table has its button elsewhere than where it was due in its last hand."""
        seen = self._seen.get(table)
        return None if seen is None else seen.differs

    def agree(self, table: str) -> None:
        """The table has it right."""
        if table in self._seen:
            self._keep(table, pucks.agreed(self._seen[table]))

    def set(self, table: str, seat: int, actor: str) -> None:
        """Have a table put its button to that seat for its next hand. Raises ActError where it
        can't be told."""
        seen = self._watch.tables.get(table)
        if seen is None or not seen.live or seen.hand is None:
            raise ActError(f"table {table} does not answer")
        one = _as_it_is(seen.hand.view)
        if one is None:
            raise ActError(f"nobody sits at table {table}")
        fields = {
            "seats": msgspec.to_builtins((one,)),
            "button": seat,
            "actor": actor,
            "session": seen.hand.session,
        }
        try:
            self._commander.give(table, "seats", fields, role="director")
        except OrderError as error:
            raise ActError(str(error)) from None
        self._seen.pop(table, None)  # what was due there is past
        self._changes.now()

    def _keep(self, table: str, after: PuckSeen) -> None:
        before = self._seen.get(table)
        self._seen[table] = after
        if (None if before is None else before.differs) != after.differs:
            self._changes.now()


def _as_it_is(view: TableView) -> SeatOrder | None:
    """A seat whose player stays as he is: an order names one at least."""
    seat = next((each.seat for each in view.seats if each.seat not in view.absent), None)
    return None if seat is None else SeatOrder(seat, "seated")
