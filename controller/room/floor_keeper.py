"""Keeps the floor's record: what tables say and people do becomes the life of alerts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from controller.contract.messages import Health, MuteCommand, TableEvent
from controller.room import alert_acts, duty, life
from controller.room.acts import ActError
from controller.room.alerts import FloorRecord, Happened, RoomAlert
from controller.room.changes import Changes
from controller.room.commander import Order, OrderError, Orders
from controller.room.escalation import escalate
from controller.room.figures import SHIFT_MS
from controller.room.floor_history import FloorHistory
from controller.room.ntfy import Push
from controller.room.raising import how_ended, stays
from controller.room.room_time import RoomClocks
from controller.room.shift import LastEvents, Limits
from controller.room.store import RoomStore
from controller.room.table_memory import TableMemory
from controller.room.tables import MAX_TABLES, TableSeen
from controller.storage.database import DatabaseError

MOST_MUTES = 500
KEPT_MS = 3 * SHIFT_MS
_FINAL = ("ruling", "dismiss", "misdeal")


class FloorKeeper:
    """Keeps the floor's record. What people do is in the store before the pages are woken; what
    tables say is within a second, since they say it again to whoever comes back.

    `push` sends a message to telephones. `fault` is why the store can't be written. `muted` has
    who asked for a mute and why, by table, code and zone.
    """

    def __init__(
        self,
        clocks: RoomClocks,
        *,
        store: RoomStore | None,
        limits: Limits,
        sections: Mapping[str, tuple[str, ...]],
        changes: Changes,
        push: Callable[[Push], None],
        report: Callable[[str], None],
    ) -> None:
        self._clocks = clocks
        self._store = store
        self._changes = changes
        self._report = report
        self._tables: dict[str, TableMemory] = {}
        self.limits = limits
        self.fault = ""
        self.record = self._saved = FloorRecord()
        self.history = FloorHistory(clocks, push)
        self.muted: dict[tuple[str, str, str], tuple[str, str]] = {}
        self._load()
        self.record = duty.configured(self.record, sections)

    def _load(self) -> None:
        if self._store is None:
            return
        try:
            self.record, lines = self._store.floor()
        except DatabaseError as error:
            self._report(f"earlier alerts are lost: {error}")
            return
        self._saved = self.record
        self.history.recalls(lines)

    # what tables say

    def table(self, name: str, seen: TableSeen | None) -> None:
        """A table is so now; None: it was taken out of the room."""
        if seen is None:
            self._tables.pop(name, None)
            for alert in self._of_table(name):
                self._then(life.ended(self.record, alert.key, "gone", self._clocks.now_ms()))
            self._unsettle(name, ())
            return
        if seen.hand is not None:
            self.record = life.riffled(self.record, name, seen.hand.view.hand)
        self._compare(seen)

    def health(self, name: str, health: Health | None) -> None:
        """A table has told how it is."""
        memory = self._memory(name)
        memory.health = health
        if memory.seen is not None:
            self._compare(memory.seen)

    def closed(self, table: str, finding: str) -> None:
        """A table has taken an alert away."""
        self._close(f"{table}/{finding}", table, finding, "gone")

    def event(self, table: str, event: TableEvent, size: int) -> bool:
        """Something happened at a table; False for what it has told before."""
        is_new = self._memory(table).event(event, size)
        if is_new and any(each.table == table for each in self.record.alerts.values()):
            self._changes.soon()
        return is_new

    def missed(self, table: str) -> None:
        """Something of a table was not taken in."""
        if table in self._tables:
            self._tables[table].missed()

    @property
    def heard(self) -> Mapping[str, LastEvents]:
        """What each table told of its last hands."""
        heard = {name: each.ring.heard for name, each in self._tables.items()}
        return {name: each for name, each in heard.items() if each.events}

    def _memory(self, name: str) -> TableMemory:
        memory = self._tables.get(name)
        if memory is None:
            memory = TableMemory()
            if len(self._tables) < MAX_TABLES:
                self._tables[name] = memory
        return memory

    def _of_table(self, name: str) -> list[RoomAlert]:
        return [each for each in self.record.alerts.values() if each.table == name]

    def _close(self, key: str, table: str, finding: str, how: str) -> None:
        now_ms = self._clocks.now_ms()
        how, outcome = self._memory(table).ended(finding, how)
        self.record = life.ruled_there(self.record, key, outcome, now_ms)
        self._then(life.ended(self.record, key, how, now_ms))

    def _compare(self, seen: TableSeen) -> None:
        now_ms = self._clocks.now_ms()
        seeds = self._memory(seen.id).alerts(seen, now_ms, self._clocks.wall_ms())
        said = {each.key for each in seeds}
        for alert in self._of_table(seen.id):
            if alert.key not in said and alert.closed_ms is None and not stays(alert, seen):
                self._close(alert.key, seen.id, alert.finding, how_ended(alert))
        for seed in seeds:
            self._then(life.said(self.record, seed, now_ms))
        tokens = tuple(life.token(each) for each in seeds)
        if seen.live or f"{seen.id}/lost" in tokens:
            self._unsettle(seen.id, tokens)

    def _unsettle(self, table: str, tokens: tuple[str, ...]) -> None:
        """What was seen to and is no more may come again."""
        left = tuple(
            each
            for each in self.record.settled
            if not each.startswith(f"{table}/") or each in tokens
        )
        if left != self.record.settled:
            self.record = replace(self.record, settled=left)

    # what people do

    def act(self, name: str, fields: Mapping[str, object]) -> RoomAlert | None:
        """Do what was asked; returns the alert it was about, if that is open. Raises ActError."""
        act = alert_acts.asked(name, fields)
        now_ms = self._clocks.now_ms()
        key = act.key if isinstance(act, alert_acts.OfAlert) else ""
        try:
            after, told = alert_acts.perform(self.record, name, act, now_ms, self.limits)
        except ActError as error:
            said = Happened(at_ms=now_ms, what="acted", act=name, actor=act.actor, key=key)
            self.history.note((replace(said, words=act.reason, refused=str(error)),))
            self._save()
            raise
        self.record = after
        self.history.note(told)
        self._save()
        self._changes.now()
        return self.record.alerts.get(key)

    def check(self, table: str, name: str, fields: dict[str, object], orders: Orders) -> None:
        """Whether a decision may be sent; takes `amend` out of its fields. Raises OrderError
        where another is on its way, or somebody else has ruled and it is not amended."""
        amend = fields.pop("amend", False) is True
        if name not in _FINAL:
            return
        finding = fields.get("finding")
        for other in orders.values():
            if other.table != table or other.status != "sent" or other.name not in _FINAL:
                continue
            if "misdeal" in (name, other.name) or other.command.finding == finding:
                raise OrderError(f"{other.command.actor}'s decision is on its way to the table")
        alert = self.record.alerts.get(f"{table}/{finding}")
        made = alert.made if alert is not None else None
        if made is not None and made.by != fields.get("actor") and not amend:
            who = made.by or "somebody at the table"
            raise OrderError(f"{who} has already ruled: {made.outcome}; you may amend it")

    def answered(self, order: Order) -> None:
        """A table has answered, or has not in time."""
        now_ms, command = self._clocks.now_ms(), order.command
        self._then(life.decided(self.record, order, now_ms))
        if order.status == "confirmed" and order.name == "coming" and command.finding is None:
            self._then(life.coming(self.record, order.table, command.actor, now_ms))
        if order.status == "confirmed" and isinstance(command, MuteCommand):
            key = (order.table, command.code, command.zone or "")
            self.muted.pop(key, None)
            self.muted[key] = (command.actor, command.reason or "")
            for oldest in list(self.muted)[:-MOST_MUTES]:
                del self.muted[oldest]
        self._save()
        self._changes.now()

    # time

    def tick(self) -> None:
        """Once a second: what is due comes up, comes back or escalates."""
        now_ms = self._clocks.now_ms()
        for memory in list(self._tables.values()):
            if memory.waits and memory.seen is not None:
                self._compare(memory.seen)
        self._then(life.passed(self.record, now_ms))
        self._then(escalate(self.record, now_ms, self.limits))
        self._save()

    def close(self) -> None:
        """The room ends."""
        self._save()
        self._store = None

    def _then(self, noted: life.Noted) -> None:
        after, lines = noted
        self.history.note(lines)
        if after is not self.record:
            self.record = after
            self._changes.now()

    def _save(self) -> None:
        """Keep what is not kept yet."""
        owed: deque[Happened] = self.history.owed
        if self._store is None:
            owed.clear()
            return
        before, now = self._saved.alerts, self.record.alerts
        alerts: dict[str, RoomAlert | None] = {
            key: alert for key, alert in now.items() if before.get(key) is not alert
        }
        alerts |= dict.fromkeys(key for key in before if key not in now)
        rest = replace(self.record, alerts={})
        is_new = rest != replace(self._saved, alerts={})
        if not (alerts or is_new or owed):
            return
        forget_ms = self._clocks.now_ms() - KEPT_MS
        try:
            self._store.save_floor(rest if is_new else None, alerts, tuple(owed), forget_ms)
        except DatabaseError as error:
            if not self.fault:
                self._report(f"the alerts can't be saved: {error}")
            self.fault = str(error)
            return
        self.fault = ""
        owed.clear()
        self._saved = self.record
