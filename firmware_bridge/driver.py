"""What stands between a port's bytes and the bridge: one kind of driver for each kind of device.

All are sans-I/O. A driver for a reader that is attached directly is the reader's poller.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, get_args

from firmware_bridge.link.frames import DecoderCounters, FrameDecoder
from firmware_bridge.link.messages import Command, Hello
from firmware_bridge.link.session import LOST_AFTER_S, Session, State
from firmware_bridge.link.values import SessionCounters, Value
from firmware_bridge.listening import Heard
from firmware_bridge.readers.feig.driver import Feig
from firmware_bridge.readers.pn532.driver import Pn532
from firmware_bridge.readers.rdm6300.driver import Rdm6300
from firmware_bridge.readers.yrm100.driver import Yrm100

Device = Literal["pico", "pn532", "feig", "rdm6300", "yrm100"]
DEVICES: tuple[Device, ...] = get_args(Device)

PUCK_READERS: frozenset[Device] = frozenset({"rdm6300"})
"""Those that read other tags than the cards', and so may lie beside a reader of cards."""


class Driver(Protocol):
    """Times are seconds on one monotonic scale; `step_s` is how often it wants to be called."""

    @property
    def step_s(self) -> float:
        """The longest time between two calls, in seconds."""

    @property
    def hello(self) -> Hello | None:
        """What the device said of itself, if it has."""

    @property
    def state(self) -> State:
        """Where the link stands."""

    @property
    def decoder(self) -> DecoderCounters:
        """What came in."""

    @property
    def counters(self) -> SessionCounters:
        """What was not used."""

    @property
    def clock_error(self) -> float:
        """How far off its times can be, in seconds; infinite while unknown."""

    @property
    def cycle_s(self) -> float:
        """The length of its scan cycle, in seconds; 0 while unknown."""

    @property
    def trouble(self) -> str:
        """What a person has to put right at a device that answers; empty if nothing."""

    def restart(self, now: float) -> None:
        """The port was opened, or opened again."""

    def receive(self, data: bytes, now: float) -> list[Value]:
        """Return what `data` means, and what the time that passed does."""

    def poll(self, now: float) -> bytes:
        """Return the bytes that are due."""

    def dropped(self, now: float, reason: str) -> list[Value]:
        """The port is gone: return what follows."""

    def listen(self, heard: Heard | None) -> None:
        """From now on tell `heard` what becomes of the bytes that come; None ends it."""

    def command(self, command: Command) -> None:
        """Carry out a command; a Done will follow. Raises QueueFullError."""


class LinkDriver:
    """A microcontroller: its frames and the host's side of its session."""

    step_s = 0.05
    trouble = ""

    def __init__(
        self, now: float, welcome: Callable[[Hello], bool], *, lost_after: float = LOST_AFTER_S
    ) -> None:
        self._decoder = FrameDecoder()
        self._session = Session(now, welcome=welcome, lost_after=lost_after)

    @property
    def hello(self) -> Hello | None:
        """See Driver."""
        return self._session.hello

    @property
    def state(self) -> State:
        """See Driver."""
        return self._session.state

    @property
    def decoder(self) -> DecoderCounters:
        """See Driver."""
        return self._decoder.counters

    @property
    def counters(self) -> SessionCounters:
        """See Driver."""
        return self._session.counters

    @property
    def clock_error(self) -> float:
        """See Driver."""
        return self._session.clock_error

    @property
    def cycle_s(self) -> float:
        """See Driver; of the last cycle if the device has told, else as it is set."""
        if self._session.heartbeat:
            return self._session.heartbeat.cycle_us / 1e6
        return self._session.hello.cycle_ms / 1e3 if self._session.hello else 0.0

    def restart(self, now: float) -> None:
        """See Driver."""
        self._decoder.reset()
        self._session.restart(now)

    def receive(self, data: bytes, now: float) -> list[Value]:
        """See Driver."""
        return self._session.receive(self._decoder.feed(data), now)

    def poll(self, now: float) -> bytes:
        """See Driver."""
        return self._session.poll(now)

    def dropped(self, now: float, reason: str) -> list[Value]:
        """See Driver."""
        return self._session.dropped(now, reason)

    def listen(self, heard: Heard | None) -> None:
        """See Driver."""
        self._decoder.heard = heard

    def command(self, command: Command) -> None:
        """See Driver."""
        self._session.command(command)


def make_driver(
    device: Device,
    now: float,
    zones: int,
    address: int,
    welcome: Callable[[Hello], bool],
    *,
    late: float = 1.0,
) -> Driver:
    """Return the driver of a device with so many zones; `address` is a FEIG reader's.

    `welcome` says whether a microcontroller that answers is the one that is wanted; readers have
    no ids. A microcontroller may be silent for `late` times as long as usual before it is lost.
    """
    match device:
        case "pico":
            return LinkDriver(now, welcome, lost_after=LOST_AFTER_S * late)
        case "pn532":
            return Pn532(now, zones)
        case "feig":
            return Feig(now, zones, address)
        case "rdm6300":
            return Rdm6300(now, zones)
        case "yrm100":
            return Yrm100(now, zones)
