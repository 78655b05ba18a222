"""The floor's desk: what tables say and people do becomes the life of alerts, and is kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from itertools import islice

from msgspec.structs import replace

from controller.database import JournalError
from controller.events import Closed, Ruling
from controller.messages import Health, TableEvent
from controller.room import alert_acts, duty, life
from controller.room.acts import ActError
from controller.room.alerts import FloorRecord, Happened, RoomAlert
from controller.room.commander import Order, OrderError, Orders
from controller.room.escalation import escalate
from controller.room.figures import SHIFT_MS
from controller.room.intake import Budget
from controller.room.ntfy import Push
from controller.room.raising import Patience, alerts_of, how_ended, patience, stays
from controller.room.ring import Ring, cut, with_event
from controller.room.room_time import RoomClocks
from controller.room.shift import Limits
from controller.room.store import KEPT_LINES, RoomStore
from controller.room.tables import TableSeen

SHOWN = 30
MOST_OUTCOMES = 1_000
MOST_ENDED = 100
MOST_MUTES = 500
MOST_SINCE = 500
LINES_BURST = 100
LINES_PER_S = 0.2
PUSHES_BURST = 10
PUSHES_PER_S = 0.1
KEPT_MS = 3 * SHIFT_MS
_FINAL = ("ruling", "dismiss", "misdeal")
_BY_TABLES = ("raised", "changed", "dismissed", "closed", "escalated")


class FloorDesk:
    """Keeps the floor's record. What people do is in the store before `changed` is called; what
    tables say is within a second, since they say it again to whoever comes back.

    `push` sends a message to telephones. `fault` is why the store can't be written. `history`
    is the newest first.
    """

    def __init__(
        self,
        clocks: RoomClocks,
        *,
        store: RoomStore | None,
        limits: Limits,
        sections: Mapping[str, tuple[str, ...]],
        changed: Callable[[], None],
        push: Callable[[Push], None],
        report: Callable[[str], None],
    ) -> None:
        self._clocks = clocks
        self._store = store
        self._changed = changed
        self._push = push
        self._report = report
        self.limits = limits
        self.fault = ""
        self.record = self._saved = FloorRecord()
        self.history: deque[Happened] = deque(maxlen=KEPT_LINES)
        self._owed: list[Happened] = []
        self._tables: dict[str, TableSeen] = {}
        self._health: dict[str, Health] = {}
        self._patience: dict[str, Patience] = {}
        self._ended: dict[str, dict[str, str]] = {}
        self._outcomes: dict[tuple[str, str], str] = {}
        self._rings: dict[str, Ring] = {}
        self._lines: dict[str, Budget] = {}
        self._pushes: dict[str, Budget] = {}
        self.muted: dict[tuple[str, str, str], tuple[str, str]] = {}
        self._load()
        self.record = duty.configured(self.record, sections)

    def _load(self) -> None:
        if self._store is None:
            return
        try:
            self.record, lines = self._store.floor()
        except JournalError as error:
            self._report(f"nothing is known of the alerts before: {error}")
            return
        self._saved = self.record
        self.history.extend(reversed(lines))

    # what tables say

    def table(self, name: str, seen: TableSeen | None) -> None:
        """A table is so now; None: it was taken out of the room."""
        now_ms = self._clocks.now_ms()
        if seen is None:
            self._tables.pop(name, None)
            for known in (self._health, self._patience, self._ended, self._rings):
                known.pop(name, None)
            for alert in self._of_table(name):
                self._then(life.ended(self.record, alert.key, "gone", now_ms))
            return
        self._tables[name] = seen
        if seen.hand is not None:
            self.record = life.riffled(self.record, name, seen.hand.view.hand)
        self._compare(seen, now_ms)

    def health(self, name: str, health: Health | None) -> None:
        """A table has told how it is."""
        if health is None:
            self._health.pop(name, None)
        elif name in self._tables:
            self._health[name] = health
        if name in self._tables:
            self._compare(self._tables[name], self._clocks.now_ms())

    def closed(self, table: str, finding: str) -> None:
        """A table has taken an alert away."""
        self._close(f"{table}/{finding}", table, finding, "gone")

    def _close(self, key: str, table: str, finding: str, how: str) -> None:
        now_ms = self._clocks.now_ms()
        if finding:
            how = self._ended.get(table, {}).pop(finding, how)
        if how == "ruled":
            outcome = self._outcomes.get((table, finding), "")
            self.record = life.ruled_there(self.record, key, outcome, now_ms)
        self._then(life.ended(self.record, key, how, now_ms))

    def event(self, table: str, event: TableEvent, size: int) -> None:
        """Something happened at a table."""
        self._rings[table] = with_event(self._rings.get(table, Ring()), event, size)
        if isinstance(event.event, Ruling):
            self._outcomes[table, str(event.event.id)] = event.event.ruling.outcome
            for oldest in list(self._outcomes)[:-MOST_OUTCOMES]:
                del self._outcomes[oldest]
        if isinstance(event.event, Closed):
            ended = self._ended.setdefault(table, {})
            ended[str(event.event.id)] = event.event.how
            for number in list(ended)[:-MOST_ENDED]:
                del ended[number]

    def missed(self, table: str) -> None:
        """Something of a table was not taken in."""
        if table in self._rings:
            self._rings[table] = cut(self._rings[table])

    def has(self, table: str) -> bool:
        """Whether there is an alert at that table."""
        return any(each.table == table for each in self.record.alerts.values())

    def _of_table(self, name: str) -> list[RoomAlert]:
        return [each for each in self.record.alerts.values() if each.table == name]

    def _compare(self, seen: TableSeen, now_ms: int) -> None:
        health = self._health.get(seen.id)
        before = self._patience.get(seen.id, Patience())
        since = self._patience[seen.id] = patience(before, seen, health, now_ms)
        seeds = alerts_of(seen, health, since, now_ms, self._clocks.wall_ms())
        said = {each.key for each in seeds}
        for alert in self._of_table(seen.id):
            if alert.key not in said and alert.closed_ms is None and not stays(alert, seen):
                self._close(alert.key, seen.id, alert.finding, how_ended(alert))
        for seed in seeds:
            self._then(life.said(self.record, seed, now_ms))
        self._unsettle(seen, {life.token(each) for each in seeds})

    def _unsettle(self, seen: TableSeen, tokens: set[str]) -> None:
        """What was seen to and is no more may come again."""
        if self.record.settled and (seen.live or f"{seen.id}/lost" in tokens):
            mine = f"{seen.id}/"
            left = tuple(
                each for each in self.record.settled if not each.startswith(mine) or each in tokens
            )
            self.record = replace(self.record, settled=left)

    # what people do

    def act(self, name: str, fields: Mapping[str, object]) -> RoomAlert | None:
        """Do what was asked; returns the alert it was about, if that is open. Raises ActError."""
        act = alert_acts.asked(name, fields)
        now_ms = self._clocks.now_ms()
        try:
            after, told = alert_acts.perform(self.record, name, act, now_ms, self.limits)
        except ActError as error:
            key = getattr(act, "key", "")
            refused = Happened(
                at_ms=now_ms,
                what="acted",
                act=name,
                actor=act.actor,
                key=key,
                words=act.reason,
                refused=str(error),
            )
            self._note((refused,))
            self._save()
            raise
        self.record = after
        self._note(told)
        self._save()
        self._changed()
        return self.record.alerts.get(getattr(act, "key", ""))

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
            raise OrderError(f"{who} has ruled already: {made.outcome}; you may amend it")

    def answered(self, order: Order) -> None:
        """A table has answered, or has not in time."""
        now_ms, command = self._clocks.now_ms(), order.command
        self._then(life.decided(self.record, order, now_ms))
        if order.status == "confirmed" and order.name == "coming":
            self._then(life.coming(self.record, order.table, command.actor, now_ms))
        if order.status == "confirmed" and order.name == "mute":
            zone = getattr(command, "zone", None) or ""
            key = (order.table, getattr(command, "code", ""), zone)
            self.muted.pop(key, None)
            self.muted[key] = (command.actor, command.reason or "")
            for oldest in list(self.muted)[:-MOST_MUTES]:
                del self.muted[oldest]
        self._save()
        self._changed()

    # time

    def tick(self) -> None:
        """Once a second: what is due comes up, comes back or escalates."""
        now_ms = self._clocks.now_ms()
        for name, since in list(self._patience.items()):
            if since.lost_ms is not None or since.ailing_ms is not None:
                self._compare(self._tables[name], now_ms)
        self._then(life.passed(self.record, now_ms))
        self._then(escalate(self.record, now_ms, self.limits))
        self._save()

    def close(self) -> None:
        """The room ends."""
        self._save()
        self._store = None

    # what is asked of it

    def since(self, at_ms: int) -> tuple[bool, tuple[Happened, ...]]:
        """What happened from that time on, the oldest first, and whether there was more."""
        found = []
        for each in self.history:
            if each.at_ms < at_ms:
                break
            found.append(each)
            if len(found) > MOST_SINCE:
                return True, tuple(reversed(found[:MOST_SINCE]))
        return False, tuple(reversed(found))

    def news(self) -> tuple[Happened, ...]:
        """The last lines, the newest first."""
        return tuple(islice(self.history, SHOWN))

    @property
    def rings(self) -> Mapping[str, Ring]:
        """What each table told of its last hands."""
        return self._rings

    def _then(self, told: life.Told) -> None:
        after, lines = told
        if after is not self.record:
            self.record = after
            self._changed()
        for each in self._note(lines):
            self._tell(each)

    def _tell(self, each: Happened) -> None:
        alert = self.record.alerts.get(each.key)
        if each.what == "escalated" or (each.what == "raised" and each.priority == 1):
            now_ms = self._clocks.now_ms()
            if not self._pushes.setdefault(
                each.table, Budget(PUSHES_BURST, PUSHES_PER_S, now_ms)
            ).take(now_ms):
                return
            table = f"Table {each.table}" if each.table else "Test"
            title = each.title or each.code
            age = f", for {(each.age_ms or 0) // 1_000} s" if each.what == "escalated" else ""
            owner = f", {alert.owner} has it" if alert is not None and alert.owner else ""
            self._push(Push(f"{table}: {title}", f"{table}: {title}{age}{owner}", each.priority))

    def _note(self, lines: tuple[Happened, ...]) -> list[Happened]:
        """What of it has got into the history; a table has no more than its share."""
        noted = []
        now_ms, wall_ms = self._clocks.now_ms(), self._clocks.wall_ms()
        for each in lines:
            if each.what in _BY_TABLES:
                budget = self._lines.setdefault(
                    each.table, Budget(LINES_BURST, LINES_PER_S, now_ms)
                )
                if not budget.take(now_ms):
                    continue
            n = self.history[0].n + 1 if self.history else 1
            kept = replace(each, n=n, wall_ms=wall_ms)
            self.history.appendleft(kept)
            self._owed.append(kept)
            noted.append(kept)
        del self._owed[:-KEPT_LINES]
        return noted

    def _save(self) -> None:
        """Keep what is not kept yet."""
        if self._store is None:
            self._owed.clear()
            return
        before, now = self._saved.alerts, self.record.alerts
        alerts: dict[str, RoomAlert | None] = {
            key: alert for key, alert in now.items() if before.get(key) is not alert
        }
        alerts |= dict.fromkeys(key for key in before if key not in now)
        rest = replace(self.record, alerts={})
        is_new = rest != replace(self._saved, alerts={})
        if not (alerts or is_new or self._owed):
            return
        forget_ms = self._clocks.now_ms() - KEPT_MS
        try:
            self._store.save_floor(rest if is_new else None, alerts, self._owed, forget_ms)
        except JournalError as error:
            if not self.fault:
                self._report(f"the alerts can't be kept: {error}")
            self.fault = str(error)
            return
        self.fault = ""
        self._owed.clear()
        self._saved = self.record
