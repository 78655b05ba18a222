"""The room service: keeps the room's time and its events, and listens to the tables."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from msgspec.structs import replace

from controller.broker.client import Incoming
from controller.contract.observations import nearest
from controller.room.acts import ActError
from controller.room.alerts import Happened, RoomAlert
from controller.room.changes import Changes
from controller.room.checkup import Checkup
from controller.room.commander import Commander, Order, OrderError
from controller.room.event_file import Import, written
from controller.room.event_service import EventService
from controller.room.events import Events
from controller.room.floor_keeper import FloorKeeper
from controller.room.inbox import Inbox
from controller.room.lead import Lead
from controller.room.other_room import OtherRoom
from controller.room.publisher import RoomPublisher
from controller.room.room_time import RoomClocks
from controller.room.shown_room import Once
from controller.room.succession import Succession
from controller.room.table_watch import TableWatch
from controller.room.view import EventShown, Ignored, RoomHealth, RoomView, tables_shown

_SECOND_MS = 1_000
_STANDS_MS = 5_000


class RoomService:
    """One room with its events; `make_room` makes it. It hears through `received` and `link`, and
    knows neither the broker nor the web. `tell_tables`: it tells the tables their level and their
    breaks. What is asked of its clock is asked of the first event."""

    def __init__(
        self,
        clocks: RoomClocks,
        changes: Changes,
        *,
        events: Events,
        floor: FloorKeeper,
        watch: TableWatch,
        lead: Lead,
        other: OtherRoom,
        succession: Succession,
        publisher: RoomPublisher,
        commander: Commander,
        inbox: Inbox,
        checkup: Checkup,
        tell_tables: bool,
    ) -> None:
        self._clocks = clocks
        self._changes = changes
        self._events = events
        self._floor = floor
        self._watch = watch
        self._lead = lead
        self._other = other
        self._succession = succession
        self._publisher = publisher
        self._commander = commander
        self._inbox = inbox
        self._checkup = checkup
        self._tell_tables = tell_tables
        self._ticked_ms = clocks.now_ms()
        self._beside = Once(
            lambda _ms: tuple(_shown(each, each.view()) for each in events.beside), changes
        )

    # the clock

    def start(self) -> None:
        """Say that the room is there, and what its clocks show, if it leads already."""
        self._publisher.ready()
        for each in self._events.all:
            each.bulletin.anew()
        self._changes.now()

    def act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with the clock or the tournament of the first event: see
        `EventService.act`. Raises ActError."""
        self._events.first.act(name, fields)

    def tick(self) -> None:
        """Once a second: say the time, begin the level that is due."""
        now_ms = self._clocks.now_ms()
        self._ticked_ms = now_ms
        self._take_lead()
        for each in self._events.all:
            each.keep_time()
        self._inbox.drain()
        self._watch.settle()
        self._commander.tick()
        self._floor.tick()
        self._events.hand_over()
        self._tidy()
        for each in self._events.all:
            each.settle()
        self._publisher.time(self._clocks.now_ms())
        for each in self._events.all:
            each.bulletin.say_tournament()
        if self._lead.leads and self._tell_tables and self._watch.heard:
            for each in self._events.all:
                each.tell_tables()

    def _tidy(self) -> None:
        """The broker keeps nothing of events that this room has not: tables would follow them."""
        for each in self._other.events:
            if self._lead.leads and self._events.get(each) is None:
                self._publisher.no_event(each)

    def _take_lead(self) -> None:
        if self._succession.tick(self._clocks.now_ms()):
            self.start()

    async def run(self) -> None:
        """Tick on every full second of the room's time, at a level's end and a minute before it,
        until closed."""
        while not self.closed:
            self.tick()
            now_ms = self._clocks.now_ms()
            due_ms = (now_ms // _SECOND_MS + 1) * _SECOND_MS
            for each in self._events.all:
                deadline_ms = each.keeper.clock.deadline_ms
                if deadline_ms is not None and now_ms < deadline_ms < due_ms:
                    due_ms = deadline_ms
            await asyncio.sleep((due_ms - now_ms) / _SECOND_MS)

    @property
    def ticks(self) -> bool:
        """Whether the room's clock moves on."""
        return self._clocks.now_ms() - self._ticked_ms < _STANDS_MS

    # what comes in

    @property
    def filters(self) -> tuple[str, ...]:
        """What is to be subscribed to at the broker."""
        return self._inbox.filters

    @property
    def ignored(self) -> Ignored:
        """What came in and could not be used."""
        return self._inbox.ignored

    def received(self, incoming: Incoming) -> None:
        """Take in what a table or another room has said. What cannot be used is counted in
        `ignored`, and of tables one by one; one that says too much at once has to wait."""
        self._inbox.received(incoming)
        self._take_lead()

    def link(self, up: bool) -> None:
        """The broker was reached, or is lost."""
        self._lead.link(up, self._clocks.now_ms())
        self._watch.link(up)

    # what is asked of the tables

    def order(self, table: str, name: str, fields: Mapping[str, object], *, role: str) -> Order:
        """Send a command to a table; see `Commander.give`.

        Raises OrderError, also for a table that can't be heard: what it is told now would
        reach it late or never.
        """
        tables = self._watch.tables
        seen = tables.get(table)
        if seen is None:
            raise OrderError(f"there is no table '{table[:40]}'{nearest(table[:40], tables)}")
        if not self._watch.heard or not seen.live:
            raise OrderError(f"table {table} cannot be reached now")
        given = dict(fields)
        self._floor.check(table, name, given, self._commander.orders)
        return self._commander.give(table, name, given, role=role)

    def floor_act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with an alert or with who is on duty: see `alert_acts` for names and
        fields. Taking one tells its table that somebody comes, if it can be told.

        Raises ActError with the reason where it can't be done.
        """
        self._check_leads()
        alert = self._floor.act(name, fields)
        if name == "take" and alert is not None and self._is_to_hear(alert):
            self._come(alert)

    def _is_to_hear(self, alert: RoomAlert) -> bool:
        """Whether its table waits for somebody to come, and does not know who does."""
        seen = self._watch.tables.get(alert.table)
        if alert.priority > 2 or alert.dismissed is not None or seen is None or not seen.live:
            return False
        view = seen.hand.view if seen.hand is not None else None
        knows = view is None or (view.floor, view.floor_by) == ("coming", alert.owner)
        return alert.kind in ("finding", "call") and not knows

    def _come(self, alert: RoomAlert) -> None:
        finding = {"finding": int(alert.finding)} if alert.finding.isdecimal() else {}
        fields = {"actor": alert.owner, "session": alert.session, "hand": alert.hand, **finding}
        with suppress(OrderError):
            self.order(alert.table, "coming", fields, role="floor")

    def _check_leads(self) -> None:
        if self._lead.stands_by:
            raise ActError("another room is in charge of this site; ask there")
        if self.closed:
            raise ActError("the room is ending; do it again once it is back")

    # the events

    def events(self) -> tuple[EventService, ...]:
        """All of them, the first one first."""
        return self._events.all

    @property
    def first(self) -> EventService:
        """The one that is always there."""
        return self._events.first

    def event(self, event: str) -> EventService | None:
        """The event of an id; that of the first one is empty."""
        return self._events.get(event)

    def create(self, asked: Import) -> tuple[str, ...]:
        """One more event; returns the tables of a template that others have. Raises ActError."""
        self._check_leads()
        return self._events.create(asked)

    def close_event(self, event: str) -> str:
        """End an event; returns where its file is now. Raises ActError."""
        self._check_leads()
        return self._events.close(event)

    def exported(self, event: str) -> bytes:
        """An event as a file. Raises ActError."""
        found = self._events.get(event)
        if found is None:
            raise ActError(f"there is no event {event[:40]}")
        now_ms, wall_ms = self._clocks.now_ms(), self._clocks.wall_ms()
        return written(found.keeper.record, found.name, now_ms=now_ms, wall_ms=wall_ms)

    # the pages

    @property
    def turn(self) -> int:
        """Counts with every change that the pages are woken for."""
        return self._changes.turn

    @property
    def closed(self) -> bool:
        """Whether the room has ended."""
        return self._changes.closed

    def view(self) -> RoomView:
        """The room at this moment: the first event, and the tables of all."""
        first, every = self._events.first.view(), self._events.all
        one = _shown(self._events.first, first)
        if len(every) == 1:
            return replace(first, events=(one,))
        levels = tuple(level for each in every for level in each.teller.levels())
        shown = tables_shown(self._watch.tables, levels, first.now_ms)
        return replace(
            first,
            tables=shown.tables,
            alerts=shown.alerts,
            levels=levels,
            old_level=shown.old_level,
            playing=shown.playing,
            orders=tuple(self._commander.orders.values()),
            events=(one, *self._beside.at(first.now_ms)),
        )

    def health(self) -> RoomHealth:
        """How the room is; tries whether its store can be written."""
        return self._checkup.health(ticks=self.ticks)

    def since(self, at_ms: int) -> tuple[bool, tuple[Happened, ...]]:
        """What happened on the floor from that time on, the oldest first; whether there was
        more before it."""
        return self._floor.history.since(at_ms)

    async def changed(self) -> None:
        """Return at the next change, or when the room is closed."""
        await self._changes.next()

    def close(self) -> None:
        """Wake everyone who waits; `run` ends at its next tick."""
        if not self.closed:
            self._floor.close()
            for each in self._events.all:
                each.keeper.close()
            self._changes.close()


def _shown(event: EventService, view: RoomView) -> EventShown:
    return EventShown(
        id=event.id,
        name=event.name,
        state=view.state,
        level=view.clock.level,
        on_break=view.clock.on_break,
        left_ms=view.left_ms,
        tables=tuple(each.id for each in view.tables),
        players_left=view.tournament.players_left,
    )
