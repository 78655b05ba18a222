"""The table's process: bridge, presence, engine, journal, outbox, MQTT client and screens on
one asyncio loop."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version

import msgspec

from controller.books import Library
from controller.engine.engine import Engine
from controller.journal import Journal, JournalError
from controller.messages import TABLE_ALERT, TABLE_COMMAND, Health, Message
from controller.mqtt import Incoming, MqttClient
from controller.notify import Notifier
from controller.observations import Gone, Observation, SeatChange, Seen
from controller.table import health
from controller.table.anew import cards_at_seats, under_way, with_button
from controller.table.attached import make_panels
from controller.table.bench import BenchServer
from controller.table.capture import Capture, Subject, date
from controller.table.commands import Accepted, answer, judge, reply_with
from controller.table.config import TableConfig
from controller.table.decks import Decks
from controller.table.floor import FloorDesk
from controller.table.floor_here import FloorHere
from controller.table.lamps import Lamps, signals
from controller.table.publisher import Publisher
from controller.table.recorder import JournalRecorder, Restored
from controller.table.resend import NAME as RESEND
from controller.table.resend import Resender
from controller.table.room_heard import HEARD, RoomHeard
from controller.table.screens import Screens
from controller.table.sensors import Sensors, SensorState
from controller.table.service import TableService
from controller.view import CaptureNow, LinksNow, Picture, RoomNow, SensorsNow, TableView
from firmware_bridge.bridge import Bridge
from firmware_bridge.sensed import Sensed

TICK_S = 0.1
HEALTH_S = 2.0
ROOM_S = 0.5
INVENTORY_S = 3.0
"""How long after a start every antenna has told what lies on it."""
RECENT_COMMANDS = 1_000


class TableProcess:
    """Runs one table until cancelled."""

    def __init__(
        self,
        config: TableConfig,
        library: Library,
        *,
        say: Callable[[str], None],
        notifier: Notifier,
        speed: float = 1.0,
    ) -> None:
        """`say` tells the log a line; the table's time runs `speed` times as fast. Raises
        ConfigError for a deck or a password that can't be read, JournalError where there can
        be no journal."""
        self._config = config
        self._say = say
        self._notifier = notifier
        self._speed = speed
        self._site = config.broker.site if config.broker is not None else "local"
        self._table = config.table.id
        self._refused: Counter[str] = Counter()
        self._refused_payloads = 0
        self._unknown_fields = 0
        self._commands: deque[str] = deque(maxlen=RECENT_COMMANDS)
        self._decks = decks = Decks(config.read_decks())
        self._record = config.table_record(decks.deck)
        desk = FloorDesk(config.read_floor())
        self._engine = Engine(library.book)
        config.keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        config.journal.parent.mkdir(parents=True, exist_ok=True)
        self._journal = Journal.open(config.journal, report=say)
        self._publisher = Publisher(
            self._site,
            self._table,
            session=f"{self._journal.counters.session}-{time.time_ns():x}",
            version=version("cutcard"),
            now_ms=lambda: time.time_ns() // 1_000_000,
            held=self._journal.counters.held,
            t=self._clock,
            names=config.broker is not None and config.broker.player_names,
        )
        self._resender = Resender(self._site, self._table, self._journal.published, time.monotonic)
        self._client = self._make_client()
        self._publish(self._publisher.state("init"))
        self._recorder = JournalRecorder(
            self._journal,
            config.keys,
            self._engine,
            decks=decks,
            objects=config.objects,
            publisher=self._publisher,
        )
        picture = Picture(self._table, config.table.rulebook, library.texts)
        self._began = time.monotonic()
        restored = self._recorder.restore()
        picture.take(restored.events)
        self._screens = Screens(config.socket, self._clock, speed)
        self._began = time.monotonic() - restored.t / speed
        self._service = TableService(
            self._engine,
            picture,
            self._publisher,
            publish=self._publish,
            show=self._show,
            recorder=self._recorder,
            decks=decks,
            last_t=restored.t,
        )
        self._held: list[Callable[[], None]] | None = [] if self._engine.hand is None else None
        self._room = RoomHeard(self._site, speed)
        self._bridge = Bridge(
            config.wirings(),
            self._sensed,
            clock=self._clock,
            sleep=self._sleep,
            registered=self._registered(),
            notice=say,
            neighbours=config.neighbours,
            thresholds=config.thresholds,
            tick_every=TICK_S,
            speed=speed,
            panels=make_panels(config.panels, clock=self._clock, sleep=self._sleep),
        )
        self._floor = FloorHere(desk, config.badges, clock=self._clock, show=self._service.now)
        self._sensors = Sensors(
            self._recorder.sensors,
            self._engine,
            self._record.zones or (),
            config.objects,
            observe=self._tell,
            time=lambda: self._service.entry_time(self._clock()),
            present=self._bridge.present,
            lost=lambda: self._bridge.health().lost_zones,
            turned=self._turned,
            begin=self._tell_under_way,
        )
        self._lamps = Lamps(self._bridge.light)
        self._bench = BenchServer(
            config.bench,
            config.wirings(),
            self._bridge,
            self._lamps,
            lambda: self._engine.hand,
            capture=self._make_capture,
            capturing=lambda is_on: self._service.now(CaptureNow(is_on)),
        )
        self._unwatched = self._engine.hand if restored.unwatched else None
        self._tell_restored(restored)

    def _make_capture(self, write: Callable[[bytes], None], raw: bool) -> Capture:
        subject = Subject(
            self._record,
            self._config.ports,
            self._config.thresholds,
            self._config.neighbours,
            TICK_S,
            decks=self._decks.maps,
            deck=self._decks.deck,
            objects=self._config.objects,
        )
        return Capture(subject, self._bridge, self._engine, write, raw=raw, when=date)

    def _registered(self) -> Callable[[str], bool]:
        if not self._decks.names:
            return lambda _tag: True
        known = {*self._decks.tags, *self._config.objects}
        return known.__contains__

    def _make_client(self) -> MqttClient | None:
        endpoint = self._config.endpoint()
        if endpoint is None:
            return None
        client = MqttClient(
            endpoint,
            f"cutcard-table-{self._table}-{self._publisher.session}",
            will=self._publisher.state("lost"),
            outbox=self._journal.outbox,
            report=self._say,
            now_s=time.time,
        )
        client.subscribe(TABLE_COMMAND.name(self._site, self._table, "x")[:-1] + "+")
        client.subscribe(TABLE_ALERT.name(self._site, self._table, "x")[:-1] + "+")
        for topic in HEARD:
            client.subscribe(topic.name(self._site), topic.qos)
        return client

    def _tell_restored(self, restored: Restored) -> None:
        if restored.unwatched:
            self._say("the key of the open hand is lost: the hand continues unwatched")
        elif self._engine.hand is not None:
            self._say(f"hand {self._engine.hand} continues after an interruption")
        if restored.lost_deck:
            gone, now = restored.lost_deck, self._decks.in_play or "none"
            self._say(f"deck {gone} is no longer registered: {now} is in play")

    def _tell_decks(self) -> None:
        """After a `table` record: there are other decks, which rest."""
        for told in self._decks.told(self._service.entry_time(self._clock())):
            self._tell(told)

    def _change_deck(self, name: str) -> bool:
        return self._service.change_deck(name, self._service.entry_time(self._clock()))

    def _sensed(self, sensed: Sensed) -> None:
        """Told by the bridge. A badge signs nobody in that has been lying there since before the
        start."""
        if self._held is None:
            self._floor.saw(sensed)
        if self._sensors.passes(sensed):
            self._soon(partial(self._hear, sensed, by_bridge=True))

    def _entered(self, observation: Observation, command: str | None = None) -> None:
        """Told by anybody else."""
        self._soon(partial(self._hear, observation, command))

    def _soon(self, tell: Callable[[], None]) -> None:
        """What lies there when watching begins is looked at as a whole first."""
        if self._held is None:
            tell()
        else:
            self._held.append(tell)

    def _hear(
        self, observation: Observation, command: str | None = None, *, by_bridge: bool = False
    ) -> None:
        self._tell(observation, command, by_bridge=by_bridge)
        self._sensors.observed()

    def _tell(
        self, observation: Observation, command: str | None = None, *, by_bridge: bool = False
    ) -> None:
        self._service.observe(observation, command)
        self._bench.observed(observation, by_bridge=by_bridge)

    def _turn_sensors(self, on: bool) -> bool:
        if self._held is not None:
            return False
        self._sensors.turn(on)
        return True

    def _turned(self, state: SensorState) -> None:
        self._recorder.sensors = state
        said = {"off": "sensors off: dealing by hand", "waiting": "sensors on from the next hand"}
        self._say(said.get(state, "sensors on"))
        self._service.now(SensorsNow(state != "off"))

    def _clock(self) -> float:
        return (time.monotonic() - self._began) * self._speed

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._speed)

    def _show(self, view: TableView) -> None:
        self._screens.show(view)
        self._lamps.show(signals(view))
        self._bench.look()

    def _publish(self, message: Message) -> None:
        if self._client is not None:
            self._client.publish(message)

    # --- running ---

    async def run(self) -> None:
        """Runs until cancelled; says ready once the screens' socket is there."""
        self._service.now(SensorsNow(self._sensors.state != "off"))
        self._floor.look()
        self._show(self._service.view)
        if self._client is not None:
            self._client.start(self._received)
        self._publish(self._publisher.picture(self._service.view))
        for message in self._publisher.alerts(self._service.view):
            self._publish(message)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._bridge.run(), name="bridge")
                group.create_task(
                    self._screens.run(
                        self._entered,
                        lambda: self._service.entry_time(self._clock()),
                        self._change_deck,
                        self._floor,
                        self._turn_sensors,
                    ),
                    name="screens",
                )
                group.create_task(self._bench.run(), name="bench")
                group.create_task(self._tell_health(), name="health")
                group.create_task(self._come_back(), name="stock")
                group.create_task(self._hear_the_room(), name="room")
                self._notifier.ready()
        finally:
            self._notifier.stopping()
            if self._client is not None:
                await self._client.close()
            self._journal.close()

    async def _tell_health(self) -> None:
        said: Health | None = None
        while True:
            self._notifier.alive()
            now = self._health()
            self._service.now(LinksNow(now.links))
            if said is None or health.differ(now, said):
                said = now
                self._publish(self._publisher.health(now))
            await asyncio.sleep(HEALTH_S)

    def _health(self) -> Health:
        now = health.of_bridge(self._bridge.health())
        fault, outbox = self._recorder.fault, self._journal.outbox
        words = [f"nothing is recorded: {fault}"] if fault else []
        if self._unwatched is not None and self._engine.hand == self._unwatched:
            words.append(f"hand {self._unwatched} is not verified: the power was cut")
        return msgspec.structs.replace(
            now,
            links=(*now.links, *words),
            refused_commands=dict(self._refused),
            refused_payloads=self._refused_payloads,
            unknown_fields=self._unknown_fields,
            refused_entries=self._screens.refused,
            journal_faults=self._recorder.faults,
            backlog=len(outbox),
            unsaved=outbox.unsaved,
            dropped=outbox.dropped,
        )

    async def _hear_the_room(self) -> None:
        """What the screen shows of the room, and whether the room has heard of us."""
        while True:
            now = self._clock()
            self._service.now(
                RoomNow(
                    level=self._room.level(),
                    moves=self._room.moves(self._table, now),
                    room_lost=self._room.lost_since(now),
                    floor_heard=self._client is not None and not len(self._journal.outbox),
                )
            )
            self._floor.look()
            await asyncio.sleep(ROOM_S)

    async def _come_back(self) -> None:
        """Ready once every antenna has told what lies on it, or can't.

        What the engine thinks lies on the table and no antenna tells of has left in the
        meantime.
        """
        before = self._engine.lying()
        until = time.monotonic() + INVENTORY_S / self._speed
        while time.monotonic() < until and (before or not self._all_read()):
            await self._sleep(TICK_S)
        self._begin_to_watch()
        present = self._bridge.present()
        for seen in before if self._sensors.state == "on" else ():
            if seen.zone in present and seen.tag not in present[seen.zone]:
                t = self._service.entry_time(self._clock())
                self._entered(Gone(t, seen.zone, seen.tag))
        self._publish(self._publisher.state("ready"))

    def _begin_to_watch(self) -> None:
        held, self._held = self._held, None
        if held is None:
            return
        if self._sensors.state == "on":
            self._tell_under_way()
        for tell in held:
            tell()
        self._sensors.observed()

    def _tell_under_way(self) -> None:
        """Where cards lie at two seats that were not dealt before our eyes, a hand is under way."""
        objects, state = self._config.objects, self._engine.state()
        known = cards_at_seats(self._engine.lying(), objects)
        present = self._bridge.present().items()
        lying = [Seen(0.0, zone, tag) for zone, tags in present for tag in tags]
        fresh = cards_at_seats(lying, objects)
        is_under_way = len({seat for tag, seat in fresh.items() if tag not in known}) > 1
        if state is None:
            self._tell(msgspec.structs.replace(self._record, under_way=is_under_way))
            self._tell_decks()
        elif is_under_way:
            t = self._service.entry_time(self._clock())
            for told in under_way(state, deck=self._decks.deck, t=t):
                self._tell(told)
            self._tell_decks()
        if is_under_way:
            self._say("cards are already out: watching starts with the next hand")

    def _all_read(self) -> bool:
        zones = {zone for wiring in self._config.wirings() for zone in wiring.zones}
        return zones <= self._bridge.present().keys() and self._bridge.is_settled()

    # --- what the room wants ---

    def _received(self, incoming: Incoming) -> None:
        if self._room.received(incoming, self._clock()):
            return
        alert = TABLE_ALERT.names(self._site, incoming.topic)
        if alert is not None:
            self._check_alert(alert[1], incoming)
            return
        command = TABLE_COMMAND.names(self._site, incoming.topic)
        if command is None:
            self._refused_payloads += 1
            return
        if command[1] == RESEND:
            self._tell_again(incoming)
            return
        verdict = judge(
            command[1],
            incoming.payload,
            retained=incoming.retain,
            session=self._publisher.session,
            hand=self._service.view.hand,
            open_findings=self._publisher.open_findings(self._service.view),
            ruled_findings=self._engine.ruled,
            had=self._had,
            t=self._service.entry_time(self._clock()),
        )
        if isinstance(verdict, Accepted):
            self._carry_out(verdict)
        else:
            self._refused[verdict.reason] += 1
        said = answer(
            verdict,
            self._site,
            response_topic=incoming.response_topic,
            correlation=incoming.correlation,
        )
        if said is not None:
            self._publish(said)

    def _tell_again(self, incoming: Incoming) -> None:
        """Somebody missed events, and asks."""
        said, messages = self._resender.asked(incoming.payload, retained=incoming.retain)
        if not said.ok:
            self._refused[said.reason] += 1
        for message in messages:
            self._publish(message)
        reply = reply_with(
            said,
            self._site,
            response_topic=incoming.response_topic,
            correlation=incoming.correlation,
        )
        if reply is not None:
            self._publish(reply)

    def _had(self, command: str) -> bool:
        """Those of late are known even while nothing can be recorded."""
        try:
            return command in self._commands or self._journal.had_command(command)
        except JournalError:
            return False

    def _carry_out(self, accepted: Accepted) -> None:
        self._commands.append(accepted.id)
        self._unknown_fields += accepted.unknown_fields
        for observation in accepted.observations:
            self._entered(observation, accepted.id)
        if accepted.button is not None:
            self._move_button(accepted.button, accepted.observations)

    def _move_button(self, button: int, seats: Sequence[object]) -> None:
        """The room sets the button: the table is set up anew, with the seats as they are."""
        state = self._engine.state()
        if state is None or not all(isinstance(seat, SeatChange) for seat in seats):
            return
        for told in with_button(
            state,
            button,
            deck=self._decks.deck,
            lying=self._engine.lying(),
            t=self._service.entry_time(self._clock()),
        ):
            self._entered(told)
        self._tell_decks()

    def _check_alert(self, finding: str, incoming: Incoming) -> None:
        """An alert of an earlier session that is neither open nor held is deleted."""
        stale = finding not in map(str, self._publisher.open_findings(self._service.view))
        if incoming.retain and incoming.payload and stale:
            self._publish(self._publisher.no_alert(finding))
