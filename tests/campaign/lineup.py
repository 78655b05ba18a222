"""Everything that runs in a card room with one table, on this machine, each in a process of its
own: broker, table, room and dealer's screen. What dies is started again as systemd does."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from controller.broker.client import PASSWORD_VARIABLE
from controller.broker.own import RunningBroker, start_broker
from controller.broker.ports import LOOPBACK, free_port
from controller.contract.cards import CARDS
from controller.demo.deck import PUCK
from controller.demo.table import LABELS, ZONES
from controller.process.child import die_with
from tests.campaign.control import VARIABLE, Control
from tests.campaign.felt import People
from tests.campaign.hands import BIG, SMALL, STACK
from tests.campaign.listener import Listener
from tests.campaign.proxy import Network

ROOT = Path(__file__).resolve().parents[2]
SITE, TABLE = "campaign", "T1"
RESTART_S = 0.25
"""RestartSec= of the table's and the room's unit."""
_GRACE_S = 5.0


class Service:
    """A `cutcard` command that is started again when it ends. `started` and `ended` are the
    moments, monotonic; what it says goes to `log`."""

    def __init__(self, name: str, folder: Path, arguments: list[str], env: dict[str, str]) -> None:
        self.name = name
        self.control = Control(folder / f"{name}.control")
        self.log = folder / f"{name}.log"
        self.started: list[float] = []
        self.ended: list[tuple[float, int]] = []
        self.most_mib = 0.0
        self.held = False
        self._arguments = arguments
        self._env = env | {VARIABLE: str(folder / f"{name}.control")}
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The process that runs, if one does."""
        process = self._process
        return None if process is None or process.returncode is not None else process.pid

    def start(self) -> None:
        """Starts it, and again whenever it ends."""
        self._task = asyncio.create_task(self._keep(), name=self.name)

    def send(self, number: signal.Signals) -> bool:
        """Sends it a signal; False if it does not run."""
        pid = self.pid
        if pid is None:
            return False
        with suppress(ProcessLookupError):
            os.kill(pid, number)
            return True
        return False

    def weigh(self) -> None:
        """Looks at what memory it has."""
        with suppress(OSError, IndexError, ValueError):
            pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
            self.most_mib = max(self.most_mib, pages * os.sysconf("SC_PAGESIZE") / 2**20)

    async def stop(self) -> None:
        """Ends it for good."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._process is None or self._process.returncode is not None:
            return
        self.send(signal.SIGCONT)
        self.send(signal.SIGTERM)
        try:
            async with asyncio.timeout(_GRACE_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def _keep(self) -> None:
        while True:
            with self.log.open("ab") as log:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "tests.campaign.child",
                    *self._arguments,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=ROOT,
                    env=os.environ | self._env,
                    start_new_session=True,
                    preexec_fn=die_with(os.getpid()),
                )
            self.started.append(time.monotonic())
            status = await self._process.wait()
            self.ended.append((time.monotonic(), status))
            await asyncio.sleep(RESTART_S)
            while self.held:  # noqa: ASYNC110 - a fault holds it
                await asyncio.sleep(0.02)


class LineUp:
    """All of it, in `folder`. `rng` makes the deck and the dealer's paces."""

    def __init__(
        self, folder: Path, *, seats: tuple[int, ...], speed: float, rng: random.Random
    ) -> None:
        self.folder = folder
        self.state = folder / "table"
        self.state.mkdir()
        self.seats = seats
        self.speed = speed
        self.broker: RunningBroker = start_broker(SITE, [TABLE], kind="mosquitto")
        self.broker_changed: list[float] = []
        self.people = People(folder, speed, rng)
        self.networks = {name: Network(self.broker.port) for name in ("table", "room")}
        self.listener = Listener(self.broker.screen)
        self.pages = free_port()
        self.services: dict[str, Service] = {}
        self._people: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Starts all processes; returns at once."""
        for network in self.networks.values():
            await network.start()
        self._people = asyncio.create_task(self.people.run(), name="people")
        speed = ["--speed", str(self.speed)]
        self._add("table", ["table", "--config", str(self._table_file()), *speed], {})
        self._add("room", ["room", *self._room_words()], {})
        screen = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
        self._add("screen", ["dealer", "--socket", str(self.folder / "dealer.sock")], screen)
        for service in self.services.values():
            service.start()

    def _add(self, name: str, arguments: list[str], env: dict[str, str]) -> None:
        env = {"XDG_STATE_HOME": str(self.folder), "HOME": str(self.folder)} | env
        if name == "room":
            env[PASSWORD_VARIABLE] = str(self.broker.room.password)
        self.services[name] = Service(name, self.folder, arguments, env)

    def kill_broker(self) -> None:
        """Kills it; it stays away."""
        self.broker_changed.append(time.monotonic())
        with suppress(ProcessLookupError):
            os.kill(self.broker.pid, signal.SIGKILL)

    def restart_broker(self) -> None:
        """It is there again: same port, same passwords, and it has forgotten everything."""
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            self.broker.stop()
        self.broker = start_broker(SITE, [TABLE], like=self.broker)
        self.broker_changed.append(time.monotonic())

    @property
    def journal(self) -> Path:
        """The table's journal."""
        return self.state / "journal.sqlite"

    @property
    def keys(self) -> Path:
        """The folder of the hand's key."""
        return self.folder / "keys"

    @property
    def history(self) -> Path:
        """The room's history."""
        return self.folder / "history.sqlite"

    async def has_pages(self) -> bool:
        """Whether the room's pages answer."""
        try:
            async with asyncio.timeout(1.0):
                reader, writer = await asyncio.open_connection(LOOPBACK, self.pages)
                writer.write(b"GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
                answer = await reader.readline()
                writer.close()
        except (OSError, TimeoutError):
            return False
        return answer.startswith(b"HTTP/1.")

    async def stop(self) -> None:
        """Ends all."""
        await asyncio.gather(*(service.stop() for service in self.services.values()))
        if self._people is not None:
            self._people.cancel()
            await asyncio.gather(self._people, return_exceptions=True)
        self.listener.close()
        for network in self.networks.values():
            await network.close()
        self.broker.stop()

    def _table_file(self) -> Path:
        login = replace(self.broker.tables[TABLE], port=self.networks["table"].port)
        tags = self.people.tags
        self._private("deck.toml", "".join(f'{tags[card]} = "{card}"\n' for card in CARDS))
        self._private("password", str(login.password))
        ring = list(self.seats)
        return self._private(
            "table.toml",
            f"""
            [table]
            id = "{TABLE}"
            rulebook = "roberts"
            seats = {sorted(ring)}
            stack = {STACK}
            button = {ring[-1]}
            blinds = {{ small = {SMALL}, big = {BIG} }}
            [[port]]
            device = "{self.folder / "port"}"
            zones = {json.dumps(ZONES)}
            buttons = {{ seats = {list(range(1, 11))}, labels = {json.dumps(LABELS)} }}
            [deck]
            file = "deck.toml"
            objects = {{ {tags[PUCK]} = "button" }}
            [broker]
            host = "{LOOPBACK}"
            port = {login.port}
            user = "{login.user}"
            password_file = "password"
            site = "{SITE}"
            [screen]
            socket = "dealer.sock"
            [journal]
            path = "table/journal.sqlite"
            keys = "keys"
            """,
        )

    def _room_words(self) -> list[str]:
        words = ["--json", "--no-tables", "--site", SITE, "--start"]
        words += ["--web-port", str(self.pages)]
        words += ["--store", str(self.folder / "room.sqlite"), "--user", str(self.broker.room.user)]
        return [*words, "--broker", f"{LOOPBACK}:{self.networks['room'].port}"]

    def _private(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.touch(mode=0o600)
        path.write_text(text)
        return path
