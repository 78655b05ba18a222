"""A broker for the demo: one of its own, on loopback, gone when its parent is.

An installed mosquitto is started with a configuration, passwords and rights made for this
run; the machine's own mosquitto and its files are never touched. Without one iotcore
takes its place, which knows neither passwords nor rights.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from iotcore import Broker as IotCoreBroker
from msgspec import Struct

from controller.broker import mosquitto
from controller.broker.client import Endpoint
from controller.broker.ports import LOOPBACK, free_port
from controller.process.child import die_with

UNPROTECTED = "Demo: anyone on this machine may read and write"
_START_S = 5.0
_STOP_S = 0.8

Kind = Literal["mosquitto", "iotcore"]


class BrokerError(Exception):
    """No broker could be started; the text is one line for the user."""


class RunningBroker(Struct, frozen=True):
    """A broker that was started here. It is a context manager that stops it.

    `banner` is empty, or what every screen has to say about it. `tables` has one endpoint
    for each table id.
    """

    kind: Kind
    port: int
    banner: str
    tables: Mapping[str, Endpoint]
    room: Endpoint
    screen: Endpoint
    pid: int
    is_running: Callable[[], bool]
    stop: Callable[[], None]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.stop()


def find_mosquitto() -> str | None:
    """The installed mosquitto, also where only root has it on the PATH."""
    path = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
    return shutil.which("mosquitto", path=path)


def start_broker(
    site: str,
    tables: Sequence[str],
    *,
    port: int = 0,
    kind: Kind | None = None,
    like: RunningBroker | None = None,
) -> RunningBroker:
    """Start a broker on 127.0.0.1 and wait until it takes connections.

    `port` 0 picks a free one. `kind` None takes mosquitto where it is installed, else
    iotcore. `like` is one that has ended: kind, port and passwords are its again. Call it
    from the main thread: the child dies with the thread that started it.
    Raises BrokerError when the port is taken or nothing could be started.
    """
    if like is not None:
        port, kind = like.port, like.kind
    program = find_mosquitto()
    chosen: Kind = kind or ("mosquitto" if program else "iotcore")
    if chosen == "mosquitto" and program is None:
        raise BrokerError("mosquitto is not installed")
    if port and not _is_free(port):
        raise BrokerError(f"port {port} on {LOOPBACK} is in use: give another one, or 0")
    for attempt in (1, 2, 3):
        try:
            if chosen == "mosquitto":
                return _start_mosquitto(str(program), site, tables, port or free_port(), like)
            return _start_iotcore(tables, port or free_port())
        except BrokerError:
            if port or attempt == 3:  # a free port may have been taken since we looked
                raise
    raise AssertionError


def _start_mosquitto(
    program: str, site: str, tables: Sequence[str], port: int, like: RunningBroker | None
) -> RunningBroker:
    others = (*mosquitto.numbered("room", 1), *mosquitto.numbered("screen", 1))
    accounts = (*others, *map(mosquitto.table_account, tables))
    logins = {
        each.user: Endpoint(LOOPBACK, port, each.user, mosquitto.new_password())
        for each in accounts
    }
    if like is not None:
        kept = (like.room, like.screen, *like.tables.values())
        logins = {str(each.user): each for each in kept}
    with tempfile.TemporaryDirectory(prefix="cutcard-broker-") as name:
        folder = Path(name)
        config, passwords, rights = folder / "mosquitto.conf", folder / "passwd", folder / "acl"
        passwords.write_text(
            "".join(
                mosquitto.password_line(str(each.user), str(each.password))
                for each in logins.values()
            )
        )
        anyone = mosquitto.template("demo.acl").template
        rights.write_text(f"{anyone}\n{mosquitto.rights(site, accounts)}")
        config.write_text(
            mosquitto.demo_settings(
                host=LOOPBACK,
                port=port,
                passwords=passwords,
                rights=rights,
                # As root it would change to its own user, which undoes the death signal.
                user="root" if os.geteuid() == 0 else "mosquitto",
            )
        )
        log = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the child)
        process = subprocess.Popen(
            [program, "-c", str(config)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,  # Ctrl-C is for us; we stop it
            preexec_fn=die_with(os.getpid()),  # noqa: PLW1509
        )
        if not _answers(port, lambda: process.poll() is None):
            _end(process)
            log.seek(0)
            last = log.read(20_000).decode(errors="replace").strip().splitlines()[-1:]
            raise BrokerError(f"mosquitto did not start on port {port}: {''.join(last)}")
        # The folder with the passwords goes here: the broker has read it.

    def stop() -> None:
        _end(process)
        log.close()

    return RunningBroker(
        kind="mosquitto",
        port=port,
        banner="",
        tables={id_: logins[mosquitto.table_account(id_).user] for id_ in tables},
        room=logins["room"],
        screen=logins["screen"],
        pid=process.pid,
        is_running=lambda: process.poll() is None,
        stop=stop,
    )


def _start_iotcore(tables: Sequence[str], port: int) -> RunningBroker:
    folder = tempfile.TemporaryDirectory(prefix="cutcard-broker-")
    config = Path(folder.name) / "iotcore.toml"
    settings = mosquitto.template("demo-iotcore.toml")
    config.write_text(settings.substitute(host=LOOPBACK, port=port))
    broker = IotCoreBroker(config_path=str(config))  # its child ends when our end of a pipe does
    try:
        broker.start(timeout=_START_S)
    except (OSError, RuntimeError) as error:
        folder.cleanup()
        raise BrokerError(f"iotcore did not start on port {port}: {error}") from None
    folder.cleanup()
    anyone = Endpoint(LOOPBACK, port)
    return RunningBroker(
        kind="iotcore",
        port=port,
        banner=UNPROTECTED,
        tables=dict.fromkeys(tables, anyone),
        room=anyone,
        screen=anyone,
        pid=broker._process.pid if broker._process else 0,
        is_running=lambda: broker.is_running,
        stop=lambda: broker.stop(timeout=_STOP_S),
    )


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def _answers(port: int, alive: Callable[[], bool]) -> bool:
    end = time.monotonic() + _START_S
    while time.monotonic() < end and alive():
        with (
            contextlib.suppress(OSError),
            socket.create_connection((LOOPBACK, port), timeout=0.2),
        ):
            return alive()
        time.sleep(0.01)
    return False


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
