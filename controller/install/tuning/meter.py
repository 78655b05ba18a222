"""What came of the scans of one antenna: shares, gaps and what its reader counted. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from msgspec import Struct

from controller.table.counting import Count

MANY = 5
"""So many tags in a scan or more are told in one figure."""
RECENT_S = 5.0
"""What is shown while somebody tunes is of so long ago at most."""
SILENT_S = 3.0
"""A board reports an antenna where nothing changes once a second."""


class Figures(Struct, frozen=True):
    """Of one antenna over some time: scans, and of those that did not fail how many had 0, 1, … 4,
    5 or more tags. `missed` reads of cards that were there are those proven by a later read, and
    `longest_gap_s` is the longest time in which one was not read. None is what the device can't
    tell, or what was not measured."""

    port: str
    zone: str
    tags: int | None
    scans: int
    by_tags: tuple[int, ...]
    failed: int
    incomplete: int
    reads: int
    missed: int
    longest_gap_s: float
    cycle_s: float | None
    slowest_cycle_s: float | None
    scan_s: float | None
    collisions: int | None
    retries: int | None
    errors: int | None

    @property
    def missed_share(self) -> float | None:
        """Of the reads that should have been, from 0 to 1; None where no card was read."""
        should = self.reads + self.missed
        return self.missed / should if should else None

    def share(self, tags: int) -> float | None:
        """Of the scans that did not fail those with so many tags, from 0 to 1; None without any."""
        whole = sum(self.by_tags)
        return self.by_tags[tags] / whole if whole else None


class Meter:
    """Adds up one antenna's counts: all of them, and those of the last seconds."""

    def __init__(self, port: str, zone: str) -> None:
        self._port = port
        self._zone = zone
        self._all = _Sum()
        self._recent: deque[tuple[float, Count, Count | None]] = deque()
        self._last: Count | None = None

    def add(self, count: Count, now: float) -> None:
        """It came at `now`."""
        self._all.add(count, self._last)
        self._recent.append((now, count, self._last))
        self._last = count
        self._forget(now)

    def whole(self) -> Figures:
        """Since the beginning."""
        return self._figures(self._all, self._last)

    def recent(self, now: float) -> Figures:
        """Of the last seconds; `tags` is None where the antenna is silent."""
        self._forget(now)
        summed = _Sum()
        for _, count, last in self._recent:
            summed.add(count, last)
        heard = self._recent[-1][0] if self._recent else None
        silent = heard is None or now - heard > SILENT_S
        return self._figures(summed, None if silent else self._last)

    def _forget(self, now: float) -> None:
        while self._recent and now - self._recent[0][0] > RECENT_S:
            self._recent.popleft()

    def _figures(self, summed: _Sum, last: Count | None) -> Figures:
        return Figures(
            self._port,
            self._zone,
            None if last is None or last.failed else last.tags,
            summed.scans,
            tuple(summed.by_tags),
            summed.failed,
            summed.incomplete,
            summed.reads,
            summed.missed,
            summed.gap_s,
            summed.timed_s / summed.timed if summed.timed else None,
            summed.slowest_s,
            summed.scan_s,
            **summed.told,
        )


class _Sum:
    def __init__(self) -> None:
        self.scans = self.failed = self.incomplete = self.reads = self.missed = self.timed = 0
        self.by_tags = [0] * (MANY + 1)
        self.gap_s = self.timed_s = 0.0
        self.slowest_s: float | None = None
        self.scan_s: float | None = None
        self.told: dict[str, int | None] = dict.fromkeys(("collisions", "retries", "errors"))

    def add(self, count: Count, last: Count | None) -> None:
        """Those that were not reported read what the `last` one did."""
        if last is not None and count.same:
            self._scans(last, count.same)
        self._scans(count, 1)
        self.missed += count.missed
        self.gap_s = max(self.gap_s, count.gap_s)
        if count.cycle_s is not None:
            self.timed += 1 + count.same
            self.timed_s += count.cycle_s * (1 + count.same)
            self.slowest_s = max(self.slowest_s or 0.0, count.cycle_s)
        if count.took_s is not None:
            self.scan_s = max(self.scan_s or 0.0, count.took_s)
        for name, before in self.told.items():
            now: int | None = getattr(count, name)
            if now is not None:
                self.told[name] = (before or 0) + now

    def _scans(self, count: Count, number: int) -> None:
        self.scans += number
        if count.failed:
            self.failed += number
            return
        self.by_tags[min(count.tags, MANY)] += number
        self.reads += count.tags * number
        self.incomplete += number * (not count.complete)


class Meters:
    """One for each antenna of a table, in the order of its settings."""

    def __init__(self, antennas: Iterable[tuple[str, str]]) -> None:
        self._meters = {antenna: Meter(*antenna) for antenna in antennas}

    def add(self, count: Count, now: float) -> bool:
        """See `Meter`; returns whether the settings have this antenna. A service that was started
        with others tells of others."""
        meter = self._meters.get((count.port, count.zone))
        if meter is not None:
            meter.add(count, now)
        return meter is not None

    def whole(self) -> list[Figures]:
        """Of each antenna since the beginning."""
        return [meter.whole() for meter in self._meters.values()]

    def recent(self, now: float) -> list[Figures]:
        """Of each antenna in the last seconds."""
        return [meter.recent(now) for meter in self._meters.values()]
