"""`cutcard room`: the room's service and its pages in one process."""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import os
import secrets
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from controller.archive.pool import ReadingPool
from controller.archive.running import Archiving, HistoryOptions
from controller.broker.client import (
    PASSWORD_VARIABLE,
    Endpoint,
    Incoming,
    MqttClient,
    to_stderr,
)
from controller.certificates.held import Watched
from controller.contract.messages import DEFAULT_SITE, ROOM_STATE
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.library.tournament import tournament_rules
from controller.people.door import Door
from controller.people.opening import open_door
from controller.people.staff_store import StaffError, staff_file
from controller.process.arguments import ArgumentParser
from controller.process.child import JOIN_CODE_VARIABLE, allow_files
from controller.process.notify import Notifier
from controller.process.pauses import keep_short
from controller.room.address import finder, machine_names
from controller.room.clock import at_start
from controller.room.composition import Around, RoomSettings, Storage, make_room
from controller.room.last_backup import last_backup
from controller.room.ntfy import Ntfy
from controller.room.of_two import OfTwo
from controller.room.offered import BUNDLES
from controller.room.pages import BLINDS, PAGES
from controller.room.publisher import RoomRun
from controller.room.record import Record
from controller.room.room_time import Reading, RoomClocks, readings
from controller.room.service import RoomService
from controller.room.settings import (
    SERVICE_STATE,
    Certificate,
    PeopleSection,
    RoomConfig,
    blinds_file,
    load_room_config,
    password,
)
from controller.room.shift import Limits
from controller.room.shown_room import PageSettings
from controller.room.store import RoomStore, StoreError, StoreHeldError
from controller.room.structure import Structure, StructureError, load_structure
from controller.room.view import HistorySeen, ScreenSetup
from controller.stand_by.leading import Leading
from display.web.pairing import PairingOptions, open_pairing, pairing_options
from display.web.serving.access.hosts import Hosts
from display.web.serving.app import create_app
from display.web.serving.listener import Listener, has_address
from display.web.serving.routes.trust import Tls
from display.web.serving.server import Server
from display.web.serving.told_first import ToldFirst
from display.web.words import marks

OPEN_FILES = 4096
"""So many connections and files at the same time: each page has one or two of them."""
_EVERYWHERE = ("0.0.0.0", "[::]")  # noqa: S104
_USER_MISTAKE = 2
_TELLS_S = 1.0
_LOOKS_S = 1.0
"""After so long a service looks again whether its address is there."""
_TOLD_S = 1.0
"""For so long an answer waits until the broker has what the other room is told of it."""


class RoomError(Exception):
    """The room could not be started; the text is one line for the user."""


class RoomOptions(Struct, frozen=True):
    """What a room needs to run. `web_port` 0 takes a free one; `address` is where phones find
    the pages, if not at this machine's own address. With `start` a clock that nobody has touched
    yet is started. Without `store` nothing outlives the process. `history` is what the room
    writes, `read_history` what its pages read, whoever writes it. With `stand_by` it leads only
    while no other room of the site does, and has what that one has once that one is gone."""

    endpoint: Endpoint
    structure: Structure
    site: str = "main"
    web_host: str = "127.0.0.1"
    web_port: int = 0
    address: str | None = None
    banner: str = ""
    start: bool = False
    store: Path | None = None
    hold_for_hands: bool = False
    pause_on_dispute: bool = False
    tell_tables: bool = True
    screen: ScreenSetup = ScreenSetup()
    language: str = "en"
    limits: Limits = Limits()
    sections: Mapping[str, tuple[str, ...]] = {}
    keep_players_ms: int | None = None
    ntfy: str = ""
    ntfy_token: str = ""
    names: tuple[str, ...] = ()
    certificate: Certificate | None = None
    https_port: int = 0
    people: PeopleSection = PeopleSection()
    demo_code: str = ""
    control: str = ""
    history: HistoryOptions | None = None
    history_endpoint: Endpoint | None = None
    read_history: str | None = None
    pairing: PairingOptions | None = None
    bundles: Path = BUNDLES
    stand_by: bool = False


