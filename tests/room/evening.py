"""A machine whose clocks are turned by hand, and a room on it that hears and says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from controller.broker.client import Incoming
from controller.contract.events import Blinds, Priority, RulingText, Step
from controller.contract.messages import (
    COMMANDS,
    ROOM_ANSWER,
    ROOM_CLOCK,
    ROOM_TIME,
    TABLE_ALERT,
    TABLE_HAND,
    TABLE_STATE,
    Alert,
    Answer,
    Command,
    Hand,
    Message,
    Presence,
    RoomClock,
    RoomTime,
    State,
)
from controller.contract.view import FindingView, SeatView, TableView
from controller.room.clock import at_start
from controller.room.composition import Around, RoomSettings, Storage, make_room
from controller.room.ntfy import Ntfy
from controller.room.publisher import RoomRun
from controller.room.record import Record
from controller.room.room_time import Reading, RoomClocks
from controller.room.shown_room import PageSettings
from controller.room.store import RoomStore
from controller.room.structure import Entry, Structure
from controller.room.view import ScreenSetup
from controller.rules.tournament_rules import TournamentRules

MINUTE = 60_000
ONE, TWO, THREE = Blinds(25, 50), Blinds(50, 100), Blinds(100, 200, 200)
EVENING = Structure(
    "evening",
    (
        Entry(20 * MINUTE, ONE),
        Entry(20 * MINUTE, TWO),
        Entry(10 * MINUTE, None),
        Entry(15 * MINUTE, THREE),
    ),
)
SITE = "hall"
BEGAN = 1_000_000
SCREEN = ScreenSetup()


class Machine:
    """The clocks of a machine, from room time `BEGAN` on."""

    def __init__(self) -> None:
        self.boot = "boot-1"
        self.boot_ms = 50_000
        self.monotonic_ms = 50_000
        self.wall_ms = BEGAN

    def read(self) -> Reading:
        return Reading(self.boot, self.boot_ms, self.monotonic_ms, self.wall_ms)

    def passes(self, ms: int) -> None:
        self.boot_ms += ms
        self.monotonic_ms += ms
        self.wall_ms += ms

    def sleeps(self, ms: int) -> None:
        self.boot_ms += ms
        self.wall_ms += ms

    def wall_jumps(self, ms: int) -> None:
        self.wall_ms += ms

    def power_cut(self, ms: int) -> None:
        self.boot += "+"
        self.boot_ms = self.monotonic_ms = 20_000
        self.wall_ms += ms


class Hall:
    """A room; everything that it publishes is in `sent`."""

    def __init__(
        self,
        machine: Machine | None = None,
        *,
        structure: Structure = EVENING,
        store: RoomStore | None = None,
        store_fault: str = "",
        session: str = "s1",
        screen: ScreenSetup = SCREEN,
        ntfy: Ntfy | None = None,
        listen_ms: int = 0,
        rules: Callable[[str], TournamentRules] = lambda _: TournamentRules(),
        **settings: Any,  # noqa: ANN401 - the room's own
    ) -> None:
        self.machine = machine or Machine()
        self.sent: list[Message] = []
        self.said: list[str] = []
        storage = Storage(store, store_fault)
        self.clocks = RoomClocks(self.machine.read, storage.beat)
        self.run = RoomRun(SITE, session, "0")
        self.room = make_room(
            self.run,
            Record(clock=at_start(structure), lineage="club"),
            RoomSettings(pages=PageSettings(screen=screen), listen_ms=listen_ms, **settings),
            clocks=self.clocks,
            publish=self.sent.append,
            storage=storage,
            around=Around(ntfy=ntfy, rules=rules),
            report=self.said.append,
        )

    def act(self, name: str, /, **fields: object) -> None:
        self.room.act(name, {"actor": "Ann", **fields})

    def passes(self, ms: int) -> None:
        """Time passes, and the room ticks each second of it."""
        while ms > 0:
            self.machine.passes(min(ms, 1_000))
            self.room.tick()
            ms -= 1_000

    def hears(self, message: Message, *, retain: bool | None = None) -> None:
        kept = message.retain if retain is None else retain
        self.room.received(Incoming(message.topic, message.payload, kept))

    def table(self, table: str, state: Presence = "ready") -> None:
        self.hears(TABLE_STATE.message(SITE, table, payload=State(state, "t", "0")))

    def hand(
        self,
        table: str,
        number: int = 1,
        *,
        phase: str | None = "flop",
        blinds: Blinds | None = ONE,
        is_open: bool = True,
        stacks: tuple[int, ...] = (),
        session: str = "t",
    ) -> None:
        view = TableView(
            table=table,
            rulebook="uk-tda",
            hand=number,
            phase=phase,  # type: ignore[arg-type]
            blinds=blinds,
            is_open=is_open,
            seats=tuple(SeatView(seat, stack=stack) for seat, stack in enumerate(stacks, 1)),
        )
        self.hears(TABLE_HAND.message(SITE, table, payload=Hand(session, 4, 5, view)))

    def alert(
        self, table: str, number: int, title: str = "Four-card flop", prio: Priority = 1
    ) -> None:
        ruling = RulingText("uk-tda", "reshuffle", ("X",), (Step("a", "b"),))
        finding = FindingView(number, "code", title, prio, "seen", (), (), ruling, 1.0)
        alert = Alert("t", 100 + number, finding)
        self.hears(TABLE_ALERT.message(SITE, table, str(number), payload=alert))

    def closes(self, table: str, number: int) -> None:
        self.hears(TABLE_ALERT.deletion(SITE, table, str(number)))

    def other_room(self, session: str, now_ms: int) -> None:
        self.hears(ROOM_TIME.message(SITE, payload=RoomTime(session, now_ms)))

    def other_clock(self, clock: RoomClock) -> None:
        self.hears(ROOM_CLOCK.message(SITE, payload=clock))

    def state(self) -> str:
        return self.room.view().state

    def left(self) -> float:
        """Seconds."""
        return self.room.view().left_ms / 1_000

    def open(self) -> list[tuple[str, str, bool]]:
        return [(each.table, each.finding, each.stale) for each in self.room.view().alerts]

    def clocks_said(self) -> list[RoomClock]:
        topic = ROOM_CLOCK.name(SITE)
        return [ROOM_CLOCK.decode(each.payload).value for each in self.sent if each.topic == topic]

    def commands(self, name: str) -> list[tuple[str, Command]]:
        """What tables were told: (table, command)."""
        row = COMMANDS[name]
        return [
            (names[0], msgspec.json.decode(each.payload, type=row.payload))
            for each in self.sent
            if (names := row.names(SITE, each.topic))
        ]

    def answers(
        self, command: Command, *, ok: bool = True, reason: str = "", to: str = "s1"
    ) -> None:
        answer: Struct = Answer(command.id, ok, reason)
        topic = ROOM_ANSWER.name(SITE, to)
        payload = msgspec.json.encode(answer)
        self.room.received(Incoming(topic, payload, False, None, command.id.encode()))
