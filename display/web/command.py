"""`cutcard room`: the room's service and its pages in one process."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import uvicorn
from msgspec import Struct

from controller.archive.readers import Readers
from controller.archive.running import Archiving, HistoryOptions
from controller.arguments import ArgumentParser
from controller.messages import DEFAULT_SITE, ROOM_STATE, State
from controller.mqtt import Endpoint, MqttClient, to_stderr
from controller.notify import Notifier
from controller.room.clock import at_start
from controller.room.record import Record
from controller.room.room_time import RoomClocks, readings
from controller.room.service import RoomService
from controller.room.store import RoomStore, StoreError, StoreHeldError
from controller.room.structure import Structure, StructureError, load_structure
from controller.room.view import HistorySeen, Screen
from controller.table.toml_file import ConfigError
from display.web.app import PAGES, create_app
from display.web.settings import RoomConfig, blinds_file, load_room_config, password

PASSWORD_VARIABLE = "CUTCARD_MQTT_PASSWORD"  # noqa: S105 (the name of a variable)
_USER_MISTAKE = 2


class RoomError(Exception):
    """The room could not be started; the text is one line for the user."""


class RoomOptions(Struct, frozen=True):
    """What a room needs to run. `web_port` 0 takes a free one; with `start` a clock that nobody
    has touched yet is started. Without `store` nothing outlives the process. `history` is what the
    room writes, `read_history` what its pages read, whoever writes it."""

    endpoint: Endpoint
    structure: Structure
    site: str = "main"
    web_host: str = "127.0.0.1"
    web_port: int = 0
    banner: str = ""
    start: bool = False
    store: Path | None = None
    hold_for_hands: bool = False
    pause_on_dispute: bool = False
    tell_tables: bool = True
    screen: Screen = Screen()
    language: str = "en"
    history: HistoryOptions | None = None
    read_history: str | None = None


async def serve(
    options: RoomOptions,
    stop: asyncio.Event,
    ready: Callable[[str, RoomService], None] = lambda _url, _room: None,
    notifier: Notifier | None = None,
) -> None:
    """Run a room until `stop` is set; ends within two seconds, open pages or not.

    `ready` gets the address of the pages once they answer. `notifier` is told for as long as the
    room's clock moves on. Installs no signal handlers. Raises RoomError when the web port is
    taken or another room has the store.
    """
    notifier = notifier or Notifier({})
    listener = _listen(options.web_host, options.web_port)
    try:
        store, fault = _store(options.store)
    except RoomError:
        listener.close()
        raise
    session = secrets.token_hex(8)
    program = _version()
    client = MqttClient(
        options.endpoint,
        f"cutcard-room-{session}",
        will=ROOM_STATE.message(options.site, payload=State("lost", session, program)),
    )
    archiving = (
        None
        if options.history is None
        else Archiving(options.endpoint, options.site, options.history)
    )
    room = RoomService(
        options.site,
        Record(
            clock=at_start(
                options.structure,
                hold_for_hands=options.hold_for_hands,
                pause_on_dispute=options.pause_on_dispute,
            ),
            lineage=secrets.token_hex(8),
        ),
        session=session,
        version=program,
        publish=client.publish,
        clocks=RoomClocks(readings(), None if store is None else store.beat),
        store=store,
        store_fault=fault,
        start=options.start,
        tell_tables=options.tell_tables,
        screen=options.screen,
        language=options.language,
        banner=options.banner,
        history=lambda: _history(archiving),
    )
    reading = None if options.read_history is None else Readers(options.read_history)
    server = _Server(
        uvicorn.Config(
            create_app(room, reading),
            access_log=False,
            log_config=None,
            server_header=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
    )
    for topic_filter in room.filters:
        client.subscribe(topic_filter)
    room.start()
    client.start(room.received, room.link)
    if archiving is not None:
        archiving.start()
    ticking = asyncio.create_task(room.run(), name="room")
    serving = asyncio.create_task(server.serve([listener]), name="web")
    guarding = asyncio.create_task(_guard(room, notifier), name="watchdog")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    host, port = listener.getsockname()[:2]
    try:
        await asyncio.wait((server.up, serving), return_when=asyncio.FIRST_COMPLETED)
        ready(f"http://{host}:{port}/", room)
        notifier.ready()
        await asyncio.wait((ticking, serving, stopping), return_when=asyncio.FIRST_COMPLETED)
    finally:
        notifier.stopping()
        guarding.cancel()
        room.close()
        server.should_exit = True
        if reading is not None:
            reading.close()
        stopping.cancel()
        ending = [] if archiving is None else [archiving.close()]
        await asyncio.gather(serving, client.close(timeout_s=0.5), *ending)
        listener.close()
        ticking.cancel()
        with suppress(asyncio.CancelledError):
            await ticking


def _history(archiving: Archiving | None) -> HistorySeen | None:
    if archiving is None:
        return None
    now = archiving.health()
    lacks = {"waiting": now.waiting, "missing": now.missing, "lost": now.lost}
    return HistorySeen(now.fault, now.kept, lacks)


def _store(path: Path | None) -> tuple[RoomStore | None, str]:
    """The store, and what is wrong with it. A clock without one is better than none."""
    if path is None:
        return None, ""
    try:
        return RoomStore.open(path), ""
    except StoreHeldError as error:
        raise RoomError(f"{error}; end it, or give another --store") from None
    except StoreError as error:
        to_stderr(f"nothing is kept of the clock: {error}")
        return None, str(error)


async def _guard(room: RoomService, notifier: Notifier) -> None:
    """Feeds the watchdog while the room ticks."""
    while notifier.keepalive_s is not None:
        if room.ticks:
            notifier.alive()
        await asyncio.sleep(notifier.keepalive_s)


class _Server(uvicorn.Server):
    """Leaves the process's signals to its caller, and tells when it answers."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set_result(None)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


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
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    broker = options.endpoint

    def say_ready(url: str, _room: RoomService) -> None:
        line = f"room pages at {url}"
        if as_json:
            pages = {name: f"{url}{name}" for name in PAGES}
            where = f"{broker.host}:{broker.port}"
            line = json.dumps({"ready": True, "url": url, "pages": pages, "mqtt": where})
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    await serve(options, stop, say_ready, Notifier(os.environ))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard room",
        description="The room: blinds clock, what its tables say, and the web pages.",
        epilog="Without --config everything has a default; the file config/room.toml shows them. "
        f"The broker's password is read from ${PASSWORD_VARIABLE} or a file.",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the room's settings")
    parser.add_argument("--broker", metavar="HOST:PORT", help="default: 127.0.0.1:1883")
    parser.add_argument("--user", help="name at the broker (default: none)")
    parser.add_argument("--password-file", type=Path, help="file whose first line is the password")
    parser.add_argument("--tls-ca", type=Path, help="CA certificate; turns TLS on")
    parser.add_argument("--site", help=f"which site's topics (default: {DEFAULT_SITE})")
    parser.add_argument("--web-host", help="default: 127.0.0.1")
    parser.add_argument("--web-port", type=int, help="default: 8080; 0 takes a free one")
    parser.add_argument("--blinds", help="blind structure: its name or file (default: standard)")
    parser.add_argument("--store", type=Path, help="where the clock is kept (default: the user's)")
    parser.add_argument("--start", action="store_true", help="start a clock that is new")
    parser.add_argument("--json", action="store_true", help="say in JSON that the pages are ready")
    parser.add_argument("--banner", default="", help=argparse.SUPPRESS)
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
    return RoomOptions(
        _endpoint(arguments, config),
        load_structure(blinds),
        site=site,
        web_host=arguments.web_host or config.web.host,
        web_port=web_port,
        banner=arguments.banner,
        start=arguments.start,
        store=config.store,
        hold_for_hands=config.clock.hold_for_hands,
        pause_on_dispute=config.clock.pause_on_dispute,
        tell_tables=config.clock.tell_tables and not arguments.no_tables,
        screen=config.screen,
        language=config.language,
        history=config.history if config.room_writes else None,
        read_history=None if config.history is None else config.history.store,
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


def _password(given: Path | None, configured: Path | None) -> str | None:
    if given is not None:
        try:
            return next(iter(given.read_text(encoding="utf-8").splitlines()), "")
        except OSError as error:
            raise RoomError(f"--password-file {given}: {error.strerror}") from None
    found = os.environ.get(PASSWORD_VARIABLE)
    return password(configured) if found is None and configured is not None else found


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise RoomError(f"web port {port} on {host}: {error.strerror}; give another") from None
    listener.setblocking(False)
    return listener


def _version() -> str:
    try:
        return version("cutcard")
    except PackageNotFoundError:
        return "unknown"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
