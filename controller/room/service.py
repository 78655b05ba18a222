"""The room service: keeps the room's time and clock, and listens to the tables.

It talks through `publish` and hears through `received` and `link`, so it knows neither
the broker nor the web; time comes from `clocks`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TypeVar

from msgspec import Struct

from controller.messages import (
    MAX_PAYLOAD,
    ROOM_ANSWER,
    ROOM_CLOCK,
    ROOM_STATE,
    ROOM_TIME,
    TABLE_ALERT,
    TABLE_EVENT,
    TABLE_HAND,
    TABLE_HEALTH,
    TABLE_STATE,
    Alert,
    Answer,
    Hand,
    Message,
    MessageError,
    Presence,
    RoomClock,
    RoomTournament,
    Topic,
    UnknownVersionError,
)
from controller.mqtt import Incoming, to_stderr
from controller.observations import nearest
from controller.room import tables, told, tournament
from controller.room.acts import ActError
from controller.room.alerts import Happened, RoomAlert
from controller.room.commander import Commander, Order, OrderError
from controller.room.desk import ClockDesk
from controller.room.floor_side import OF_TABLES, FloorSide
from controller.room.heard import Heard
from controller.room.lead import LISTEN_MS
from controller.room.ntfy import Ntfy
from controller.room.record import Record
from controller.room.room_time import Beat, RoomClocks
from controller.room.shift import Limits, Shift
from controller.room.store import RoomStore
from controller.room.structure import raced_off
from controller.room.tables import TableSeen
from controller.room.teller import Teller, still_playing
from controller.room.view import (
    Health,
    HistorySeen,
    Ignored,
    PhonesAddress,
    RoomView,
    Screen,
    TablesShown,
    room_view,
    shown_state,
    tables_shown,
)
from controller.room.voice import Voice, shifted
from controller.room.walls import for_walls, why_paused

_SECOND_MS = 1_000
_STANDS_MS = 5_000
P = TypeVar("P", bound=Struct)


class RoomService:
    """One room. `session` is new for each run; `version` is the program's.

    `begin` is what it begins with where `store` has nothing; without a store nothing outlives
    the process, and `store_fault` is why there is none. `clocks` keep the room's time. With
    `start` a clock that was never touched is started, and what a room before has published is
    of no interest. It leads once it has listened for `listen_ms` and heard no other.
    `tell_tables`: it tells the tables their level and their breaks. `pocket` finds out where
    phones find their page. `banner` is what every page has to say, for instance that the broker
    is unprotected. `new_id` makes the ids of commands, which nobody may guess. `limits` and
    `sections` are the floor's settings; `ntfy` sends to telephones what stops a table and what
    nobody takes. `faults` tells what else the pages have to say.
    """

    def __init__(
        self,
        site: str,
        begin: Record,
        *,
        session: str,
        version: str,
        publish: Callable[[Message], None],
        clocks: RoomClocks,
        store: RoomStore | None = None,
        store_fault: str = "",
        start: bool = False,
        listen_ms: int = LISTEN_MS,
        tell_tables: bool = True,
        new_id: Callable[[], str] = lambda: secrets.token_hex(16),
        report: Callable[[str], None] = to_stderr,
        faults: Callable[[], tuple[str, ...]] = tuple,
        screen: Screen | None = None,
        language: str = "en",
        pocket: Callable[[], PhonesAddress] = PhonesAddress,
        banner: str = "",
        limits: Limits | None = None,
        sections: Mapping[str, tuple[str, ...]] | None = None,
        ntfy: Ntfy | None = None,
        history: Callable[[], HistorySeen | None] = lambda: None,
    ) -> None:
        self._site = site
        self._session = session
        self._version = version
        self._clocks = clocks
        self._now_ms = clocks.now_ms
        self._store_fault = store_fault
        self._more_faults = faults
        self._tell_tables = tell_tables
        self._screen = screen or Screen()
        self._language = language
        self._pocket = pocket
        self._banner = banner
        self._history = history
        self._damaged = store.damaged if store is not None else ""
        self._last_beat: Beat | None = store.beat if store is not None else None
        self._tables: tables.Tables = {}
        self._heard = False
        self._moved = asyncio.Event()
        self._shown: tuple[tuple[asyncio.Event, int], TablesShown, Shift] | None = None
        self.turn = 0
        self._bumped_ms = 0
        self._ticked_ms = clocks.now_ms()
        self._up_ms: int | None = None
        self._first_up_ms: int | None = None
        self.closed = False
        self.ignored = Ignored()
        self._counted = Heard()
        self._voice = Voice(site, session, version, publish=publish, listen_ms=listen_ms)
        self._lead = self._voice.lead
        self._side = FloorSide(
            site,
            clocks,
            store=store,
            limits=limits or Limits(),
            sections=sections or {},
            ntfy=ntfy,
            leads=lambda: self._lead.leads,
            take=self._take,
            changed=self._bump,
            stirred=self._bump_soon,
            report=report,
        )
        self._floor = self._side.desk
        self._commander = Commander(
            site,
            session,
            publish=publish,
            now_ms=self._now_ms,
            new_id=new_id,
            changed=self._bump,
            settled=self._floor.answered,
        )
        self._desk = ClockDesk(
            begin, clocks, store=store, changed=self._clock_changed, report=report
        )
        self._teller = Teller(
            site,
            session,
            publish=publish,
            now_ms=self._now_ms,
            new_id=new_id,
            changed=self._bump,
            closes=self._desk.closes,
        )
        if self._damaged:
            report(f"the room's store was damaged; it is now {self._damaged}")
        if start and not self._desk.touched:
            self._desk.act("start", {"actor": "cutcard room --start"})
        heard = (*OF_TABLES, ROOM_TIME, ROOM_CLOCK, ROOM_STATE)
        self.filters = (*(each.filter(site) for each in heard), self._commander.answers)

    def state(self, state: Presence) -> Message:
        """The message that says how the room is; `lost` makes the last will."""
        return self._voice.state(state)

    # the clock

    def start(self) -> None:
        """Say that the room is there, and what its clock shows, if it leads already."""
        self._voice.anew()
        self._clock_changed()

    def act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with the clock or the tournament: see `record.asked` for names and fields.

        Raises ActError with the reason where it can't be done.
        """
        if self._lead.stands_by:
            raise ActError("another room is in charge of this site; ask there")
        self._desk.act(name, fields, players_seen=tournament.players_seen(self._tables.values()))

    def tick(self) -> None:
        """Once a second: say the time, begin the level that is due."""
        now_ms = self._now_ms()
        self._ticked_ms = now_ms
        turn = self._lead.tick(now_ms)
        if turn:
            self._take_the_lead(took_over=turn == "takes-over")
        self._desk.tick()
        self._side.drain()
        self._set_tables(tables.settle(self._tables, now_ms))
        self._commander.tick()
        self._floor.tick()
        if self._knows(self._up_ms) and not still_playing(self._tables):
            self._desk.hands_over()
        self._voice.time(now_ms)
        self._tell_tournament()
        if self._lead.leads and self._tell_tables and self._heard:
            self._tell_tables_now()

    async def run(self) -> None:
        """Tick on every full second of the room's time, at a level's end and a minute before it,
        until closed."""
        while not self.closed:
            self.tick()
            now_ms = self._now_ms()
            due_ms = (now_ms // _SECOND_MS + 1) * _SECOND_MS
            deadline_ms = self._desk.clock.deadline_ms
            if deadline_ms is not None and now_ms < deadline_ms < due_ms:
                due_ms = deadline_ms
            await asyncio.sleep((due_ms - now_ms) / _SECOND_MS)

    @property
    def ticks(self) -> bool:
        """Whether the room's clock moves on."""
        return self._now_ms() - self._ticked_ms < _STANDS_MS

    # what comes in

    def received(self, incoming: Incoming) -> None:
        """Take in what a table or another room has said. What cannot be used is counted in
        `ignored`, and of tables one by one; one that says too much at once has to wait."""
        taken = self._side.received(incoming)
        if taken is None:
            self._take(incoming)
        elif not taken:
            self.ignored.unknown_topic += 1

    def _take(self, incoming: Incoming) -> None:
        before = self.ignored.unknown_fields
        trouble = ""
        try:
            if not (self._from_table(incoming) or self._from_room(incoming)):
                self.ignored.unknown_topic += 1
        except UnknownVersionError:
            self.ignored.unknown_version += 1
            trouble = "unknown_version"
        except MessageError:
            self.ignored.malformed += 1
            trouble = "oversize" if len(incoming.payload) > MAX_PAYLOAD else "malformed"
        unknown = self.ignored.unknown_fields - before
        if trouble or unknown:
            self._side.unusable(incoming.topic, trouble, unknown)

    def _from_table(self, incoming: Incoming) -> bool:
        topic, payload = incoming.topic, incoming.payload
        if names := TABLE_HAND.names(self._site, topic):
            hand = self._read(TABLE_HAND, payload) if payload else None
            self._on_hand(names[0], hand, is_kept=incoming.retain)
            self._counted.message("hand")
        elif names := TABLE_STATE.names(self._site, topic):
            if payload:
                state = self._read(TABLE_STATE, payload)
                after = tables.on_state(self._tables, names[0], state, self._now_ms())
                self._set_tables(after, names[0])
            else:
                self._set_tables(tables.without(self._tables, names[0]))
                self._floor.table(names[0], None)
            self._counted.message("$state")
        elif names := TABLE_ALERT.names(self._site, topic):
            table, finding = names
            self._on_alert(table, finding, self._read(TABLE_ALERT, payload) if payload else None)
            self._counted.message("alerts")
        elif names := TABLE_EVENT.names(self._site, topic):
            event = self._read(TABLE_EVENT, payload)
            self._floor.event(names[0], event, len(payload))
            self._counted.event(names[0], event.session, event.seq)
        elif names := TABLE_HEALTH.names(self._site, topic):
            self._floor.health(names[0], self._read(TABLE_HEALTH, payload) if payload else None)
            self._counted.message("health")
        elif topic == self._commander.answers:
            answer: Answer = self._read(ROOM_ANSWER, payload)
            self._commander.answered(answer, incoming.correlation)
            self._teller.answered(answer, incoming.correlation)
        else:
            return False
        return True

    def _from_room(self, incoming: Incoming) -> bool:
        shown = self._voice.hears(incoming, self._now_ms(), self._read)
        if shown:
            self._bump()
        return shown is not None

    def link(self, up: bool) -> None:
        """The broker was reached, or is lost."""
        now_ms = self._now_ms()
        self._heard = up
        self._up_ms = now_ms if up else None
        if up and self._first_up_ms is None:
            self._first_up_ms = now_ms
        self._lead.link(up, now_ms)
        if not up:
            self._set_tables(tables.on_broker_lost(self._tables))
        self._bump()

    # what is asked of the tables

    def order(self, table: str, name: str, fields: Mapping[str, object], *, role: str) -> Order:
        """Send a command to a table; see `Commander.give`.

        Raises OrderError, also for a table that can't be heard: what it is told now would
        reach it late or never.
        """
        seen = self._tables.get(table)
        if seen is None:
            raise OrderError(f"there is no table '{table[:40]}'{nearest(table[:40], self._tables)}")
        if not self._heard or not seen.live:
            raise OrderError(f"table {table} cannot be reached now")
        given = dict(fields)
        self._floor.check(table, name, given, self._commander.orders)
        return self._commander.give(table, name, given, role=role)

    def floor_act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with an alert or with who is on duty: see `alert_acts` for names and
        fields. Taking one tells its table that somebody comes, if it can be told.

        Raises ActError with the reason where it can't be done.
        """
        if self._lead.stands_by:
            raise ActError("another room is in charge of this site; ask there")
        self._side.act(name, fields, self._come, self._tables)

    def _come(self, seen: TableSeen, alert: RoomAlert, actor: str) -> None:
        finding = {"finding": int(alert.finding)} if alert.finding.isdecimal() else {}
        hand = {"session": alert.session, "hand": alert.hand}
        with suppress(OrderError):
            self.order(seen.id, "coming", {"actor": actor, **hand, **finding}, role="floor")

    def since(self, at_ms: int) -> tuple[bool, tuple[Happened, ...]]:
        """What happened on the floor from that time on, the oldest first; whether there was
        more before it."""
        return self._floor.history.since(at_ms)

    # the pages

    def view(self) -> RoomView:
        """The room at this moment."""
        now_ms, clock = self._now_ms(), self._clock_payload()
        if self._lead.stands_by and self._voice.others is not None:
            now_ms, clock = now_ms + self._voice.others_ahead_ms, self._voice.others
        shown = self._tables_shown(now_ms)
        return room_view(
            self._desk.record,
            clock,
            now_ms,
            self._clocks.wall_ms(),
            shown,
            site=self._site,
            heard=self._heard,
            banner=self._banner,
            orders=tuple(self._commander.orders.values()),
            coming=self._commander.coming,
            ruled=self._commander.ruled,
            history=self._desk.history,
            tournament=self._tournament_payload(),
            faults=self._all_faults(),
            stands_by=self._lead.stands_by,
            screen=self._screen,
            language=self._language,
            pocket=self._pocket(),
            version=self._version,
            shift=self._shift_shown(now_ms),
        )

    def _tables_shown(self, now_ms: int) -> TablesShown:
        """Put together once for all screens that are woken by one change."""
        key = (self._moved, now_ms // _SECOND_MS)
        if self._shown is None or self._shown[0] != key:
            wanted = told.wanted_blinds(self._desk.clock)
            levels = self._teller.levels(self._tables, wanted)
            shift = self._side.view(self._tables)
            self._shown = (key, tables_shown(self._tables, levels, now_ms), shift)
        return self._shown[1]

    def _shift_shown(self, now_ms: int) -> Shift:
        self._tables_shown(now_ms)
        return self._shown[2] if self._shown is not None else Shift()

    def health(self) -> Health:
        """How the room is; tries whether its store can be written."""
        now_ms = self._now_ms()
        kept = self._desk.probe()
        states = [each.state if each.confirmed else "unheard" for each in self._tables.values()]
        return Health(
            ok=kept and self.ticks and not self._store_fault,
            broker="connected" if self._heard else "away",
            store=self._desk.fault or self._store_fault or ("ok" if self._desk.keeps else "none"),
            ticks=self.ticks,
            clock=shown_state(self._clock_payload(), now_ms),
            leads=not self._lead.stands_by,
            tables={word: states.count(word) for word in sorted(set(states))},
            heard=self._counted.counts,
            ignored=self.ignored,
            trouble=self._side.trouble,
            pushes=self._side.pushes,
            faults=self._all_faults(),
            history=self._history(),
        )

    async def changed(self) -> None:
        """Return at the next change, or when the room is closed."""
        if not self.closed:
            await self._moved.wait()

    def close(self) -> None:
        """Wake everyone who waits; `run` ends at its next tick."""
        if not self.closed:
            self.closed = True
            self._floor.close()
            self._desk.close()
            self._bump()

    def _read(self, topic: Topic[P], payload: bytes) -> P:
        decoded = topic.decode(payload)
        self.ignored.unknown_fields += decoded.unknown_fields
        return decoded.value

    def _on_hand(self, table: str, hand: Hand | None, *, is_kept: bool) -> None:
        before = self._tables.get(table)
        age_ms = self._clocks.wall_ms() - hand.at if hand is not None and is_kept else None
        self._tables = tables.on_hand(self._tables, table, hand, self._now_ms(), age_ms)
        if table in self._tables:
            self._floor.table(table, self._tables[table])
        after = self._tables.get(table)
        if _room_hears(before) != _room_hears(after):
            self._tell_tournament()
        if _pages_see_at_once(before) != _pages_see_at_once(after):
            self._bump()
        elif _pages_see(before) != _pages_see(after):
            self._bump_soon()

    def _on_alert(self, table: str, finding: str, alert: Alert | None) -> None:
        before = self._tables.get(table)
        is_new = before is None or finding not in before.alerts
        self._set_tables(tables.on_alert(self._tables, table, finding, alert), table)
        if alert is None:
            self._commander.closed(table, finding)
            self._floor.closed(table, finding)
        elif (
            is_new
            and alert.finding.priority == 1
            and alert.dismissed is None
            and self._knows(self._first_up_ms)
        ):
            self._desk.dispute(why_paused(table, alert.finding.title, self._screen.alerts)[:200])

    def _take_the_lead(self, *, took_over: bool) -> None:
        """Nobody else tells the clock: this room does so from now on."""
        said, beat = self._voice.others, self._last_beat
        if said is not None and took_over:
            self._desk.recover(shifted(said, -self._voice.others_ahead_ms), self._lead.heard_ms)
        elif said is not None and self._is_newer(said):
            self._desk.recover(said, None if beat is None else beat.room_ms)
        self.start()

    def _is_newer(self, said: RoomClock) -> bool:
        """Whether what the broker has kept of the clock is of after what the store has."""
        desk, ours = self._desk, self._desk.record
        if desk.acted or not desk.touched:
            return not desk.acted
        return said.lineage == ours.lineage and said.revision > ours.revision

    def _knows(self, since_ms: int | None) -> bool:
        """Whether all that the broker has kept has come in since then."""
        return since_ms is not None and self._now_ms() - since_ms >= tables.SETTLE_MS

    def _tell_tables_now(self) -> None:
        clock = self._desk.clock
        self._teller.tick(
            self._tables,
            told.wanted_blinds(clock),
            on_break=clock.begun and clock.on_break and not clock.over,
            closed=self._desk.record.closed,
        )

    def _clock_payload(self) -> RoomClock:
        record = self._desk.record
        return told.payload(
            record.clock,
            self._now_ms(),
            session=self._session,
            lineage=record.lineage,
            revision=record.revision,
        )

    def _clock_changed(self) -> None:
        self._voice.clock(self._clock_payload())
        self._tell_tournament()
        self._bump()

    def _tournament_payload(self) -> RoomTournament:
        record, clock = self._desk.record, self._desk.clock
        return tournament.payload(
            record.tournament,
            tournament.players_seen(self._tables.values()),
            clock.structure.stack,
            session=self._session,
            show=self._screen.name,
            calls=tables.time_calls(self._tables, self._now_ms()),
            dead_buttons=tables.dead_buttons(self._tables),
            race_off=raced_off(clock.structure, clock.index),
            alerts=for_walls(self._floor.record.alerts.values(), self._screen.alerts),
        )

    def _tell_tournament(self) -> None:
        self._voice.tournament(self._tournament_payload())

    def _all_faults(self) -> tuple[str, ...]:
        faults = []
        if self._damaged:
            faults.append(f"the room's store was damaged; it is now {self._damaged}")
        if fault := self._desk.fault or self._store_fault:
            faults.append(f"the clock can't be saved: {fault}")
        elif self._floor.fault:
            faults.append(f"the alerts can't be saved: {self._floor.fault}")
        if self._lead.leads and self._lead.other:
            faults.append("another room is running a clock for this site too: stop one of them")
        history = self._history()
        if history is not None and history.damaged:
            faults.append(f"the history was damaged; it is now {history.damaged}")
        if history is not None and history.fault:
            faults.append(f"the history can't be saved: {history.fault}")
        return (*faults, *self._more_faults())

    def _set_tables(self, after: tables.Tables, only: str | None = None) -> None:
        if after is not self._tables:
            before, self._tables = self._tables, after
            self._side.tables(before, after, only)
            self._bump()

    def _bump_soon(self) -> None:
        """Wake the pages for what can wait: in a big room something of the kind always happens,
        and every page is told all of it once a second."""
        self._shown = None
        if self._now_ms() - self._bumped_ms >= _SECOND_MS:
            self._bump()

    def _bump(self) -> None:
        self.turn += 1
        self._bumped_ms = self._now_ms()
        self._moved.set()
        self._moved = asyncio.Event()


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
    return (view.hand, view.blinds, view.phase in (None, "complete", "misdeal"))
