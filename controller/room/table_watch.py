"""Watches the tables: what they have said, as far as it holds, and whether all of it is known."""

from __future__ import annotations

from controller.contract.messages import Alert, Hand, State
from controller.contract.view import BETWEEN_HANDS, TableView
from controller.room import tables
from controller.room.changes import Changes
from controller.room.floor_keeper import FloorKeeper
from controller.room.room_time import RoomClocks
from controller.room.silence import Silence
from controller.room.tables import Tables, TableSeen


class TableWatch:
    """Tells the `floor` of each table that is otherwise, and wakes the pages where they show it.

    `tables` are as they were last heard; `heard`: the broker is connected.
    """

    def __init__(self, clocks: RoomClocks, floor: FloorKeeper, changes: Changes) -> None:
        self._clocks = clocks
        self._floor = floor
        self._changes = changes
        self._up_ms: int | None = None
        self._first_up_ms: int | None = None
        self._silence = Silence()
        self.tables: Tables = {}
        self.heard = False

    @property
    def knows(self) -> bool:
        """Whether all that the broker has kept has come in since it was last reached."""
        return self._is_settled(self._up_ms)

    @property
    def has_known(self) -> bool:
        """Whether that has been so for the first time."""
        return self._is_settled(self._first_up_ms)

    def view(self, table: str) -> TableView | None:
        """A table's picture, as it was last heard."""
        seen = self.tables.get(table)
        return None if seen is None or seen.hand is None else seen.hand.view

    def link(self, up: bool) -> None:
        """The broker was reached, or is lost."""
        self.heard = up
        self._up_ms = self._clocks.now_ms() if up else None
        if up:
            self._silence.broker_back(self._clocks.now_ms())
        if up and self._first_up_ms is None:
            self._first_up_ms = self._up_ms
        if not up:
            self._set(tables.on_broker_lost(self.tables))
        self._changes.now()

    def state(self, table: str, state: State | None) -> None:
        """A table said whether it is there; None: it was taken out of the room."""
        if state is None or state.state == "lost":
            self._silence.gone(table)
        if state is None:
            self._set(tables.without(self.tables, table))
            self._floor.table(table, None)
        else:
            self._set(tables.on_state(self.tables, table, state, self._clocks.now_ms()), table)

    def came(self) -> None:
        """Something came in, from whomever."""
        self._silence.came(self._clocks.now_ms())

    def spoke(self, table: str, *, beat: bool) -> None:
        """A table said something just now, be it only that it is there, a `beat`."""
        now_ms, seen = self._clocks.now_ms(), self.tables.get(table)
        if seen is None:
            return
        if beat:
            self._silence.beat(table, now_ms)
        else:
            self._silence.spoke(table, now_ms)
        if seen.silent:
            self._hear_silence()

    def hand(self, table: str, hand: Hand | None, *, is_kept: bool) -> bool:
        """The public picture of a table's hand, or its deletion; the broker had kept it, or it was
        said just now. Whether the whole room has to hear of it at once."""
        before = self.tables.get(table)
        age_ms = self._clocks.wall_ms() - hand.at if hand is not None and is_kept else None
        self.tables = tables.on_hand(self.tables, table, hand, self._clocks.now_ms(), age_ms)
        after = self.tables.get(table)
        if after is not None:
            self._floor.table(table, after)
        if _pages_see_at_once(before) != _pages_see_at_once(after):
            self._changes.now()
        elif _pages_see(before) != _pages_see(after):
            self._changes.soon()
        return _room_hears(before) != _room_hears(after)

    def alert(self, table: str, finding: str, alert: Alert | None) -> bool:
        """A finding was opened or changed, or, with None, closed. Whether it is one that stops the
        table and was not there before."""
        before = self.tables.get(table)
        is_new = before is None or finding not in before.alerts
        self._set(tables.on_alert(self.tables, table, finding, alert), table)
        if alert is None:
            self._floor.closed(table, finding)
            return False
        return is_new and alert.finding.priority == 1 and alert.dismissed is None

    def settle(self) -> None:
        """Time passed: alerts that were not said again are forgotten, and who says nothing is
        silent."""
        self._set(tables.settle(self.tables, self._clocks.now_ms()))
        self._hear_silence()

    def _hear_silence(self) -> None:
        if self.heard:
            silent = self._silence.silent(self._clocks.now_ms())
            self._set(tables.on_silence(self.tables, silent))

    def _is_settled(self, since_ms: int | None) -> bool:
        return since_ms is not None and self._clocks.now_ms() - since_ms >= tables.SETTLE_MS

    def _set(self, after: Tables, only: str | None = None) -> None:
        """The tables are so now; no other than `only` has changed, if it is given."""
        if after is self.tables:
            return
        before, self.tables = self.tables, after
        for name in after if only is None else (only,):
            seen = after.get(name)
            if seen is not None and seen is not before.get(name):
                self._floor.table(name, seen)
        self._changes.now()


def _room_hears(seen: TableSeen | None) -> tuple[object, ...]:
    """What of a table is told to the whole room at once; the rest is at the next second."""
    if seen is None or seen.hand is None:
        return (None, False)
    return (seen.called, seen.hand.view.dead_button)


def _pages_see_at_once(seen: TableSeen | None) -> tuple[object, ...]:
    """What of a hand somebody waits for."""
    if seen is None or seen.hand is None:
        return ()
    view = seen.hand.view
    return (seen.hand.session, seen.called, view.floor, view.is_open, view.dead_button, view.silent)


def _pages_see(seen: TableSeen | None) -> tuple[object, ...]:
    """What else the pages show of a hand; the rest moves with every card and wakes nobody."""
    if seen is None or seen.hand is None:
        return ()
    view = seen.hand.view
    return (view.hand, view.blinds, view.phase in BETWEEN_HANDS)
