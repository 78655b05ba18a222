"""The room service: keeps the room's time and clock, and listens to the tables.

It talks through `publish` and hears through `received` and `link`, so it knows neither
the broker nor the web; time is given in as `now_ms`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from typing import TypeVar

from msgspec import Struct

from controller.messages import (
    ROOM_ANSWER,
    ROOM_CLOCK,
    ROOM_STATE,
    ROOM_TIME,
    TABLE_ALERT,
    TABLE_HAND,
    TABLE_STATE,
    Hand,
    Message,
    MessageError,
    Presence,
    RoomClock,
    RoomTime,
    State,
    Topic,
    UnknownVersionError,
)
from controller.mqtt import Incoming
from controller.observations import nearest
from controller.room import clock, tables
from controller.room.commander import Commander, Decision, Order, OrderError
from controller.room.structure import Structure
from controller.room.tables import OpenAlert, TableSeen

_SECOND_MS = 1_000
P = TypeVar("P", bound=Struct)


class RoomView(Struct, frozen=True):
    """The room as it stands, for the pages. `heard`: the broker is connected.

    `orders` are the commands of late, the oldest first; `coming` is by table who is on the
    way to it, `ruled` by table and finding who ruled on it, as far as this room knows.
    """

    site: str
    structure: str
    now_ms: int
    clock: RoomClock
    tables: tuple[TableSeen, ...]
    alerts: tuple[OpenAlert, ...]
    heard: bool
    banner: str
    orders: tuple[Order, ...] = ()
    coming: Mapping[str, Decision] = {}
    ruled: Mapping[tuple[str, str], Decision] = {}


class Ignored(Struct):
    """What came in and could not be used, counted."""

    malformed: int = 0
    unknown_version: int = 0
    unknown_fields: int = 0
    unknown_topic: int = 0


class RoomService:
    """One room. `session` is new for each run; `version` is the program's.

    `now_ms` is the room's time and never goes back. `banner` is what every page has to
    say, for instance that the broker is unprotected. `new_id` makes the ids of commands,
    which nobody may guess.
    """

    def __init__(
        self,
        site: str,
        structure: Structure,
        *,
        session: str,
        version: str,
        publish: Callable[[Message], None],
        now_ms: Callable[[], int],
        new_id: Callable[[], str] = lambda: secrets.token_hex(16),
        banner: str = "",
    ) -> None:
        self._site = site
        self._structure = structure
        self._session = session
        self._version = version
        self._publish = publish
        self._now_ms = now_ms
        self._banner = banner
        self._clock = clock.at_start(structure)
        self._said: RoomClock | None = None
        self._tables: tables.Tables = {}
        self._heard = False
        self._moved = asyncio.Event()
        self.closed = False
        self.ignored = Ignored()
        self._commander = Commander(
            site, session, publish=publish, now_ms=now_ms, new_id=new_id, changed=self._bump
        )
        told = (each.filter(site) for each in (TABLE_STATE, TABLE_HAND, TABLE_ALERT))
        self.filters = (*told, self._commander.answers)

    def state(self, state: Presence) -> Message:
        """The message that says how the room is; `lost` makes the last will."""
        said = State(state, self._session, self._version)
        return ROOM_STATE.message(self._site, payload=said)

    # the clock

    def start(self) -> None:
        """Say that the room is there, and what its clock shows."""
        self._publish(self.state("ready"))
        self._tell_clock()

    def resume_clock(self) -> None:
        """Start the clock, or let it go on."""
        self._set_clock(clock.resume(self._clock, self._now_ms()))

    def pause_clock(self) -> None:
        """Stop the clock where it is."""
        self._set_clock(clock.pause(self._clock, self._now_ms()))

    def move_clock(self, by: int) -> None:
        """Go `by` entries of the structure on, or back."""
        self._set_clock(clock.move(self._structure, self._clock, by, self._now_ms()))

    def tick(self) -> None:
        """Once a second: say the time, begin the level that is due."""
        now_ms = self._now_ms()
        self._publish(ROOM_TIME.message(self._site, payload=RoomTime(self._session, now_ms)))
        self._set_clock(clock.advance(self._structure, self._clock, now_ms))
        self._set_tables(tables.settle(self._tables, now_ms))
        self._commander.tick()

    async def run(self) -> None:
        """Tick on every full second of the room's time, and at a level's end, until closed."""
        while not self.closed:
            self.tick()
            now_ms = self._now_ms()
            due_ms = (now_ms // _SECOND_MS + 1) * _SECOND_MS
            deadline_ms = self._clock.deadline_ms
            if deadline_ms is not None and now_ms < deadline_ms < due_ms:
                due_ms = deadline_ms
            await asyncio.sleep((due_ms - now_ms) / _SECOND_MS)

    # the tables

    def received(self, incoming: Incoming) -> None:
        """Take in what a table has said. What cannot be used is counted in `ignored`."""
        topic, payload = incoming.topic, incoming.payload
        try:
            if names := TABLE_HAND.names(self._site, topic):
                hand = self._read(TABLE_HAND, payload) if payload else None
                self._on_hand(names[0], hand)
            elif names := TABLE_STATE.names(self._site, topic):
                if payload:
                    state = self._read(TABLE_STATE, payload)
                    now_ms = self._now_ms()
                    self._set_tables(tables.on_state(self._tables, names[0], state, now_ms))
                else:
                    self._set_tables(tables.without(self._tables, names[0]))
            elif names := TABLE_ALERT.names(self._site, topic):
                table, finding = names
                alert = self._read(TABLE_ALERT, payload) if payload else None
                self._set_tables(tables.on_alert(self._tables, table, finding, alert))
                if alert is None:
                    self._commander.closed(table, finding)
            elif topic == self._commander.answers:
                self._commander.answered(self._read(ROOM_ANSWER, payload), incoming.correlation)
            else:
                self.ignored.unknown_topic += 1
        except UnknownVersionError:
            self.ignored.unknown_version += 1
        except MessageError:
            self.ignored.malformed += 1

    def link(self, up: bool) -> None:
        """The broker was reached, or is lost."""
        self._heard = up
        if not up:
            self._tables = tables.on_broker_lost(self._tables)
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
        return self._commander.give(table, name, fields, role=role)

    # the pages

    def view(self) -> RoomView:
        """The room at this moment."""
        now_ms = self._now_ms()
        return RoomView(
            site=self._site,
            structure=self._structure.name,
            now_ms=now_ms,
            clock=clock.payload(self._structure, self._clock, now_ms),
            tables=tuple(self._tables[id_] for id_ in sorted(self._tables)),
            alerts=tables.open_alerts(self._tables),
            heard=self._heard,
            banner=self._banner,
            orders=tuple(self._commander.orders.values()),
            coming=self._commander.coming,
            ruled=self._commander.ruled,
        )

    async def changed(self) -> None:
        """Return at the next change, or when the room is closed."""
        if not self.closed:
            await self._moved.wait()

    def close(self) -> None:
        """Wake everyone who waits; `run` ends at its next tick."""
        self.closed = True
        self._bump()

    def _read(self, topic: Topic[P], payload: bytes) -> P:
        decoded = topic.decode(payload)
        self.ignored.unknown_fields += decoded.unknown_fields
        return decoded.value

    def _on_hand(self, table: str, hand: Hand | None) -> None:
        before = self._tables.get(table)
        self._tables = tables.on_hand(self._tables, table, hand)
        if _floor_sees(before) != _floor_sees(self._tables.get(table)):
            self._bump()

    def _set_clock(self, state: clock.ClockState) -> None:
        self._clock = state
        self._tell_clock()

    def _tell_clock(self) -> None:
        now = clock.payload(self._structure, self._clock, self._now_ms())
        if now != self._said:
            self._said = now
            self._publish(ROOM_CLOCK.message(self._site, payload=now))
            self._bump()

    def _set_tables(self, after: tables.Tables) -> None:
        if after is not self._tables:
            self._tables = after
            self._bump()

    def _bump(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()


def _floor_sees(seen: TableSeen | None) -> tuple[object, ...]:
    """What the pages show of a hand; the rest moves with every card and wakes nobody."""
    if seen is None or seen.hand is None:
        return ()
    view = seen.hand.view
    return (seen.hand.session, view.hand, view.floor)
