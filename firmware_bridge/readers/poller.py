"""What the pollers of all readers share, sans-I/O: bytes and time in, values and bytes out.

A poller is a driver like that of the microcontroller link (`firmware_bridge.driver`). What it
asks its reader, in which order, is a generator that yields questions and pauses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Generator
from math import inf
from typing import Generic, TypeVar

from msgspec import Struct

from firmware_bridge.cycles import SlowestCycle
from firmware_bridge.decode.stream import Splitter
from firmware_bridge.link.frames import DecoderCounters
from firmware_bridge.link.messages import Command, Hello
from firmware_bridge.link.session import State
from firmware_bridge.link.values import Done, Lost, SessionCounters, Up, Value, ZoneScan
from firmware_bridge.listening import Heard

F = TypeVar("F")

LOST_AFTER_S = 3.0
LONGEST_CYCLE_S = 1.0
SILENCE_S = 0.015
"""So long after the last byte an answer is looked for behind what came before it. Between two
bytes of a frame 12 ms are the most that any reader here may take (FEIG, H20800, 3)."""
STALL_S = 0.25
"""Whoever has the port calls several times as often: else this process has stood still."""


class Ask(Struct, Generic[F], frozen=True):
    """Send this and wait so long for a frame that fits; the generator gets it, or None."""

    data: bytes
    within_s: float
    fits: Callable[[F], bool]


class Pause(Struct, frozen=True):
    """Send nothing for so long."""

    seconds: float


Talk = Generator[Ask[F] | Pause, F | None, None]


class Poller(ABC, Generic[F]):
    """One reader with its antennas 0 … `zones`-1; `restart` when its port was opened again.

    A reader that says nothing intact for 3 s is lost, until it answers again.
    """

    family = ""
    step_s = 0.02
    lost_after_s = LOST_AFTER_S
    trouble = ""

    def __init__(self, now: float, splitter: Splitter[F], zones: int) -> None:
        self.hello: Hello | None = None
        self._splitter = splitter
        self._zones = zones
        self._counts = dict.fromkeys(SessionCounters.__struct_fields__, 0)
        self._announced = False
        self._values: list[Value] = []
        self._slowest = SlowestCycle()
        self.restart(now)

    # --- a driver's face ---

    @property
    def state(self) -> State:
        """Where the link stands."""
        return State.UP if self._announced else State.HANDSHAKE

    @property
    def decoder(self) -> DecoderCounters:
        """What came in, since the beginning."""
        return self._splitter.counters

    @property
    def counters(self) -> SessionCounters:
        """What was not used, since the beginning."""
        return SessionCounters(**self._counts)

    @property
    def clock_error(self) -> float:
        """Nothing: the times are the host's own."""
        return 0.0

    @property
    def cycle_s(self) -> float:
        """The length of the last scan cycle, in seconds."""
        return self._cycle

    @property
    def slowest_cycle_s(self) -> float | None:
        """See Driver; from one scan of an antenna to its next one."""
        return self._slowest.seconds

    def restart(self, now: float) -> None:
        """Begin anew: the port was opened, or opened again, at `now`."""
        self._splitter.reset()
        self._now = self._heard = self._came = now
        self._out = b""
        self._asked: Ask[F] | None = None
        self._until = now
        self._cycle = 0.0
        self._scans: dict[int, float] = {}
        self._slowest.forget()
        self._talking = self._talk()
        self._wants(next(self._talking))

    def keep(self, edge: int) -> None:
        """A reader has no buttons."""

    def dropped(self, now: float, reason: str) -> list[Value]:
        """The port is gone: return Lost, unless the reader was not up anyway."""
        self.restart(now)
        if not self._announced:
            return []
        self._announced = False
        self._counts["losses"] += 1
        return [Lost(now, reason)]

    def listen(self, heard: Heard | None) -> None:
        """Tell `heard` what becomes of the bytes that come; None ends it."""
        self._splitter.heard = heard

    def command(self, command: Command) -> None:
        """A reader carries out no commands: a Done says so."""
        self._values.append(Done(self._now, command, "refused", f"{self.family} has no such thing"))

    def receive(self, data: bytes, now: float) -> list[Value]:
        """Return what `data` means, and what the time that passed does."""
        if now - self._now > STALL_S:
            self._scans.clear()  # what is measured over that is not the reader's
        self._now = now
        if data:
            self._came = now
        frames = self._splitter.feed(data)
        if self._asked is not None and not frames and self._splitter.buffered:
            if now >= self._until:
                frames = self._splitter.flush()
            elif now - self._came >= SILENCE_S:
                self._came = inf  # once for what has come so far
                frames = self._splitter.settle()
        for frame in frames:
            if self._asked is not None and self._asked.fits(frame):
                self._go_on(frame)
            else:
                self._unasked(frame)
        if now >= self._until:
            if self._asked is not None:
                self._splitter.reset()
            self._go_on(None)
        values, self._values = self._values, []
        if self._announced and now - self._heard > self.lost_after_s:
            values += self.dropped(now, f"the reader has been silent for {LOST_AFTER_S:g} s")
        return values

    def poll(self, now: float) -> bytes:
        """Return the bytes that are due."""
        self._now = now
        out, self._out = self._out, b""
        return out

    # --- for the readers ---

    @abstractmethod
    def _talk(self) -> Talk[F]:
        """Ask, read and report, for ever."""

    def _unasked(self, _frame: F) -> None:
        """A frame came that answers nothing."""
        self._counts["unexpected"] += 1

    def _send(self, data: bytes) -> None:
        self._out += data

    def _up(self, name: str) -> None:
        """The reader has answered, and this is what it is."""
        if self._announced:
            return
        self._announced = True
        self._heard = self._now
        self.hello = Hello(0, b"", self._zones, 0, name)
        self._values.append(Up(self._now, self.hello, rebooted=False))

    def _scanned(self, zone: int, tags: Collection[str], *, complete: bool = True) -> None:
        """A zone was read."""
        if zone in self._scans:
            took = self._now - self._scans[zone]
            self._cycle = min(took, LONGEST_CYCLE_S)
            if took <= LOST_AFTER_S:  # else its antenna was lost
                self._slowest.took(self._cycle, self._now)
        self._scans[zone] = self._now
        self._values.append(ZoneScan(self._now, zone, tuple(sorted(set(tags))), complete=complete))

    def _failed(self, zone: int) -> None:
        """A zone could not be read: that says nothing about what lies there."""
        self._values.append(ZoneScan(self._now, zone, (), complete=False, failed=True))

    def _mangled(self, count: int) -> None:
        """So many UIDs were read that no tag can have."""
        self._counts["implausible"] += count

    # --- the conversation ---

    def _go_on(self, frame: F | None) -> None:
        self._asked = None
        if frame is not None:
            self._heard = self._now
        self._wants(self._talking.send(frame))

    def _wants(self, wish: Ask[F] | Pause) -> None:
        if isinstance(wish, Ask):
            self._splitter.reset()  # what is half received can't be the answer
            self._send(wish.data)
            self._asked = wish
            self._until = self._now + wish.within_s
        else:
            self._until = self._now + wish.seconds
