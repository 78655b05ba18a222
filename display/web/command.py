"""`cutcard room`: the room's service and its pages in one process."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import uvicorn
from msgspec import Struct

from controller.arguments import ArgumentParser
from controller.messages import ROOM_STATE, State
from controller.mqtt import Endpoint, MqttClient
from controller.room.service import RoomService
from controller.room.structure import Structure, StructureError, load_structure
from controller.settings import config_dir
from display.web.app import create_app

PASSWORD_VARIABLE = "CUTCARD_MQTT_PASSWORD"  # noqa: S105 (the name of a variable)
_USER_MISTAKE = 2


class RoomError(Exception):
    """The room could not be started; the text is one line for the user."""


class RoomOptions(Struct, frozen=True):
    """What a room needs to run. `web_port` 0 takes a free one; `hold` lets the clock stand."""

    endpoint: Endpoint
    structure: Structure
    site: str = "demo"
    web_host: str = "127.0.0.1"
    web_port: int = 0
    banner: str = ""
    hold: bool = False


async def serve(
    options: RoomOptions,
    stop: asyncio.Event,
    ready: Callable[[str, RoomService], None] = lambda _url, _room: None,
) -> None:
    """Run a room until `stop` is set; ends within two seconds, open pages or not.

    `ready` gets the address of the pages once they answer. Installs no signal handlers.
    Raises RoomError when the web port is taken.
    """
    listener = _listen(options.web_host, options.web_port)
    session = secrets.token_hex(8)
    program = _version()
    clock_base_ms = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000
    will = ROOM_STATE.message(options.site, payload=State("lost", session, program))
    client = MqttClient(
        options.endpoint,
        f"cutcard-room-{session}",
        will=will,
    )
    room = RoomService(
        options.site,
        options.structure,
        session=session,
        version=program,
        publish=client.publish,
        now_ms=lambda: clock_base_ms + time.monotonic_ns() // 1_000_000,
        banner=options.banner,
    )
    server = _Server(
        uvicorn.Config(
            create_app(room),
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
    if not options.hold:
        room.resume_clock()
    client.start(room.received, room.link)
    ticking = asyncio.create_task(room.run(), name="room")
    serving = asyncio.create_task(server.serve([listener]), name="web")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    host, port = listener.getsockname()[:2]
    try:
        await asyncio.wait((server.up, serving), return_when=asyncio.FIRST_COMPLETED)
        ready(f"http://{host}:{port}/", room)
        await asyncio.wait((ticking, serving, stopping), return_when=asyncio.FIRST_COMPLETED)
    finally:
        room.close()
        server.should_exit = True
        stopping.cancel()
        await asyncio.gather(serving, client.close(timeout_s=0.5))
        listener.close()
        ticking.cancel()
        with suppress(asyncio.CancelledError):
            await ticking


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
        asyncio.run(_until_signalled(options))
    except (RoomError, StructureError) as error:
        sys.stderr.write(f"cutcard room: {error}\n")
        return _USER_MISTAKE
    return 0


async def _until_signalled(options: RoomOptions) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await serve(options, stop, _say_ready)


def _say_ready(url: str, _room: RoomService) -> None:
    sys.stdout.write(f"room pages at {url}\n")
    sys.stdout.flush()


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard room",
        description="The room: blinds clock, what its tables say, and the web pages.",
        epilog=f"The broker's password is read from ${PASSWORD_VARIABLE} or --password-file.",
    )
    parser.add_argument("--broker", default="127.0.0.1:1883", metavar="HOST:PORT")
    parser.add_argument("--user", help="name at the broker (default: none)")
    parser.add_argument("--password-file", type=Path, help="file whose first line is the password")
    parser.add_argument("--tls-ca", type=Path, help="CA certificate; turns TLS on")
    parser.add_argument("--site", default="demo", help="which site's topics (default: %(default)s)")
    parser.add_argument("--web-host", default="127.0.0.1", help="default: %(default)s")
    parser.add_argument("--web-port", type=int, default=8080, help="0: a free one")
    parser.add_argument("--blinds", type=Path, help="blind structure (default: the standard one)")
    parser.add_argument("--hold", action="store_true", help="do not start the clock yet")
    parser.add_argument("--banner", default="", help=argparse.SUPPRESS)
    return parser


def _options(arguments: argparse.Namespace) -> RoomOptions:
    host, colon, port = arguments.broker.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise RoomError(f"--broker {arguments.broker!r} is not HOST:PORT")
    if not 0 <= arguments.web_port < 65536:
        raise RoomError(f"--web-port {arguments.web_port} is not a port: 0 to 65535")
    ca_file: Path | None = arguments.tls_ca
    if ca_file is not None and not ca_file.is_file():
        raise RoomError(f"--tls-ca {ca_file}: no such file")
    try:
        ROOM_STATE.name(arguments.site)
    except ValueError as error:
        raise RoomError(f"--site {error}") from None
    return RoomOptions(
        Endpoint(
            host.strip("[]"),
            int(port),
            arguments.user,
            _password(arguments.password_file),
            None if ca_file is None else str(ca_file),
        ),
        load_structure(arguments.blinds or config_dir() / "blinds" / "standard.toml"),
        site=arguments.site,
        web_host=arguments.web_host,
        web_port=arguments.web_port,
        banner=arguments.banner,
        hold=arguments.hold,
    )


def _password(file: Path | None) -> str | None:
    if file is None:
        return os.environ.get(PASSWORD_VARIABLE)
    try:
        return next(iter(file.read_text(encoding="utf-8").splitlines()), "")
    except OSError as error:
        raise RoomError(f"--password-file {file}: {error.strerror}") from None


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
