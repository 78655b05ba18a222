"""The room's time: milliseconds that never go back, whatever is done to the machine's clocks.

It goes with CLOCK_BOOTTIME, which counts on while the machine sleeps and knows nothing of
the wall clock. A restart of the program goes on from it; only after a restart of the machine has
the wall clock to tell how long it was off.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import copy

from msgspec import Struct

from controller.contract.messages import ClockCause
from controller.process.boot import this_boot

_MS = 1_000_000


class Reading(Struct, frozen=True):
    """The machine's clocks at one moment; `boot` names this run of the machine."""

    boot: str
    boot_ms: int
    monotonic_ms: int
    wall_ms: int


class Beat(Struct, frozen=True):
    """The room's time beside the machine's clocks, as it is kept for the next start by the run of
    this `session`."""

    room_ms: int
    boot: str
    boot_ms: int
    wall_ms: int
    session: str = ""


class Slip(Struct, frozen=True):
    """What befell the machine's clocks since they were last looked at: how long it slept, and by
    how much the wall clock was set. Where that one told how long the machine was off, `wall_ms`
    is by how much longer it was."""

    slept_ms: int
    wall_ms: int


class Since(Struct, frozen=True):
    """When this room was last there, and why it was away."""

    stopped_ms: int
    now_ms: int
    cause: ClockCause


def readings() -> Callable[[], Reading]:
    """Reads the machine's clocks, each time it is called."""
    boot = this_boot()

    def read() -> Reading:
        return Reading(
            boot,
            time.clock_gettime_ns(time.CLOCK_BOOTTIME) // _MS,
            time.monotonic_ns() // _MS,
            time.time_ns() // _MS,
        )

    return read


class RoomClocks:
    """Keeps the room's time, from where `last` left it if that is known."""

    def __init__(self, read: Callable[[], Reading], last: Beat | None = None) -> None:
        now = read()
        self._read = read
        self._seen = now
        self.since = None if last is None else _since(last, now)
        self._off_ms: int | None = None
        if last is not None and self.since is not None and self.since.cause == "power":
            self._off_ms = now.wall_ms - last.wall_ms
        room_ms = now.wall_ms if self.since is None else self.since.now_ms
        self._base_ms = room_ms - now.boot_ms

    def beside(self, last: Beat | None) -> RoomClocks:
        """The same time for what was last there at `last`, and looks at the machine's clocks on
        its own."""
        own, now = copy(self), self._read()
        own._seen, own.since, own._off_ms = now, None, None
        if last is not None:
            cause = _since(last, now).cause
            own.since = Since(last.room_ms, self.now_ms(), cause)
            own._off_ms = now.wall_ms - last.wall_ms if cause == "power" else None
        return own

    def now_ms(self) -> int:
        """The room's time."""
        return self._base_ms + self._read().boot_ms

    def wall_ms(self) -> int:
        """The wall clock, for nothing but to be shown."""
        return self._read().wall_ms

    def beat(self, session: str) -> Beat:
        """What is to be kept of this moment."""
        now = self._read()
        return Beat(self._base_ms + now.boot_ms, now.boot, now.boot_ms, now.wall_ms, session)

    def look(self) -> Slip:
        """What befell the machine's clocks since the last look."""
        before, now = self._seen, self._read()
        self._seen = now
        asleep = (now.boot_ms - now.monotonic_ms) - (before.boot_ms - before.monotonic_ms)
        moved = (now.wall_ms - now.boot_ms) - (before.wall_ms - before.boot_ms)
        if self._off_ms is not None:  # less than no time while the wall clock is behind
            was_ms, self._off_ms = self._off_ms, self._off_ms + moved
            moved = max(0, self._off_ms) - max(0, was_ms)
        return Slip(asleep, moved)


def _since(last: Beat, now: Reading) -> Since:
    same = bool(now.boot) and now.boot == last.boot and now.boot_ms >= last.boot_ms
    away_ms = now.boot_ms - last.boot_ms if same else max(0, now.wall_ms - last.wall_ms)
    return Since(last.room_ms, last.room_ms + away_ms, "restart" if same else "power")