class Served(Struct, frozen=True):
    """A room that runs: `url` is of its pages, `safe_url` by HTTPS, `setup` of the page that makes
    the first admin; each empty where there is none. `pairing` is the port where tables come, 0
    where none can."""

    url: str
    safe_url: str
    setup: str
    room: RoomService
    door: Door
    pairing: int = 0


async def serve(
    options: RoomOptions,
    stop: asyncio.Event,
    ready: Callable[[Served], None] = lambda _served: None,
    notifier: Notifier | None = None,
    read: Callable[[], Reading] | None = None,
) -> None:
    """Run a room until `stop` is set; ends within two seconds, open pages or not.

    `ready` is told once the pages answer. `notifier` is told for as long as the room's clock moves
    on. `read` reads the machine's clocks. Installs no signal handlers. Raises RoomError when a
    web port is taken or another room has the store.
    """
    notifier = notifier or Notifier({})
    session = secrets.token_hex(8)
    of_two = _of_two(options, session)
    if of_two is not None and not await _turn(of_two, options, stop, notifier):
        return
    if not await _addressed(options.web_host, stop, notifier):
        return
    listeners = [_listen(options.web_host, options.web_port)]
    try:
        if options.certificate is not None:
            listeners.append(_listen(options.web_host, options.https_port))
        storage = _store(options.store)
        door = _door(options)
    except RoomError:
        for each in listeners:
            each.close()
        raise
    ports = [each.getsockname()[1] for each in listeners]
    run = RoomRun(options.site, session, _version())
    client = MqttClient(options.endpoint, "cutcard-room", will=run.state("lost"))
    ntfy = Ntfy(options.ntfy, options.ntfy_token) if options.ntfy else None
    archiving = (
        None
        if options.history is None
        else Archiving(options.history_endpoint or options.endpoint, options.site, options.history)
    )
    room = make_room(
        run,
        Record(
            clock=at_start(
                options.structure,
                hold_for_hands=options.hold_for_hands,
                pause_on_dispute=options.pause_on_dispute,
            ),
            lineage=secrets.token_hex(8),
        ),
        RoomSettings(
            pages=PageSettings(
                screen=options.screen,
                language=options.language,
                banner=options.banner,
                marks=marks(options.language),
            ),
            start=options.start,
            tell_tables=options.tell_tables,
            limits=options.limits,
            sections=options.sections,
            keep_players_ms=options.keep_players_ms,
        ),
        clocks=RoomClocks(read or readings(), storage.beat),
        publish=client.publish,
        storage=storage,
        around=Around(
            pocket=finder(options.address, options.web_host, ports[0]),
            history=lambda: _history(archiving),
            faults=_fault_teller(options, door, of_two),
            ntfy=ntfy,
            rules=tournament_rules(config_dir()),
            barred=door.fault,
        ),
    )
    tls = None
    if options.certificate is not None:
        tls = Tls(ports[1], options.certificate.authority, is_strict=ports == [80, 443])
    pairing = open_pairing(options.pairing, options.site, options.web_host, door)
    reading = None if options.read_history is None else ReadingPool(options.read_history)
    app = create_app(
        room,
        door,
        Hosts(_names(options)),
        tls,
        reading,
        control=options.control,
        events=room,
        backup=lambda: last_backup(options.store),
        registrar=None if pairing is None else pairing.registrar,
        bundles=options.bundles,
    )
    leading = None if of_two is None else of_two.lead(client.publish, stop.set)

    async def tell() -> None:
        if leading is not None and leading.look():
            await client.settled(_TOLD_S)

    told = app if leading is None else ToldFirst(app, tell)
    servers = [Server(told, listeners[0])]
    if options.certificate is not None:
        servers.append(Server(told, listeners[1], options.certificate))

    def received(incoming: Incoming) -> None:
        if leading is None or not leading.received(incoming):
            room.received(incoming)

    for topic_filter in (*room.filters, *(() if leading is None else leading.filters)):
        client.subscribe(topic_filter)
    room.start()
    client.start(received, room.link)
    if archiving is not None:
        archiving.start()
    if pairing is not None:
        pairing.start()
    ticking = asyncio.create_task(room.run(), name="room")
    serving = [asyncio.create_task(each.answer(), name="web") for each in servers]
    telling = []
    if ntfy is not None:
        telling.append(asyncio.create_task(ntfy.run(), name="ntfy"))
    if leading is not None:
        telling.append(asyncio.create_task(_tell(leading), name="other room"))
    guarding = asyncio.create_task(_guard(room, notifier), name="watchdog")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    try:
        for server, task in zip(servers, serving, strict=True):
            await asyncio.wait((server.up, task), return_when=asyncio.FIRST_COMPLETED)
        ready(_served(options, ports, room, door, 0 if pairing is None else pairing.port))
        notifier.ready()
        endless = (ticking, *telling, *serving, stopping)
        await asyncio.wait(endless, return_when=asyncio.FIRST_COMPLETED)
    finally:
        notifier.stopping()
        guarding.cancel()
        for task in telling:
            task.cancel()
        room.close()
        for server in servers:
            server.should_exit = True
        if reading is not None:
            reading.close()
        stopping.cancel()
        ending = [each.close() for each in (archiving, pairing) if each is not None]
        await asyncio.gather(*serving, client.close(timeout_s=0.5), *ending)
        for each in listeners:
            each.close()
        ticking.cancel()
        for task in (ticking, *telling):
            with suppress(asyncio.CancelledError):
                await task
        door.store.close()


def _served(
    options: RoomOptions, ports: Sequence[int], room: RoomService, door: Door, pairing: int
) -> Served:
    host = f"[{options.web_host}]" if ":" in options.web_host else options.web_host
    # From everywhere it is to be found by its name.
    named = (*machine_names(), host)[-2] if host in _EVERYWHERE else host
    url = f"http://{host}:{ports[0]}/"
    safe_url = f"https://{named}:{ports[1]}/" if len(ports) > 1 else ""
    code = door.open_setup()
    setup = f"{safe_url or f'http://{named}:{ports[0]}/'}setup?code={code}" if code else ""
    return Served(url, safe_url, setup, room, door, pairing)


def _door(options: RoomOptions) -> Door:
    """Raises RoomError for a demo's code that counts for nothing."""
    try:
        return open_door(
            None if options.store is None else staff_file(options.store),
            options.people.holds,
            keep_audit_s=options.people.keep_audit_s,
            demo_code=options.demo_code,
            is_service=options.store is not None and options.store.is_relative_to(SERVICE_STATE),
            report=to_stderr,
        )
    except (StaffError, ValueError) as error:
        raise RoomError(str(error)) from None


def _names(options: RoomOptions) -> list[str]:
    """Under which names browsers may ask for the pages."""
    told = urlsplit(options.address).hostname if options.address else None
    return [*machine_names(), options.web_host, *options.names, *([told] if told else [])]


def _fault_teller(
    options: RoomOptions, door: Door, of_two: OfTwo | None
) -> Callable[[], tuple[str, ...]]:
    """What the pages have to say of people, certificate and the other room, at any moment."""
    damaged = door.store.damaged
    said = f"the room's people were damaged; the file is now {damaged}" if damaged else ""
    if door.fault:
        said = f"nobody can sign in: {door.fault}"
    watched = None
    if options.certificate is not None:
        watched = Watched(
            options.certificate.certificate,
            lambda: datetime.datetime.now(datetime.UTC),
            time.monotonic,
        )

    def faults() -> tuple[str, ...]:
        expires = "" if watched is None else watched.fault
        others = () if of_two is None else of_two.faults()
        return (*(each for each in (said, expires) if each), *others)

    return faults


def _history(archiving: Archiving | None) -> HistorySeen | None:
    if archiving is None:
        return None
    now = archiving.health()
    lacks = {"waiting": now.waiting, "missing": now.missing, "lost": now.lost}
    return HistorySeen(now.fault, now.damaged, now.kept, lacks)


def _store(path: Path | None) -> Storage:
    """Where the room is kept, if it can be. A clock without one is better than none."""
    if path is None:
        return Storage()
    try:
        return Storage(RoomStore.open(path))
    except StoreHeldError as error:
        raise RoomError(f"{error}; stop it, or give another --store") from None
    except StoreError as error:
        to_stderr(f"the clock can't be saved: {error}")
        return Storage(fault=str(error))


def _of_two(options: RoomOptions, session: str) -> OfTwo | None:
    """Raises RoomError for one of two that keeps nothing."""
    if not options.stand_by:
        return None
    if options.store is None:
        raise RoomError("a room that stands by for another needs a store")
    people = staff_file(options.store)
    return OfTwo(options.site, session, options.store, people, report=to_stderr)


async def _turn(
    of_two: OfTwo, options: RoomOptions, stop: asyncio.Event, notifier: Notifier
) -> bool:
    """Whether this room leads now. Raises RoomError."""
    try:
        return await of_two.turn(options.endpoint, stop, notifier)
    except StoreError as error:
        raise RoomError(str(error)) from None


async def _addressed(host: str, stop: asyncio.Event, notifier: Notifier) -> bool:
    """A service waits until this machine has its address, which may come after the power; False
    once `stop` is set. To whom starts a room in a terminal `_listen` says what is wrong."""
    said = False
    while not has_address(host):
        if not said:
            if not notifier.ready():
                return True
            to_stderr(f"waits for {host}, an address that this machine does not have yet")
            said = True
        notifier.alive()
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOKS_S):
                await stop.wait()
                return False
    return True


async def _tell(leading: Leading) -> None:
    """Tells the other room what becomes of this one."""
    try:
        while True:
            leading.tick()
            await asyncio.sleep(_TELLS_S)
    finally:
        leading.close()


async def _guard(room: RoomService, notifier: Notifier) -> None:
    """Feeds the watchdog while the room ticks."""
    while notifier.keepalive_s is not None:
        if room.ticks:
            notifier.alive()
        await asyncio.sleep(notifier.keepalive_s)


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status: 0, or 2 for a mistake of the user's."""
    arguments = _parser().parse_args(argv)
    try:
        options = _options(arguments)
        asyncio.run(_until_signalled(options, as_json=arguments.json))
    except (RoomError, ConfigError, StructureError) as error:
        sys.stderr.write(f"cutcard room: {error}\n")
        return _USER_MISTAKE
    return 0


async def _until_signalled(options: RoomOptions, *, as_json: bool) -> None:
    allow_files(OPEN_FILES)
    keep_short()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    broker = options.endpoint

    def say_ready(served: Served) -> None:
        url = served.url
        line = f"room pages at {url}"
        if as_json:
            pages = {name: f"{url}{path[1:]}" for name, path in PAGES.items()}
            pages[BLINDS] = f"{url}{BLINDS}"
            where = f"{broker.host}:{broker.port}"
            fields = {"ready": True, "url": url, "pages": pages, "mqtt": where}
            if served.safe_url:
                fields["safe_url"] = served.safe_url
            if served.setup:
                fields["setup"] = served.setup
            if served.pairing:
                fields["pairing"] = served.pairing
            line = json.dumps(fields)
        if served.setup:
            to_stderr(f"nobody can sign in yet: create the first admin at {served.setup}")
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    await serve(options, stop, say_ready, Notifier(os.environ))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard room",
        description="The room: the blinds clock, its tables' alerts, and the web pages.",
        epilog="Without --config everything has a default; config/room.toml "
        f"shows them all. The broker's password is read from ${PASSWORD_VARIABLE} "
        "or a file.",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the room's settings")
    parser.add_argument("--broker", metavar="HOST:PORT", help="default: 127.0.0.1:1883")
    parser.add_argument("--user", help="user name at the broker (default: none)")
    parser.add_argument("--password-file", type=Path, help="file whose first line is the password")
    parser.add_argument("--tls-ca", type=Path, help="CA certificate; turns on TLS")
    parser.add_argument("--site", help=f"site whose topics are used (default: {DEFAULT_SITE})")
    parser.add_argument("--web-host", help="default: 127.0.0.1")
    parser.add_argument("--web-port", type=int, help="default: 8080; 0 picks a free one")
    parser.add_argument("--blinds", help="blind structure: its name or file (default: standard)")
    parser.add_argument("--store", type=Path, help="where the clock is kept (default: the user's)")
    parser.add_argument("--start", action="store_true", help="start the clock at once if it is new")
    parser.add_argument(
        "--json", action="store_true", help="print a line of JSON once the pages are ready"
    )
    parser.add_argument("--banner", default="", help=argparse.SUPPRESS)
    parser.add_argument("--control", default="", help=argparse.SUPPRESS)
    parser.add_argument("--no-tables", action="store_true", help=argparse.SUPPRESS)
    return parser


