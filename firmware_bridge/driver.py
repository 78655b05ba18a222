"""What stands between a port's bytes and the bridge: one kind of driver for each kind of device.

All are sans-I/O. A driver for a reader that is attached directly is the reader's poller.
"""

from __future__ import annotations

from typing import Protocol

from firmware_bridge.link.frames import DecoderCounters
from firmware_bridge.link.messages import Command, Hello
from firmware_bridge.link.session import State
from firmware_bridge.link.values import SessionCounters, Value
from firmware_bridge.listening import Heard


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
    def slowest_cycle_s(self) -> float | None:
        """The slowest scan cycle that was measured in the last minute; None where none was."""

    @property
    def trouble(self) -> str:
        """What a person has to put right at a device that answers; empty if nothing."""

    def restart(self, now: float) -> None:
        """The port was opened, or opened again."""

    def receive(self, data: bytes, now: float) -> list[Value]:
        """Return what `data` means, and what the time that passed does."""

    def poll(self, now: float) -> bytes:
        """Return the bytes that are due."""

    def keep(self, edge: int) -> None:
        """The edge of this number is kept, and need not be told again."""

    def dropped(self, now: float, reason: str) -> list[Value]:
        """The port is gone: return what follows."""

    def listen(self, heard: Heard | None) -> None:
        """From now on tell `heard` what becomes of the bytes that come; None ends it."""

    def command(self, command: Command) -> None:
        """Carry out a command; a Done will follow. Raises QueueFullError."""
