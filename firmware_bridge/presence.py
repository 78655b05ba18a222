"""Flickering reads -> seen and gone. Pure: scans and their times in, sensed values out.

Each scan is the full set of tags that one antenna read. A resting card may be read only
every second time, an antenna may read its neighbour's card, and two colliding tags may
be read as a third that is the bitwise OR of both; what comes out is free of all three.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from math import inf
from typing import Literal

from msgspec import Struct

from firmware_bridge.sensed import Gone, Reader, Seen

Output = Seen | Gone | Reader


class Thresholds(Struct, frozen=True):
    """When reads become facts. Times in seconds, counts in scans of the zone concerned."""

    hits_to_arrive: int = 2
    misses_to_leave: int = 3
    absent_s: float = 0.8
    hits_to_move: int = 3
    misses_to_yield: int = 2
    silent_s: float = 3.0


class PresenceCounters(Struct, frozen=True, gc=False):
    """Ghost reads ignored, contests between neighbours, moves they led to, repeated scans."""

    ghosts: int = 0
    contests: int = 0
    moves: int = 0
    repeats: int = 0


class _Track:
    """One tag in one zone's field; `present` once it has been given out as seen."""

    __slots__ = ("contested", "first", "hits", "last", "misses", "present")

    def __init__(self, t: float) -> None:
        self.first = self.last = t
        self.hits = self.misses = 0
        self.present = self.contested = False

    def hit(self, t: float) -> None:
        if not self.hits:
            self.first = t
        self.hits += 1
        self.misses = 0
        self.last = t

    def concede(self) -> None:
        """The tag is the neighbour's now; what is read here starts at nothing."""
        self.hits = 0
        self.present = self.contested = False


class _Zone:
    def __init__(self, start: float) -> None:
        self.tracks: dict[str, _Track] = {}
        self.status: Literal["new", "ok", "lost"] = "new"
        self.last_scan = -inf
        self.heard = start
        self.lost_at = -inf


def rows(zones: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return each zone's neighbours where zones are numbered in a row: `x/3` lies by `x/4`."""
    names = frozenset(zones)
    neighbours = {}
    for name in names:
        row, _, number = name.rpartition("/")
        beside = {f"{row}/{int(number) + d}" for d in (-1, 1)} if number.isdecimal() else set()
        neighbours[name] = names & beside if row else frozenset()
    return neighbours


class Presence:
    """The tags in all zones of one table.

    `neighbours` says whose antennas may read each other's tags; `registered` whether a
    tag is known to the table. `start` is the time from which the zones are expected to
    report.
    """

    def __init__(
        self,
        zones: Sequence[str],
        *,
        start: float,
        neighbours: Mapping[str, frozenset[str]],
        registered: Callable[[str], bool],
        thresholds: Thresholds | None = None,
    ) -> None:
        self._zones = {zone: _Zone(start) for zone in zones}
        self._neighbours = {
            zone: tuple(sorted(neighbours.get(zone, frozenset()) & self._zones.keys()))
            for zone in zones
        }
        self._registered = registered
        self._limits = thresholds or Thresholds()
        self._single: dict[tuple[str, str], float] = {}
        self._counts = dict.fromkeys(PresenceCounters.__struct_fields__, 0)

    @property
    def counters(self) -> PresenceCounters:
        """The counters since the beginning."""
        return PresenceCounters(**self._counts)

    def lost_zones(self) -> tuple[str, ...]:
        """Return the zones whose reader is lost."""
        return tuple(name for name, zone in self._zones.items() if zone.status == "lost")

    def present(self) -> dict[str, frozenset[str]]:
        """Return what lies in each zone that is being read."""
        return {
            name: frozenset(tag for tag, track in zone.tracks.items() if track.present)
            for name, zone in self._zones.items()
            if zone.status == "ok"
        }

    def unconfirmed(self) -> Iterable[float]:
        """Return the times of first hits that still lack their second one."""
        return self._single.values()

    def scan(
        self, zone: str, t: float, tags: Iterable[str], *, complete: bool = True
    ) -> list[Output]:
        """Take in the full set that `zone` read at `t` and return what follows from it.

        A Seen has the time of the first hit, a Gone the time of the scan that settled it. A
        tag that moves between neighbours is gone and seen at one time: its first hit at the
        new zone, or its last at the old one where that is later. An incomplete set shows
        what is there, never what is not. A scan not later than the last one is ignored.
        """
        here = self._zones[zone]
        out: list[Output] = []
        if here.status == "lost":
            t = max(t, here.lost_at)
            out += self._resume(zone, here, t)
        elif t <= here.last_scan:
            self._counts["repeats"] += 1
            return []
        here.status = "ok"
        here.last_scan = here.heard = t
        read = self._real(here, frozenset(tags))
        for tag in sorted(read):
            out += self._hit(zone, here, tag, t)
        if complete:
            for tag in [tag for tag in here.tracks if tag not in read]:
                out += self._miss(zone, here, tag, t)
        return out

    def lost(self, zone: str, t: float) -> list[Output]:
        """The reader behind `zone` is lost. What lies there is kept as it was."""
        here = self._zones[zone]
        if here.status == "lost":
            return []
        here.status = "lost"
        here.lost_at = t
        for tag in [tag for tag, track in here.tracks.items() if not track.present]:
            self._forget(zone, here, tag)
        return [Reader(t, zone, "lost")]

    def check(self, now: float) -> list[Output]:
        """Return Reader values for the zones that have given no scan for too long."""
        return [
            value
            for name, zone in self._zones.items()
            if now - zone.heard > self._limits.silent_s
            for value in self.lost(name, now)
        ]

    def _resume(self, zone: str, here: _Zone, t: float) -> list[Output]:
        """The reader is back: tags that are still there never left, and others have their time."""
        out: list[Output] = [Reader(t, zone, "ok")]
        for tag, track in list(here.tracks.items()):
            if self._holder(zone, tag):
                self._forget(zone, here, tag)
                out.append(Gone(t, zone, tag))
            else:
                track.misses = 0
                track.last = t
        return out

    def _real(self, here: _Zone, tags: frozenset[str]) -> frozenset[str]:
        """Return the tags without collision ghosts, which are counted."""
        strangers = [tag for tag in tags if not self._registered(tag)]
        if not strangers:
            return tags
        around = tags | here.tracks.keys()
        ghosts = {tag for tag in strangers if _is_union(tag, around)}
        self._counts["ghosts"] += len(ghosts)
        return tags - ghosts

    def _holder(self, zone: str, tag: str) -> str | None:
        """Return the neighbour that has the tag and whose reader works."""
        for name in self._neighbours[zone]:
            there = self._zones[name]
            if there.status != "lost" and tag in there.tracks and there.tracks[tag].present:
                return name
        return None

    def _hit(self, zone: str, here: _Zone, tag: str, t: float) -> list[Output]:
        track = here.tracks.get(tag)
        if track is None:
            track = here.tracks[tag] = _Track(t)
        track.hit(t)
        if track.present:
            return []
        if track.hits < self._limits.hits_to_arrive:
            self._single[zone, tag] = track.first
            return []
        self._single.pop((zone, tag), None)
        holder = self._holder(zone, tag)
        if holder is None:
            track.present = True
            return [Seen(track.first, zone, tag)]
        if not track.contested and not self._zones[holder].tracks[tag].misses:
            track.contested = True
            self._counts["contests"] += 1
        return self._move(tag, holder, zone)

    def _miss(self, zone: str, here: _Zone, tag: str, t: float) -> list[Output]:
        track = here.tracks[tag]
        track.misses += 1
        if track.present:
            for name in self._neighbours[zone]:
                if self._zones[name].status == "ok" and tag in self._zones[name].tracks:
                    moved = self._move(tag, zone, name)
                    if moved:
                        return moved
        if track.misses < self._limits.misses_to_leave or t - track.last < self._limits.absent_s:
            return []
        self._forget(zone, here, tag)
        return [Gone(t, zone, tag)] if track.present else []

    def _move(self, tag: str, source: str, target: str) -> list[Output]:
        """Give the tag to `target` if it has earned it and `source` has stopped reading it."""
        old, new = self._zones[source].tracks[tag], self._zones[target].tracks[tag]
        if new.misses or new.hits < self._limits.hits_to_move:
            return []
        if old.misses < self._limits.misses_to_yield:
            return []
        t = max(new.first, old.last)
        old.concede()
        new.present, new.contested = True, False
        self._counts["moves"] += 1
        return [Gone(t, source, tag), Seen(t, target, tag)]

    def _forget(self, zone: str, here: _Zone, tag: str) -> None:
        del here.tracks[tag]
        self._single.pop((zone, tag), None)


def _is_union(tag: str, around: Iterable[str]) -> bool:
    """Whether a UID is the bitwise OR of two others of its length."""
    union = int(tag, 16)
    parts = [
        value
        for value in (int(other, 16) for other in around if len(other) == len(tag))
        if value != union and value | union == union
    ]
    return any(a | b == union for a, b in combinations(parts, 2))
