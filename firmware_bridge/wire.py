"""One port with its driver and nothing behind it: what a device says, unfiltered.

For whoever sets a table up; at a table the bridge does this for all ports at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from msgspec import Struct

from firmware_bridge.driver import Device, Driver, make_driver
from firmware_bridge.link.session import State
from firmware_bridge.link.values import Value, VersionMismatch, ZoneScan
from firmware_bridge.transport import SerialTransport
from firmware_bridge.wiring import Parity

T = TypeVar("T")

MOST_ANTENNAS = 8
"""Of a FEIG reader that is asked antenna by antenna."""

ANSWERS_WITHIN_S: dict[Device, float] = {
    "pico": 1.3,
    "pn532": 1.3,
    "yrm100": 0.6,
    "feig": 1.6,
    "rdm6300": 0.5,
}
"""So long each kind is waited for: its first exchange, and once more."""


class Manner(Struct, frozen=True):
    """How a device may be spoken to."""

    device: Device
    baud: int
    parity: Parity = "none"


class Answer(Struct, frozen=True):
    """A device that said who it is. `zones` is how many antennas it has; of a FEIG reader only
    whether it has several is known: 8 or 1. `id` is a board's, in hex."""

    port: str
    manner: Manner
    firmware: str
    zones: int = 1
    buttons: int = 0
    lamps: int = 0
    id: str = ""


class Silence(Struct, frozen=True):
    """Nobody answered at `port`, or it can't be opened. `text` says why, in plain words."""

    port: str
    text: str
    opened: bool


class Wire:
    """One port. `take` gets every value that the driver makes of what comes; `clock` seconds."""

    def __init__(
        self,
        port: str,
        manner: Manner,
        take: Callable[[Value], None],
        *,
        clock: Callable[[], float],
        zones: int = 1,
    ) -> None:
        self.driver: Driver = make_driver(manner.device, clock(), zones, 255, lambda _: True)
        self.fault = ""
        self._take = take
        self._clock = clock
        self._transport = SerialTransport(
            port,
            on_open=self._opened,
            on_bytes=self._pump,
            on_lost=self._lost,
            baud=manner.baud,
            parity=manner.parity,
        )

    async def run(self) -> None:
        """Serve the port until cancelled. While it can't be opened, `fault` says why."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._transport.run())
            group.create_task(self._keep_time())

    def _opened(self) -> None:
        self.fault = ""
        self.driver.restart(self._clock())
        self._pump(b"")

    def _lost(self, text: str) -> None:
        self.fault = text
        for value in self.driver.dropped(self._clock(), text):
            self._take(value)

    def _pump(self, data: bytes) -> None:
        for value in self.driver.receive(data, self._clock()):
            self._take(value)
        self._transport.write(self.driver.poll(self._clock()))

    async def _keep_time(self) -> None:
        while True:
            if self._transport.is_open:
                self._pump(b"")
            await asyncio.sleep(min(self.driver.step_s, 0.02))


async def who_is_at(
    port: str, manners: tuple[Manner, ...], *, clock: Callable[[], float]
) -> Answer | Silence:
    """Ask at a port in one manner after the other; a port that can't be opened is given up."""
    for manner in manners:
        said = await _ask(port, manner, clock)
        if said is not None:
            return said
    return Silence(port, f"nothing answers at {port}", opened=True)


async def _ask(port: str, manner: Manner, clock: Callable[[], float]) -> Answer | Silence | None:
    values: list[Value] = []
    # A FEIG reader is asked by antenna at once: if it refuses, it has one.
    zones = 2 if manner.device == "feig" else 1
    wire = Wire(port, manner, values.append, clock=clock, zones=zones)

    def said() -> Answer | Silence | None:
        if wire.fault:
            return Silence(port, wire.fault, opened=False)
        hello = wire.driver.hello
        for value in values:
            if isinstance(value, VersionMismatch):
                return Silence(port, f"{port}: {value.text}", opened=True)
        if hello is None or wire.driver.state is not State.UP:
            return None
        match manner.device:
            case "pico":
                board = hello.unique_id.hex().upper()
                size = (hello.zones, hello.buttons, hello.lamps)
                return Answer(port, manner, hello.firmware, *size, id=board)
            case "feig":
                if wire.driver.trouble:
                    return Answer(port, manner, hello.firmware)
                scans = (value for value in values if isinstance(value, ZoneScan))
                if any(not scan.failed for scan in scans):
                    return Answer(port, manner, hello.firmware, MOST_ANTENNAS)
                return None
            case "rdm6300" if not wire.driver.decoder.frames:
                return None  # it answers nothing, and is known by a tag
            case _:
                return Answer(port, manner, hello.firmware)

    return await _until(wire, said, ANSWERS_WITHIN_S[manner.device])


async def _until(wire: Wire, ask: Callable[[], T | None], within_s: float) -> T | None:
    """Serve the wire until `ask` has something to say, at most so long."""
    serving = asyncio.create_task(wire.run())
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while not serving.done():
                    answer = ask()
                    if answer is not None:
                        return answer
                    await asyncio.sleep(0.01)
                serving.result()
        return None
    finally:
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving
