"""Devices to hold to PROTOCOL.md: the virtual table and the Pico's firmware, made alike."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Protocol, TypeVar

import serial

from firmware_bridge.link.frames import Frame, FrameDecoder, encode
from firmware_bridge.link.messages import Message, Request, ZoneFlag, from_frame, to_frame
from firmware_bridge.pico.sim.pico import SimulatedPico
from firmware_bridge.pico.sim.pn5180 import Trouble
from firmware_bridge.virtual.table import VirtualTable
from tests.waiting import PATIENCE_S

ZONES, BUTTONS, LAMPS = 3, 10, 3
M = TypeVar("M", bound=Message)


class Hands(Protocol):
    """What can be done to a device from outside."""

    port: str

    def place(self, zone: int, tag: str) -> None: ...
    def take(self, zone: int, tag: str) -> None: ...
    def press(self, button: int) -> None: ...
    def fail(self, zone: int) -> None: ...
    def reboot(self) -> None: ...


class VirtualHands:
    """A virtual table in a thread of its own."""

    def __init__(self, table: VirtualTable, loop: asyncio.AbstractEventLoop) -> None:
        self.port = table.port
        self._table = table
        self._loop = loop

    def place(self, zone: int, tag: str) -> None:
        self._do(lambda: self._table.place(f"zone/{zone}", tag))

    def take(self, zone: int, tag: str) -> None:
        self._do(lambda: self._table.take(f"zone/{zone}", tag))

    def press(self, button: int) -> None:
        self._do(lambda: self._table.press(button, "x"))

    def fail(self, zone: int) -> None:
        self._do(lambda: self._table.device.trouble(zone, ZoneFlag.FAILED))

    def reboot(self) -> None:
        self._do(self._table.reboot)

    def _do(self, what: Callable[[], None]) -> None:
        self._loop.call_soon_threadsafe(what)


class PicoHands:
    """A simulated Pico."""

    def __init__(self, pico: SimulatedPico) -> None:
        self.port = pico.port
        self._pico = pico
        self.press = pico.press
        self.reboot = pico.reboot

    def place(self, zone: int, tag: str) -> None:
        self._pico.air.place(zone, tag)

    def take(self, zone: int, tag: str) -> None:
        self._pico.air.take(zone, tag)

    def fail(self, zone: int) -> None:
        self._pico.hang(zone, Trouble.DEAD, heals=False)


@contextmanager
def virtual() -> Iterator[Hands]:
    loop = asyncio.new_event_loop()
    table = VirtualTable(
        [f"zone/{zone}" for zone in range(ZONES)],
        [(number, "x") for number in range(BUTTONS)],
        clock=time.monotonic,
        lamps=LAMPS,
    )
    running = loop.create_task(table.run())
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield VirtualHands(table, loop)
    finally:
        running.add_done_callback(lambda _: loop.stop())
        loop.call_soon_threadsafe(running.cancel)
        thread.join()
        loop.close()


@contextmanager
def pico() -> Iterator[Hands]:
    with SimulatedPico() as simulated:
        yield PicoHands(simulated)
        assert not simulated.crashes
        assert not simulated.air.violations


class Wire:
    """A host that keeps all frames and does nothing by itself."""

    def __init__(self, port: str) -> None:
        self.frames: list[Frame] = []
        self._decoder = FrameDecoder()
        self._serial = serial.Serial(port, timeout=0)
        self._serial.write(b"\0")

    def close(self) -> None:
        self._serial.close()

    def send(self, request: Request, seq: int = 0) -> None:
        self.raw(encode(to_frame(request, seq=seq)))

    def raw(self, data: bytes) -> None:
        self._serial.write(data)

    def during(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._step()

    def until(self, holds: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, f"not within {PATIENCE_S:.0f} s: {self.frames[-5:]}"
            self._step()

    def got(self, kind: type[M], since: int = 0) -> list[tuple[Frame, M]]:
        """Return the messages of a kind, with their frames, from the frame `since` on."""
        found = [(frame, from_frame(frame)) for frame in self.frames[since:]]
        return [(frame, message) for frame, message in found if isinstance(message, kind)]

    def answer(self, request: Request, seq: int) -> tuple[Frame, Message]:
        """Send a request and return what comes back to it."""
        since = len(self.frames)
        self.send(request, seq)
        self.until(lambda: [f for f in self.frames[since:] if (f.kind, f.ack) == (4, seq)])
        frame = next(f for f in self.frames[since:] if (f.kind, f.ack) == (4, seq))
        return frame, from_frame(frame)

    def _step(self) -> None:
        self.frames += self._decoder.feed(self._serial.read(65536))
        time.sleep(0.002)
