"""The room's broker as `cutcard broker` sets it up, run as Debian's package runs mosquitto."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from controller.broker.client import Endpoint
from controller.broker.mosquitto import STEWARD
from controller.broker.own import find_mosquitto
from controller.broker.ports import LOOPBACK, free_port
from controller.broker.steward import Steward
from controller.install import broker as broker_command
from controller.room.commands import certificate as certificate_command
from tests.waiting import answers, until, wait_until

SITE = "main"

T = TypeVar("T")


class Shipped:
    """`folder` is in the place of /etc/mosquitto; only paths and port are not those of a room.
    With `by_room` mosquitto keeps the logins itself."""

    def __init__(self, folder: Path, *, by_room: bool = False) -> None:
        self.folder = folder
        self.by_room = by_room
        self.logins = folder / "kept" / "logins.json"
        self.port = free_port()
        self.ca = folder / "https" / "ca.crt"
        self.pid = 0

    def make_certificate(self) -> None:
        names = ("--name", LOOPBACK)
        where = ("--folder", str(self.folder / "https"), "--json")
        assert certificate_command.main([*where, *names]) == 0

    def set_up(self, *words: str) -> None:
        """`cutcard broker`, with these arguments."""
        places = {"folder": "", "https": "https", "passwords": "passwords"}
        paths = [w for name, to in places.items() for w in (f"--{name}", str(self.folder / to))]
        if self.by_room:
            self.logins.parent.mkdir(exist_ok=True)
            paths += ["--pairing", "--logins", str(self.logins)]
        assert broker_command.main([*paths, "--port", str(self.port), "--json", *words]) == 0

    def password(self, user: str) -> str:
        of = user.removeprefix("doctor@")
        return (self.folder / "passwords" / f"{of}.password").read_text().splitlines()[0]

    def login(self, user: str) -> Endpoint:
        return Endpoint(LOOPBACK, self.port, user, self.password(user), str(self.ca))

    def steward(self, act: Callable[[Steward], Awaitable[T]]) -> T:
        """What the room does as the steward."""

        async def run() -> T:
            steward = Steward(self.login(STEWARD), report=lambda _line: None)
            steward.start()
            await until(lambda: steward.connected)
            try:
                return await act(steward)
            finally:
                await steward.close()

        return asyncio.run(run())

    def let_in(self, table: str, password: str) -> None:
        """As the room does it for a table that has the code."""
        self.steward(lambda steward: steward.let_in(SITE, table, password))

    def reload(self) -> None:
        """As `systemctl reload mosquitto` does it."""
        os.kill(self.pid, signal.SIGHUP)

    def log(self) -> str:
        return (self.folder / "mosquitto.log").read_text()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Runs it by a `mosquitto.conf` like Debian's, whose last line reads what was set up."""
        settings = self.folder / "mosquitto.conf"
        settings.write_text(
            f"pid_file {self.folder}/mosquitto.pid\n\n"
            f"persistence true\npersistence_location {self.folder}/\n\n"
            f"log_dest file {self.folder}/mosquitto.log\n\n"
            # As root it would become a user who can't look into a test's folder.
            f"{'user root' if os.geteuid() == 0 else ''}\n"
            f"include_dir {self.folder}/conf.d\n"
        )
        with subprocess.Popen(
            [str(find_mosquitto()), "-c", str(settings)], stderr=subprocess.DEVNULL
        ) as process:
            self.pid = process.pid
            try:
                wait_until(lambda: process.poll() is not None or answers(self.port))
                assert process.poll() is None, self.log()
                yield
            finally:
                with suppress(ProcessLookupError):
                    process.send_signal(signal.SIGCONT)
                process.terminate()


@contextmanager
def a_broker(folder: Path, *words: str, by_room: bool = False) -> Iterator[Shipped]:
    """A new one that runs, set up with these arguments."""
    shipped = Shipped(folder, by_room=by_room)
    shipped.make_certificate()
    shipped.set_up(*words)
    with shipped.running():
        yield shipped
