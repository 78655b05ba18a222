"""`cutcard room` on a machine whose clocks are turned by who started it: a program for tests.

Each line of its input is a reading of the machine's clocks; time stands between them. It answers
each with the line `"done"` once everything that was due then has been done. The first line that it
says is the address of its pages.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
import sys
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.broker.client import Endpoint
from controller.room.room_time import Reading
from controller.room.structure import Structure
from display.web.command import RoomOptions, serve

DONE = b'"done"\n'


class Stepped(Struct, frozen=True):
    """What it is to run; its only argument is this, in JSON."""

    broker: Endpoint
    site: str
    store: str
    structure: Structure
    code: str
    """Who has it is let in."""


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


class _Machine(selectors.DefaultSelector):
    """Reads the clocks from standard input, and knows when the loop has nothing to do."""

    def __init__(self) -> None:
        super().__init__()
        self._rest = b""
        self._asked = False
        self.reading = Reading("", 0, 0, 0)
        self.heard()
        self._asked = False

    def heard(self) -> bool:
        """Take in what has come; False at its end."""
        came = os.read(0, 65536)
        *lines, self._rest = (self._rest + came).split(b"\n")
        for line in lines:
            self.reading = msgspec.json.decode(line, type=Reading)
            self._asked = True
        return bool(came)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        if events or (timeout is not None and timeout <= 0):
            return events
        if self._asked:
            self._asked = False
            _say(DONE)
        return super().select(timeout)


class _Loop(asyncio.SelectorEventLoop):
    """Its time is the machine's, which stands while the machine sleeps."""

    def __init__(self, machine: _Machine) -> None:
        self._machine = machine
        super().__init__(machine)

    def time(self) -> float:
        return self._machine.reading.monotonic_ms / 1_000


async def _run(given: Stepped, machine: _Machine) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)

    def heard() -> None:
        if not machine.heard():
            stop.set()

    loop.add_reader(0, heard)
    options = RoomOptions(
        given.broker,
        given.structure,
        given.site,
        store=Path(given.store),
        demo_code=given.code,
    )
    await serve(
        options,
        stop,
        lambda served: _say(msgspec.json.encode(served.url) + b"\n"),
        read=lambda: machine.reading,
    )


if __name__ == "__main__":
    machine = _Machine()
    with asyncio.Runner(loop_factory=lambda: _Loop(machine)) as runner:
        runner.run(_run(msgspec.json.decode(sys.argv[1], type=Stepped), machine))
