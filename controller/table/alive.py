"""Until when a table was watched: a stamp on the tmpfs, and what was missed after it.

The stamp outlives a kill of the service and no power cut; then only the journal's last line is
known. It also says how far the journal had come: a damaged one that SQLite cuts short looks whole.
All times `t` are the table's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from controller.process.boot import this_boot
from controller.table.clock import TableClock
from controller.table.service import LATE_S

Why = Literal["restart", "stall", "full disk", "disk fault"]
FILE = "watched-until"


class Numbers(Struct, frozen=True):
    """How far a journal has come: its lines, hands and findings."""

    lines: int = 0
    hands: int = 0
    findings: int = 0


class Moment(Struct, frozen=True):
    """The table's time, and the machine's."""

    t: float
    monotonic: float


class _Stamp(Struct, frozen=True):
    t: float
    boot: str
    monotonic: float
    numbers: Numbers


class Missed(Struct, frozen=True):
    """Nobody watched from `began` to `ended`, times of day in seconds since 1970, `began` None
    where it is not known. `hand` is the one that ran, if one did."""

    why: Why
    hand: int | None
    began: float | None
    ended: float

    @property
    def words(self) -> str:
        """For the people at the table."""
        began = "?" if self.began is None else _of_day(self.began)
        return f"not watched {began}–{_of_day(self.ended)} ({self.why})"


class Alive:
    """Keeps the stamp of one table in a folder, and knows how long ago the last one was."""

    def __init__(self, folder: Path, clock: TableClock) -> None:
        """The folder is there."""
        self._file = folder / FILE
        self._clock = clock
        self._boot = this_boot()
        self._last = self._read()
        self.is_dated = False
        """Whether it is known how long ago the table was watched last."""

    @property
    def numbers(self) -> Numbers:
        """How far the journal had come when that was stamped last."""
        return Numbers() if self._last is None else self._last.numbers

    def is_cut(self, lines: int, hands: int) -> bool:
        """Whether the end of a journal is missing that has so many lines and tells of so many
        hands."""
        return lines < self.numbers.lines or hands < self.numbers.hands

    def goes_on_from(self, t: float) -> float:
        """Lets the clock go on from the journal's last `t`, with the time that has passed since,
        where that is known; returns until when the table was watched. What was read or entered
        just before a stamp has been dated back."""
        stamp = self._last
        away = None if stamp is None else time.monotonic() - stamp.monotonic
        if stamp is None or stamp.boot != self._boot or away is None or away < 0:
            self._clock.goes_on_from(t)
            return t
        self.is_dated = True
        self._clock.goes_on_from(max(t, stamp.t + away * self._clock.speed))
        return max(t, stamp.t - LATE_S)

    def moment(self) -> Moment:
        """This one."""
        return Moment(self._clock.now(), time.monotonic())

    def stamp(self, at: Moment, numbers: Numbers, lost_since: float | None) -> None:
        """The table was watched at a moment, or nothing is recorded since some `t`. What can't be
        written is not known later."""
        now, monotonic = at.t, at.monotonic
        if lost_since is not None:
            now, monotonic = lost_since, monotonic - (now - lost_since) / self._clock.speed
        stamp = _Stamp(now, self._boot, monotonic, numbers)
        try:
            fresh = self._file.with_name(f"{FILE}.new")
            fresh.write_bytes(msgspec.json.encode(stamp))
            fresh.replace(self._file)
        except OSError:
            pass

    def _read(self) -> _Stamp | None:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=_Stamp)
        except (OSError, msgspec.MsgspecError):
            return None


class Stamps:
    """Has it stamped that a table is watched, once all that was told until then is on the disk:
    after a kill it would be missing. A disk that never rests does not keep it from that."""

    def __init__(
        self,
        alive: Alive,
        *,
        after: Callable[[Callable[[], None]], None],
        numbers: Callable[[], Numbers],
        lost_since: Callable[[], float | None],
    ) -> None:
        """`after` calls what it is given once all that was told before is on the disk; the
        `numbers` are those of what was told."""
        self._alive = alive
        self._after = after
        self._numbers = numbers
        self._lost_since = lost_since
        self._waits = False

    def due(self) -> None:
        """It is time for a stamp; while one waits for the disk, no other does."""
        if not self._waits:
            self._waits = True
            self._after(partial(self._stamp, self._alive.moment(), self._numbers()))

    def _stamp(self, at: Moment, numbers: Numbers) -> None:
        self._waits = False
        self._alive.stamp(at, numbers, self._lost_since())


def _of_day(at: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at))
