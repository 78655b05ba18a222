"""A table with a person at the keys: scans, keys and the passing of time, in one stream."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
import tty
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, aclosing, contextmanager

from msgspec import Struct

from controller.contract.zones import seat_of
from controller.install.bench import Bench, BenchError
from controller.table.bench import Scan
from controller.table.config import TableConfig

MOST_WAITING = 1_000
QUIET_S = 0.5
PATIENCE_S = 1.0
SILENT_S = 3.0
"""An antenna that has told nothing for so long is in trouble."""
_END = "\x04"


class Key(Struct, frozen=True):
    """A key, in lower case, or a whole line of what is no terminal; Enter is empty."""

    text: str


class Quiet(Struct, frozen=True):
    """Nothing came for half a second."""


class Waiting(Struct, frozen=True):
    """The bench tells of nothing yet."""


Moment = Scan | Key | Quiet | Waiting
WAITING = "Waiting until the antennas say that no card lies at a seat."


Place = tuple[str, str]
"""A port and one of its zones."""


def places(config: TableConfig, zone: str | None = None) -> frozenset[Place]:
    """Where cards are named: at all antennas but the seats', or at that of one zone."""
    return frozenset(
        (port.port, each)
        for port in config.ports
        if not port.reads_pucks
        for each in port.zones
        if zone in (None, each) and not seat_of(each)
    )


async def attended(bench: Bench, where: Collection[Place]) -> AsyncGenerator[Moment, None]:
    """What the readers at these places read and what the person presses, until it is closed;
    before the bench tells of anything, only that it is waited for, once. No key comes first. A
    scan that failed is none.

    Raises BenchError as `Bench.scans` does.
    """
    waiting: asyncio.Queue[Moment | BenchError] = asyncio.Queue(MOST_WAITING)
    begun = asyncio.Event()

    def pressed(key: str) -> None:
        if not waiting.full():
            waiting.put_nowait(Key(key))

    async def listen() -> None:
        try:
            async with aclosing(bench.scans(begun=begun.set)) as scans:
                async for scan in scans:
                    if (scan.port, scan.zone) in where and not scan.failed:
                        await waiting.put(scan)
        except BenchError as error:
            begun.set()
            await waiting.put(error)

    listening = asyncio.create_task(listen())
    try:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await begun.wait()
        except TimeoutError:
            yield Waiting()
            await begun.wait()
        with ExitStack() as stack:
            keys: AbstractContextManager[None] | None = _keys(pressed)
            while True:
                try:
                    async with asyncio.timeout(QUIET_S):
                        moment = await waiting.get()
                except TimeoutError:
                    if listening.done():
                        listening.result()
                    moment = Quiet()
                if isinstance(moment, BenchError):
                    raise moment
                yield moment
                if keys is not None:
                    stack.enter_context(keys)
                    keys = None
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


async def in_trouble(bench: Bench, zones: Iterable[str]) -> str:
    """What is not well with the table's wires, in words; empty if nothing is. Raises BenchError."""
    health = await bench.health()
    troubles = [link.text for link in health.links if link.text]
    lost = [zone for zone in zones if zone in health.lost_zones]
    if not troubles and lost:
        troubles = [f"{' and '.join(map(antenna, lost))} {'do' if lost[1:] else 'does'} not answer"]
    return "; ".join(troubles)


def antenna(zone: str) -> str:
    """A zone's antenna in words."""
    seat = seat_of(zone)
    return f"the antenna of seat {seat}" if seat else f"the {zone} antenna"


@contextmanager
def _keys(pressed: Callable[[str], None]) -> Iterator[None]:
    """Hands on the keys of a terminal as they are pressed, of anything else line by line."""
    loop = asyncio.get_running_loop()
    fd = sys.stdin.fileno()
    rest = b""

    def readable() -> None:
        nonlocal rest
        data = os.read(fd, 4096)
        if not data:
            loop.remove_reader(fd)
        if is_terminal:
            for char in data.decode(errors="replace").lower():
                pressed("" if char in "\r\n" else "q" if char == _END else char)
        else:
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[-4096:]
            for line in lines:
                pressed(line.decode(errors="replace").strip().lower())

    is_terminal = os.isatty(fd)
    before = termios.tcgetattr(fd) if is_terminal else None
    try:
        loop.add_reader(fd, readable)
    except PermissionError:  # a file, such as /dev/null, from which nobody presses anything
        yield
        return
    try:
        if is_terminal:
            tty.setcbreak(fd)
        yield
    finally:
        loop.remove_reader(fd)
        if before is not None:
            termios.tcsetattr(fd, termios.TCSADRAIN, before)
