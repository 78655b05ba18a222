"""How well each antenna reads, in numbers: nothing in them says which card was read.

A card that is read again within a few seconds was there all the time: the scans in between have
missed it. One that stays away longer was taken away.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from firmware_bridge.link.messages import Tally
from firmware_bridge.link.values import ZoneScan

TAKEN_AWAY_S = 5.0
BURST_S = 0.7
"""Reports closer together than that are of scan after scan."""
_WRAPS = 1 << 32
_MOST_SCANS = 10_000
"""More between two reports are no scans, but a device that has begun anew."""


class Count(Struct, frozen=True, tag_field="kind", tag="count"):
    """One report of an antenna at the table's time `t`, which has read so many `tags`; `same` scans
    before it were not reported, since they read what the one before did.

    If not `complete` there are more than could be told apart; a scan that `failed` says nothing.
    `missed` counts the scans that have missed a card which was read again just now, for each such
    card, and `gap_s` is the longest time between two reads of one; 0 where none was.
    `collisions`, `retries` and `errors` came since the report before (see `Tally`); None is what
    the device can't tell. `cycle_s` is how long it took from one scan to the next, `took_s` how
    long the scan itself took.
    """

    t: float
    port: str
    zone: str
    tags: int
    same: int = 0
    complete: bool = True
    failed: bool = False
    missed: int = 0
    gap_s: float = 0.0
    cycle_s: float | None = None
    took_s: float | None = None
    collisions: int | None = None
    retries: int | None = None
    errors: int | None = None


class Counting:
    """Counts what the antennas of a table read, from now on."""

    def __init__(self, cycle_s: Callable[[str], float | None]) -> None:
        """`cycle_s` guesses the scan cycle of a port's device, where that leaves scans out and does
        not say how many; None where it reports them all."""
        self._cycle_s = cycle_s
        self._antennas: dict[tuple[str, str], _Antenna] = {}

    def scanned(self, port: str, zone: str, scan: ZoneScan) -> Count:
        """What a scan came to."""
        antenna = self._antennas.setdefault((port, zone), _Antenna())
        silent = antenna.left_out(scan, lambda: self._cycle_s(port))
        return antenna.count(port, zone, scan, silent)


class _Antenna:
    def __init__(self) -> None:
        self._last: ZoneScan | None = None
        self._scans = 0
        self._read: dict[str, tuple[int, float]] = {}
        self._shortest = BURST_S

    def left_out(self, scan: ZoneScan, guess: Callable[[], float | None]) -> int:
        """How many scans there were between the last report and this one."""
        last = self._last
        if last is None or scan.t <= last.t:
            return 0
        if scan.tally is not None and last.tally is not None:
            return _since(scan.tally.scans, last.tally.scans, _MOST_SCANS) - 1
        cycle_s = guess()
        if cycle_s is None:
            return 0
        self._shortest = min(self._shortest, scan.t - last.t)
        cycle = self._shortest if self._shortest < BURST_S else cycle_s
        return max(round((scan.t - last.t) / cycle) - 1, 0) if cycle else 0

    def count(self, port: str, zone: str, scan: ZoneScan, silent: int) -> Count:
        last, self._last = self._last, scan
        cycle = None
        if last is not None and scan.t > last.t:
            cycle = (scan.t - last.t) / (silent + 1)
        missed, gap_s = self._missed(scan, last, silent, cycle or 0.0)
        return Count(
            scan.t,
            port,
            zone,
            len(scan.tags),
            silent,
            complete=scan.complete or scan.failed,
            failed=scan.failed,
            missed=missed,
            gap_s=round(gap_s, 6),
            cycle_s=cycle,
            took_s=None if scan.tally is None else scan.tally.took_us / 1e6,
            **_counted(scan.tally, None if last is None else last.tally),
        )

    def _missed(
        self, scan: ZoneScan, last: ZoneScan | None, silent: int, cycle_s: float
    ) -> tuple[int, float]:
        """How many scans have missed the tags that are read again now, and the longest time."""
        read = self._read
        if last is not None and not last.failed and silent:
            self._scans += silent
            for tag in last.tags:
                read[tag] = self._scans, scan.t - cycle_s
        if scan.failed:
            return 0, 0.0
        for tag, (_, t) in list(read.items()):
            if scan.t - t > TAKEN_AWAY_S:
                del read[tag]
        self._scans += 1
        missed, gap_s = 0, 0.0
        for tag in scan.tags:
            number, t = read.get(tag, (self._scans - 1, scan.t))
            if number < self._scans - 1:
                missed += self._scans - 1 - number
                gap_s = max(gap_s, scan.t - t)
            read[tag] = self._scans, scan.t
        return missed, gap_s


def _since(now: int, before: int, most: int) -> int:
    """How much a counter has grown, at least 1; 1 where its device has begun anew."""
    grown = (now - before) % _WRAPS
    return grown if 0 < grown <= most else 1


def _counted(now: Tally | None, before: Tally | None) -> dict[str, int | None]:
    """What came since the report before; 0 where nothing is known of that."""
    names = ("collisions", "retries", "errors")
    if now is None:
        return dict.fromkeys(names)
    began_anew = before is not None and (now.scans - before.scans) % _WRAPS > _MOST_SCANS
    counted: dict[str, int | None] = {}
    for name in names:
        count, base = getattr(now, name), None if before is None else getattr(before, name)
        if began_anew:
            base = 0
        elif base is None:
            base = count
        counted[name] = None if count is None else (count - base) % _WRAPS
    return counted
