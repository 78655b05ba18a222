"""`cutcard table` over readers made of software, each at a port of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from pathlib import Path

from controller.broker.own import RunningBroker
from firmware_bridge.virtual.port import VirtualDevice, VirtualPort
from tests.journal.lines import kept as kept_lines
from tests.table.felt import Room, read_out
from tests.waiting import until

SPEED = 2.0
"""The felt's time and the table's run so many times as fast as the tests'."""


def clock() -> float:
    return SPEED * time.monotonic()


def pause(seconds: float) -> Awaitable[None]:
    return asyncio.sleep(seconds / SPEED)


def port(path: Path, reader: str, zones: Sequence[str]) -> str:
    """A section of the table's settings."""
    return f"""
            [[port]]
            device = "{path}"
            reader = "{reader}"
            zones = {json.dumps(list(zones))}
            """


class ReaderTable:
    """Readers by the names of their ports, a deck (tag to card), and the service."""

    def __init__(
        self, folder: Path, devices: Mapping[str, VirtualDevice], deck: Mapping[str, str]
    ) -> None:
        self.folder = folder
        self.ports = {
            name: VirtualPort(device, folder / name, clock=clock, sleep=pause)
            for name, device in devices.items()
        }
        (folder / "deck.toml").write_text("".join(f'{t} = "{c}"\n' for t, c in deck.items()))
        (folder / "deck.toml").chmod(0o600)
        self.process: asyncio.subprocess.Process

    def write(
        self,
        broker: RunningBroker,
        *,
        seats: Sequence[int],
        button: int,
        more: str,
        objects: str = "",
    ) -> None:
        """Write the table's settings; `more` are its devices."""
        login = broker.tables["T1"]
        (self.folder / "password").write_text(str(login.password))
        (self.folder / "table.toml").write_text(f"""
            [table]
            id = "T1"
            rulebook = "roberts"
            seats = {list(seats)}
            button = {button}
            stack = 1000
            blinds = {{ small = 5, big = 10 }}
            {more}
            [deck]
            file = "deck.toml"
            objects = {{ {objects} }}
            [screen]
            socket = "dealer.sock"
            [journal]
            path = "journal.sqlite"
            keys = "keys"
            [broker]
            host = "127.0.0.1"
            port = {broker.port}
            user = "{login.user}"
            password_file = "password"
            site = "demo"
            """)

    async def start(self, *command: str) -> None:
        """Start the service: `command` is Python's, up to the service's own options."""
        with (self.folder / "said").open("wb") as said:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, *command, "--config", str(self.folder / "table.toml"),
                "--speed", str(SPEED), stdin=asyncio.subprocess.PIPE, stdout=said,
            )  # fmt: skip

    def said(self) -> str:
        return (self.folder / "said").read_text()

    async def riffle(self) -> None:
        reader, writer = await asyncio.open_unix_connection(self.folder / "dealer.sock")
        await reader.readline()
        writer.write(b'{"kind":"riffle"}\n')
        await read_out(reader, writer)

    def recorded(self, kind: str) -> int:
        """How many observations of a kind are in the journal."""
        lines = kept_lines(self.folder / "journal.sqlite")
        return sum(json.loads(line)["o"]["kind"] == kind for line in lines)

    async def lay(self, *laid: tuple[list[str], str]) -> None:
        """Lay tags before antennas, in a dealer's rhythm however slow the machine is, and wait
        until they are seen, and a dealer's moment longer."""
        before = self.recorded("seen")
        for tags, tag in laid:
            tags.append(tag)
            await pause(0.2)
        await until(lambda: self.recorded("seen") >= before + len(laid))
        await pause(0.5)


@contextlib.asynccontextmanager
async def served(table: ReaderTable, room: Room, *command: str) -> AsyncIterator[None]:
    """Within it the readers answer and the service runs; it begins once that is ready."""
    tasks = [asyncio.create_task(port.run()) for port in table.ports.values()]
    await table.start(*command)
    try:
        await until(lambda: (room.last("T1/$state") or {}).get("state") == "ready")
        yield
    finally:
        room.close()
        table.process.terminate()
        await table.process.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
