"""One port with its driver and nothing behind it: what a device says, unfiltered.

For whoever sets a table up; at a table the bridge does this for all ports at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from msgspec import Struct

from firmware_bridge.driver import Driver
from firmware_bridge.family import Family, Parity, Setup
from firmware_bridge.link.session import State
from firmware_bridge.link.values import ButtonEdge, Value, VersionMismatch
from firmware_bridge.transport import SerialTransport

T = TypeVar("T")


class Manner(Struct, frozen=True):
    """How a device may be spoken to."""

    family: Family
    baud: int
    parity: Parity = "none"


def as_delivered(family: Family) -> Manner:
    """How a device is spoken to that nobody has set otherwise."""
    return Manner(family, family.baud, family.parity)


class Answer(Struct, frozen=True):
    """A device that said who it is. `zones` is how many antennas it has; of a reader that may
    have several only whether it has is known: the most, or 1. `id` is a board's, in hex."""

    port: str
    manner: Manner
    firmware: str
    zones: int = 1
    buttons: int = 0
    lamps: int = 0
    id: str = ""


class NobodyThere(Struct, frozen=True):
    """Nobody answered at `port`, or it can't be opened. `text` says why, in plain words."""

    port: str
    text: str
    opened: bool


class Probe:
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
        self.driver: Driver = manner.family.driver(Setup(clock(), zones))
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
            if isinstance(value, ButtonEdge):
                self.driver.keep(value.number)
        self._transport.write(self.driver.poll(self._clock()))

    async def _keep_time(self) -> None:
        while True:
            if self._transport.is_open:
                self._pump(b"")
            await asyncio.sleep(min(self.driver.step_s, 0.02))


async def who_is_at(
    port: str, manners: tuple[Manner, ...], *, clock: Callable[[], float]
) -> Answer | NobodyThere:
    """Ask at a port in one manner after the other; a port that can't be opened is given up."""
    for manner in manners:
        said = await _ask(port, manner, clock)
        if said is not None:
            return said
    return NobodyThere(port, f"nothing answers at {port}", opened=True)


async def _ask(
    port: str, manner: Manner, clock: Callable[[], float]
) -> Answer | NobodyThere | None:
    values: list[Value] = []
    # One that may have several antennas is asked by antenna at once: if it refuses, it has one.
    zones = 2 if manner.family.most_zones > 1 else 1
    wire = Probe(port, manner, values.append, clock=clock, zones=zones)

    def said() -> Answer | NobodyThere | None:
        if wire.fault:
            return NobodyThere(port, wire.fault, opened=False)
        hello = wire.driver.hello
        for value in values:
            if isinstance(value, VersionMismatch):
                return NobodyThere(port, f"{port}: {value.text}", opened=True)
        if hello is None or wire.driver.state is not State.UP:
            return None
        has = manner.family.equipment(wire.driver, values)
        if has is None:
            return None
        return Answer(port, manner, hello.firmware, has.zones, has.buttons, has.lamps, has.id)

    return await _until(wire, said, manner.family.answers_within_s)


async def _until(wire: Probe, ask: Callable[[], T | None], within_s: float) -> T | None:
    """Serve the wire until `ask` has something to say, at most so long. What has come by then is
    looked at, also after a moment in which this machine stood still."""
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
        return ask()
    finally:
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving
