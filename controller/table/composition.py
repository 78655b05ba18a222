"""A table's process, put together from its settings."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

from msgspec.structs import replace

from controller.contract.observations import Observation, Table, Timing
from controller.contract.picture import CaptureNow, HouseNow, Picture, SensorsNow
from controller.contract.view import TableView
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.process.notify import Notifier
from controller.rules.chip_race import STEPS
from controller.storage.committer import Committer
from controller.storage.journal import Journal
from controller.table.alive import Alive, Numbers, Stamps
from controller.table.attached import make_panels
from controller.table.bench import BenchServer
from controller.table.capture import Capture, Subject, date
from controller.table.carrying_out import CarryingOut
from controller.table.chain_teller import ChainTeller
from controller.table.clock import TableClock
from controller.table.config import TableConfig
from controller.table.decks import Decks
from controller.table.floor import FloorLogin, Guesses, read_guesses, write_guesses
from controller.table.floor_here import FloorHere
from controller.table.from_room import FromRoom
from controller.table.health import TableHealth
from controller.table.lamps import Lamps, signals
from controller.table.loops import begin_to_watch, follow_cycle, show_the_room, tell_health
from controller.table.naming import Naming
from controller.table.order_window import OrderWindow
from controller.table.process import Loop, TableProcess
from controller.table.publisher import Publisher
from controller.table.recorder import JournalRecorder, Restored
from controller.table.resend import Resender
from controller.table.room_heard import RoomHeard
from controller.table.room_link import RoomLink, link_of
from controller.table.screens import Screens
from controller.table.sensors import Sensors, SensorState
from controller.table.service import TableService
from controller.table.set_up import SetUp
from controller.table.telling import Telling
from controller.table.wagers import Wagers
from controller.table.watching import Watching
from firmware_bridge.bridge import Bridge
from firmware_bridge.sensed import Edge, Press, Sensed

if TYPE_CHECKING:
    from controller.table.auditing import Auditing

TICK_S = 0.1

Log = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Game:
    """The engine as the journal had left it, and what keeps and tells what it goes on with."""

    engine: Engine
    decks: Decks
    record: Table
    clock: TableClock
    picture: Picture
    publisher: Publisher
    journal: Journal
    committer: Committer
    recorder: JournalRecorder
    link: RoomLink
    restored: Restored
    alive: Alive
    watched_until: float | None
    damage: tuple[str, int] | None
    has_forgotten: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Felt:
    """What is sensed, entered and shown at the table itself."""

    bridge: Bridge
    bench: BenchServer
    screens: Screens
    show: Callable[[TableView], None]
    service: TableService
    telling: Telling
    floor: FloorHere
    set_up: SetUp
    sensors: Sensors
    watching: Watching
    chain: ChainTeller
    name_cards: Callable[[], bool]
    wagers: Wagers
    window: OrderWindow


def make_table(
    config: TableConfig, library: Library, *, say: Log, notifier: Notifier, speed: float = 1.0
) -> TableProcess:
    """The process of one table, with its hand as the journal has it.

    `say` tells the log a line; the table's time runs `speed` times as fast. Raises ConfigError
    for a deck or a password that can't be read, DatabaseError where there can be no journal.
    """
    decks = Decks(config.read_decks())
    login = FloorLogin(config.read_floor())
    game = _game(config, library, decks, TableClock(speed), say)
    felt = _felt(config, game, login, say)
    book = library.book(config.table.rulebook)
    heard = RoomHeard(config.site, speed, book.tournament, book.steps_of(STEPS), config.table.id)
    from_room = _from_room(config, game, felt, heard)
    link, publisher, service = game.link, game.publisher, felt.service
    loops: Mapping[str, Loop] = {
        "journal": game.committer.run,
        "bridge": felt.bridge.run,
        "screens": partial(
            felt.screens.run,
            felt.watching.entered,
            felt.telling.t,
            felt.telling.change_deck,
            felt.floor,
            felt.watching.turn_sensors,
            name_cards=felt.name_cards,
            ask=felt.wagers.ask,
        ),
        "bench": felt.bench.run,
        "health": partial(
            tell_health, _health(game, felt, from_room), service, link, publisher, notifier
        ),
        "cycle": partial(
            follow_cycle,
            felt.window,
            bridge=felt.bridge,
            engine=game.engine,
            watching=felt.watching,
            telling=felt.telling,
            say=say,
        ),
        "stock": partial(begin_to_watch, felt.watching, link, publisher),
        "room": partial(
            show_the_room,
            config.table.id,
            heard=heard,
            link=link,
            service=service,
            floor=felt.floor,
            clock=game.clock,
            stamp=_stamp(game, felt.watching),
        ),
    }
    _say_restored(game, say)
    return TableProcess(
        loops,
        begin=_beginning(game, felt, from_room),
        link=link,
        committer=game.committer,
        notifier=notifier,
    )


def _game(
    config: TableConfig, library: Library, decks: Decks, clock: TableClock, say: Log
) -> _Game:
    engine, record = Engine(library.book), config.table_record(decks.deck)
    config.bench.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    config.journal.parent.mkdir(parents=True, exist_ok=True)
    damage: list[str] = []

    def report(words: str) -> None:
        damage.append(words)
        say(words)

    journal = Journal.open(config.journal, report=report, keep_sealed=config.keep_sealed)
    committer = Committer(journal)
    publisher = Publisher(
        config.site,
        config.table.id,
        session=f"{journal.counters.session}-{time.time_ns():x}",
        version=version("cutcard"),
        now_ms=lambda: time.time_ns() // 1_000_000,
        held=journal.counters.held,
        t=clock.now,
        names=config.broker is not None and config.broker.player_names,
        journal=journal.head.chain,
    )
    link = link_of(config, publisher, committer.outbox, say=say)
    link.publish(publisher.state("init"))
    recorder = JournalRecorder(
        committer,
        config.keys,
        engine,
        decks=decks,
        objects=config.objects,
        publisher=publisher,
        auditing=_auditing(config, engine, decks, say),
    )
    picture = Picture(config.table.id, config.table.rulebook, library.texts)
    book = library.book(config.table.rulebook)
    picture.with_now(HouseNow(config.table.misdeal == "dealer", unverified=not book.verified))
    alive = Alive(config.keys, clock)
    is_cut = alive.is_cut(journal.head.n, journal.counters.hands)
    if is_cut and not damage:
        report("the journal was damaged: its end is missing")
    restored = recorder.restore(is_cut=is_cut)
    picture.take(restored.events)
    watched_until = alive.goes_on_from(restored.t)
    engine.count_on(
        max(journal.counters.hands, alive.numbers.hands),
        max(journal.counters.findings, alive.numbers.findings),
    )
    return _Game(
        engine,
        decks,
        record,
        clock,
        picture,
        publisher,
        journal,
        committer,
        recorder,
        link,
        restored,
        alive,
        None if restored.is_new else watched_until,
        (damage[0], engine.next_hand + 1) if damage else None,
        has_forgotten=restored.is_new and (bool(damage) or engine.next_hand > 1),
    )


def _auditing(config: TableConfig, engine: Engine, decks: Decks, say: Log) -> Auditing | None:
    if config.auditor is None:
        say("no auditor's key ([audit] key): what is dealt is sealed for nobody")
        return None
    from controller.table.auditing import Auditing  # noqa: PLC0415 - libsodium, for those who seal

    return Auditing(config.auditor, engine, decks)


def _stamp(game: _Game, watching: Watching) -> Callable[[], None]:
    """Has it stamped that the table is watched, unless something is not told yet."""

    def numbers() -> Numbers:
        return Numbers(game.journal.head.n, game.engine.next_hand - 1, game.engine.findings)

    recorder = game.recorder
    stamps = Stamps(
        game.alive,
        after=recorder.after,
        numbers=numbers,
        lost_since=lambda: recorder.lost_since,
    )
    return lambda: None if watching.is_holding else stamps.due()


def _felt(config: TableConfig, game: _Game, login: FloorLogin, say: Log) -> _Felt:
    def sensed(value: Sensed) -> None:
        watching.sensed(value)

    def capturing(is_on: bool) -> None:
        service.now(CaptureNow(is_on))

    def pressed(press: Press, edge: Edge) -> None:
        watching.sensed(press, edge.name)
        watching.after(partial(bridge.keep, edge))

    def taken(observation: Observation, by_bridge: bool) -> None:
        bench.observed(observation, by_bridge=by_bridge)
        wagers.observed(observation)

    engine, clock = game.engine, game.clock
    chain = ChainTeller(game.journal, game.publisher, game.link.publish)
    bridge = _bridge(config, game, sensed, pressed, say)
    lamps = Lamps(bridge.light)
    naming = Naming(config.wirings(), config.seats, config.objects)
    bench = _bench(config, game, bridge, lamps, naming=naming, capturing=capturing)
    screens = Screens(
        config.socket, clock.now, clock.speed, dealer_misdeals=config.table.misdeal == "dealer"
    )
    show = _shown_on(screens, lamps, bench)
    service = TableService(
        engine,
        game.picture,
        game.publisher,
        publish=game.link.publish,
        show=show,
        taken=taken,
        told=chain.look,
        recorder=game.recorder,
        decks=game.decks,
        last_t=game.restored.t,
    )
    wagers = Wagers(engine, service.now)
    telling = Telling(service, clock)
    floor = _floor(config, login, clock, service, say)
    window = OrderWindow()

    def timing(of_settings: Timing) -> Timing:
        window.heard(bridge.card_cycle_s(), engine.hand)
        return replace(of_settings, order_window=window.after(of_settings.order_window))

    set_up = SetUp(
        game.record,
        engine,
        game.decks,
        bridge,
        telling,
        say,
        has_forgotten=game.has_forgotten,
        timing=timing,
    )
    sensors = Sensors(
        game.recorder.sensors,
        engine,
        bridge,
        telling,
        game.record,
        turned=_turned(game.recorder, service, say),
        begin=set_up.begin,
    )
    watching = Watching(
        telling,
        engine=engine,
        bridge=bridge,
        sensors=sensors,
        set_up=set_up,
        floor=floor,
        clock=clock,
        zones=(zone for wiring in config.wirings() for zone in wiring.zones),
        watched_until=game.watched_until,
        is_dated=game.alive.is_dated,
        healed=game.recorder.healed,
        say=say,
    )
    return _Felt(
        bridge,
        bench,
        screens,
        show,
        service,
        telling,
        floor,
        set_up,
        sensors,
        watching,
        chain,
        name_cards=partial(_no_hand, engine, floor, naming, bridge),
        wagers=wagers,
        window=window,
    )


def _no_hand(engine: Engine, floor: FloorHere, naming: Naming, bridge: Bridge) -> bool:
    """The dealer says that no hand is played, and so does the floor by being signed in."""
    if engine.hand is not None or not floor.is_here():
        return False
    naming.confirm(bridge.now())
    return True


def _bridge(
    config: TableConfig,
    game: _Game,
    sensed: Callable[[Sensed], None],
    pressed: Callable[[Press, Edge], None],
    say: Log,
) -> Bridge:
    clock = game.clock
    return Bridge(
        config.wirings(),
        sensed,
        clock=clock.now,
        sleep=clock.sleep,
        registered=_registered(config, game.decks),
        notice=say,
        neighbours=config.neighbours,
        thresholds=config.thresholds,
        tick_every=TICK_S,
        speed=clock.speed,
        panels=make_panels(config.panels, clock=clock.now, sleep=clock.sleep),
        asleep_since=game.watched_until,
        press=pressed,
        had=frozenset(game.journal.origins()),
    )


def _registered(config: TableConfig, decks: Decks) -> Callable[[str], bool]:
    if not decks.names:
        return lambda _tag: True
    known = {*decks.tags, *config.objects}
    return known.__contains__


def _bench(
    config: TableConfig,
    game: _Game,
    bridge: Bridge,
    lamps: Lamps,
    *,
    naming: Naming,
    capturing: Callable[[bool], None],
) -> BenchServer:
    def capture(write: Callable[[bytes], None], raw: bool) -> Capture:
        subject = Subject(
            game.record,
            config.ports,
            config.thresholds,
            config.neighbours,
            TICK_S,
            decks=game.decks.maps,
            deck=game.decks.deck,
            objects=config.objects,
            speed=game.clock.speed,
        )
        return Capture(subject, bridge, game.engine, write, raw=raw, when=date)

    return BenchServer(
        config.bench,
        config.wirings(),
        bridge,
        lamps,
        lambda: game.engine.hand,
        naming=naming,
        capture=capture,
        capturing=capturing,
    )


def _shown_on(screens: Screens, lamps: Lamps, bench: BenchServer) -> Callable[[TableView], None]:
    def show(view: TableView) -> None:
        screens.show(view)
        lamps.show(signals(view))
        bench.look()

    return show


def _floor(
    config: TableConfig, login: FloorLogin, clock: TableClock, service: TableService, say: Log
) -> FloorHere:
    file = config.journal.with_name("floor-guesses.json")

    def keep(guesses: Guesses) -> None:
        try:
            write_guesses(file, guesses)
        except OSError as error:  # they count until the next start
            say(f"wrong PINs can't be kept: {file}: {error.strerror}")

    login.go_on(read_guesses(file), clock.now())
    return FloorHere(login, config.badges, clock=clock.now, show=service.now, keep=keep)


def _turned(
    recorder: JournalRecorder, service: TableService, say: Log
) -> Callable[[SensorState], None]:
    def turned(state: SensorState) -> None:
        recorder.sensors = state
        said = {"off": "sensors off: dealing by hand", "waiting": "sensors on from the next hand"}
        say(said.get(state, "sensors on"))
        service.now(SensorsNow(state != "off"))

    return turned


def _from_room(config: TableConfig, game: _Game, felt: _Felt, heard: RoomHeard) -> FromRoom:
    return FromRoom(
        config.site,
        link=game.link,
        heard=heard,
        resender=Resender(config.site, config.table.id, game.journal.published, time.monotonic),
        carrying_out=CarryingOut(
            engine=game.engine,
            service=felt.service,
            publisher=game.publisher,
            commands=game.journal.origins(),
            telling=felt.telling,
            watching=felt.watching,
            set_up=felt.set_up,
        ),
        publisher=game.publisher,
        service=felt.service,
        after=felt.watching.after,
        clock=game.clock,
    )


def _health(game: _Game, felt: _Felt, from_room: FromRoom) -> TableHealth:
    return TableHealth(
        bridge=felt.bridge,
        engine=game.engine,
        recorder=game.recorder,
        committer=game.committer,
        screens=felt.screens,
        from_room=from_room,
        unwatched=game.engine.hand if game.restored.unwatched else None,
        missed=lambda: felt.watching.missed,
        damage=game.damage,
    )


def _beginning(game: _Game, felt: _Felt, from_room: FromRoom) -> Callable[[], None]:
    """Screens and room are told how the table is."""
    service, publish = felt.service, game.link.publish

    def begin() -> None:
        service.now(SensorsNow(felt.sensors.state != "off"))
        felt.floor.look()
        felt.show(service.view)
        game.link.start(from_room.received)
        publish(game.publisher.picture(service.view))
        for message in game.publisher.alerts(service.view):
            publish(message)
        felt.chain.tell()

    return begin


def _say_restored(game: _Game, say: Log) -> None:
    if game.restored.unwatched:
        say("the key of the open hand is lost: the hand continues unwatched")
    elif game.engine.hand is not None:
        say(f"hand {game.engine.hand} continues after an interruption")
    if game.restored.lost_deck:
        gone, now = game.restored.lost_deck, game.decks.in_play or "none"
        say(f"deck {gone} is no longer registered: {now} is in play")
