"""The floor's side of a room: what comes in from tables by its budget, the desk, and the view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.messages import (
    TABLE_ALERT,
    TABLE_EVENT,
    TABLE_HAND,
    TABLE_HEALTH,
    TABLE_STATE,
    Topic,
)
from controller.mqtt import Incoming
from controller.room.alerts import RoomAlert
from controller.room.floor_desk import FloorDesk
from controller.room.intake import Intake
from controller.room.ntfy import Ntfy, Push
from controller.room.room_time import RoomClocks
from controller.room.shift import Limits, Pushes, Shift, Trouble
from controller.room.shown_shift import ShownShift
from controller.room.store import RoomStore
from controller.room.tables import Tables, TableSeen

OF_TABLES: tuple[Topic[Any], ...] = (
    TABLE_STATE,
    TABLE_HAND,
    TABLE_ALERT,
    TABLE_EVENT,
    TABLE_HEALTH,
)


class FloorSide:
    """`take` is given what a table said when there is room for it. `leads` tells whether this
    room is the one that speaks; another one sends nothing to telephones."""

    def __init__(
        self,
        site: str,
        clocks: RoomClocks,
        *,
        store: RoomStore | None,
        limits: Limits,
        sections: Mapping[str, tuple[str, ...]],
        ntfy: Ntfy | None,
        leads: Callable[[], bool],
        take: Callable[[Incoming], None],
        changed: Callable[[], None],
        stirred: Callable[[], None],
        report: Callable[[str], None],
    ) -> None:
        self._site = site
        self._clocks = clocks
        self._ntfy = ntfy
        self._leads = leads
        self._changed = changed
        self.desk = FloorDesk(
            clocks,
            store=store,
            limits=limits,
            sections=sections,
            changed=changed,
            stirred=stirred,
            push=self._push,
            report=report,
        )
        self._shown = ShownShift(self.desk)
        self._intake = Intake(clocks.now_ms, take, self.desk.missed)

    def received(self, incoming: Incoming) -> bool | None:
        """Whether a table's message was taken or waits; None where it is no table's."""
        for row in OF_TABLES:
            if names := row.names(self._site, incoming.topic):
                if row is TABLE_EVENT and not incoming.qos:
                    return True  # told again for the history, and in no haste: not ours
                latest_counts = row is not TABLE_EVENT
                return self._intake.received(names[0], incoming, latest_counts=latest_counts)
        return None

    def unusable(self, topic: str, what: str, unknown_fields: int) -> None:
        """What there was about a message of a table; `what` is empty where it could be used."""
        found = (row.names(self._site, topic) for row in OF_TABLES)
        names = next((each for each in found if each), None)
        if names is None:
            return
        self._intake.count(names[0], "unknown_fields", unknown_fields)
        if what:
            self._intake.count(names[0], what)
            self.desk.missed(names[0])
            self._changed()

    def tables(self, before: Tables, after: Tables, only: str | None = None) -> None:
        """The tables are so now; no other than `only` has changed, if it is given."""
        for name in after if only is None else (only,):
            seen = after.get(name)
            if seen is not None and seen is not before.get(name):
                self.desk.table(name, seen)

    def drain(self) -> None:
        """Take what waits, as far as there is room for it by now."""
        self._intake.drain()

    def act(
        self,
        name: str,
        fields: Mapping[str, object],
        come: Callable[[TableSeen, RoomAlert, str], None],
        tables: Tables,
    ) -> None:
        """Do what was asked; `come` tells a table that somebody comes. Raises ActError."""
        alert = self.desk.act(name, fields)
        if name != "take" or alert is None or alert.priority > 2 or alert.dismissed is not None:
            return
        seen = tables.get(alert.table)
        if alert.kind not in ("finding", "call") or seen is None or not seen.live:
            return
        view = seen.hand.view if seen.hand is not None else None
        if view is not None and (view.floor, view.floor_by) != ("coming", alert.owner):
            come(seen, alert, alert.owner)

    @property
    def trouble(self) -> tuple[Trouble, ...]:
        """The tables that say what cannot be used, or too much."""
        return self._intake.trouble

    @property
    def pushes(self) -> Pushes:
        """What became of the messages to telephones."""
        return self._ntfy.pushes if self._ntfy is not None else Pushes()

    def view(self, tables: Tables) -> Shift:
        """The floor as it stands."""
        return self._shown.view(tables, self._clocks.now_ms(), self.trouble, self.pushes)

    def _push(self, message: Push) -> None:
        if self._ntfy is not None and self._leads():
            self._ntfy.push(message)