def _options(arguments: argparse.Namespace) -> RoomOptions:
    config = load_room_config(arguments.config, store=arguments.store)
    blinds = config.blinds
    if arguments.blinds is not None:
        blinds = blinds_file("--blinds", arguments.blinds, Path())
    web_port = config.web.port if arguments.web_port is None else arguments.web_port
    if not 0 <= web_port < 65536:
        raise RoomError(f"--web-port {web_port} is not a port: 0 to 65535")
    site = arguments.site or config.site
    try:
        ROOM_STATE.name(site)
    except ValueError as error:
        raise RoomError(f"--site {error}") from None
    endpoint = _endpoint(arguments, config)
    return RoomOptions(
        endpoint,
        load_structure(blinds),
        site=site,
        web_host=arguments.web_host or config.web.host,
        web_port=web_port,
        address=config.web.address,
        banner=arguments.banner,
        control=arguments.control,
        start=arguments.start,
        store=config.store,
        hold_for_hands=config.clock.hold_for_hands,
        pause_on_dispute=config.clock.pause_on_dispute,
        tell_tables=config.clock.tell_tables and not arguments.no_tables,
        screen=config.screen,
        language=config.language,
        limits=config.limits,
        sections=config.sections,
        keep_players_ms=config.players.keep_ms,
        ntfy=config.ntfy,
        ntfy_token=password(config.ntfy_token_file) if config.ntfy_token_file else "",
        names=config.web.names,
        certificate=config.certificate,
        https_port=config.web.https_port,
        people=config.people,
        # Out of the environment at once: nothing that is started from here has it.
        demo_code=os.environ.pop(JOIN_CODE_VARIABLE, ""),
        history=config.history if config.room_writes else None,
        history_endpoint=_history_endpoint(endpoint, config),
        read_history=None if config.history is None else config.history.store,
        pairing=pairing_options(config.pairing, endpoint, config.certificate, os.environ),
        stand_by=config.stand_by,
    )


def _endpoint(arguments: argparse.Namespace, config: RoomConfig) -> Endpoint:
    host, port = config.broker.host, config.broker.port
    if arguments.broker is not None:
        given, colon, number = arguments.broker.rpartition(":")
        if not colon or not given or not number.isdecimal() or not 0 < int(number) < 65536:
            raise RoomError(f"--broker {arguments.broker!r} is not HOST:PORT")
        host, port = given.strip("[]"), int(number)
    ca_file: Path | None = arguments.tls_ca or config.ca_file
    if ca_file is not None and not ca_file.is_file():
        raise RoomError(f"--tls-ca {ca_file}: no such file")
    return Endpoint(
        host,
        port,
        arguments.user or config.broker.user,
        _password(arguments.password_file, config.password_file),
        None if ca_file is None else str(ca_file),
    )


def _history_endpoint(room: Endpoint, config: RoomConfig) -> Endpoint | None:
    """The same broker under the history's own name, where it has one."""
    own = config.history_login
    if own is None:
        return None
    given = room.password if own.password_file is None else password(own.password_file)
    return msgspec.structs.replace(room, user=own.user, password=given)


def _password(given: Path | None, configured: Path | None) -> str | None:
    if given is not None:
        try:
            return next(iter(given.read_text(encoding="utf-8").splitlines()), "")
        except OSError as error:
            raise RoomError(f"--password-file {given}: {error.strerror}") from None
    found = os.environ.get(PASSWORD_VARIABLE)
    return password(configured) if found is None and configured is not None else found


def _listen(host: str, port: int) -> Listener:
    try:
        return Listener(host, port)
    except OSError as error:
        raise RoomError(f"web port {port} on {host}: {error.strerror}; give another") from None


def _version() -> str:
    try:
        return version("cutcard")
    except PackageNotFoundError:
        return "unknown"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
