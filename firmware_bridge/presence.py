"""Flickering reads -> seen and gone. Pure: scans and their times in, sensed values out.

Each scan is the full set of tags that one antenna read. A resting card may be read only
every second time, an antenna may read its neighbour's card, and two colliding tags may
be read as a third that is the bitwise OR of both; what comes out is free of all three.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from firmware_bridge.ghosts import is_collision, is_mangled
from firmware_bridge.sensed import Gone, Reader, Seen
from firmware_bridge.tracks import Track, ZoneState, ZoneTracks

Output = Seen | Gone | Reader
MAX_TAGS = 256
"""More than lie in any one field, two decks in the stub included."""
MOST_PATIENCE = 3
"""Misses beyond the usual number, at most."""
HITS_TO_COMPARE = 8
"""Hits before how well a tag is read says anything."""
MOST_AHEAD = 6
"""Hits after which a tag arrives whatever its neighbour reads."""
TOLD_FOR_S = 5.0
"""How long a contest is reported after it was last seen."""


class Thresholds(Struct, frozen=True):
    """When reads become facts. Times in seconds, counts in scans of the zone concerned.

    The hits of a tag that arrives are at least `rests_s` apart: a pitched card slides over others'
    antennas.
    A tag that is read badly where it lies needs up to three more misses to leave or to move:
    `patience` for each that comes between two hits on average. Where a neighbour reads it
    too, it needs `hits_ahead` more hits than there to arrive. It moves to a neighbour that
    reads it alone, or `stronger_db` stronger, or with fewer misses between hits by `steadier_by`. A
    zone whose sets have been incomplete for `incomplete_s` is reported, one that has been
    silent for `silent_s` is lost.
    """

    hits_to_arrive: int = 2
    rests_s: float = 0.09
    misses_to_leave: int = 3
    absent_s: float = 0.8
    patience: float = 6.0
    hits_ahead: int = 2
    hits_to_move: int = 3
    misses_to_yield: int = 2
    stronger_db: float = 6.0
    steadier_by: float = 1.0
    incomplete_s: float = 2.0
    silent_s: float = 3.0


class PresenceCounters(Struct, frozen=True, gc=False):
    """Reads and scans that were not used as they were, by cause.

    `ghosts` are collisions, `mangled` UIDs of one byte, `contests` between neighbours and
    the `moves` they led to, `repeats` scans that had been there already, `overflow` tags beyond
    the most that a zone can hold.
    """

    ghosts: int = 0
    mangled: int = 0
    contests: int = 0
    moves: int = 0
    repeats: int = 0
    overflow: int = 0


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

    `neighbours` says whose antennas may read each other's tags, one way or both; `registered`
    whether a tag is known to the table. `start` is the time from which the zones are expected to
    report. `special` gives the thresholds of single zones, `thresholds` those of all others.
    """

    def __init__(
        self,
        zones: Sequence[str],
        *,
        start: float,
        neighbours: Mapping[str, frozenset[str]],
        registered: Callable[[str], bool],
        thresholds: Thresholds | None = None,
        special: Mapping[str, Thresholds] | None = None,
    ) -> None:
        self._zones = {zone: ZoneTracks(start) for zone in zones}
        self._neighbours = {
            zone: tuple(
                other
                for other in sorted(self._zones)
                if other in neighbours.get(zone, ()) or zone in neighbours.get(other, ())
            )
            for zone in zones
        }
        self._registered = registered
        usual = thresholds or Thresholds()
        self._limits = {zone: (special or {}).get(zone, usual) for zone in zones}
        self._single: dict[tuple[str, str], float] = {}
        self._contests: dict[tuple[str, str], float] = {}
        self._newest = start
        self._counts = dict.fromkeys(PresenceCounters.__struct_fields__, 0)

    @property
    def counters(self) -> PresenceCounters:
        """The counters since the beginning."""
        return PresenceCounters(**self._counts)

    def lost_zones(self) -> tuple[str, ...]:
        """Return the zones whose reader is lost."""
        return tuple(name for name, zone in self._zones.items() if zone.status == "lost")

    def contested(self) -> tuple[tuple[str, str], ...]:
        """Return the pairs of zones that both kept reading one tag of late."""
        return tuple(
            sorted(pair for pair, t in self._contests.items() if self._newest - t <= TOLD_FOR_S)
        )

    def incomplete(self) -> tuple[str, ...]:
        """Return the zones where for some time now not all tags could be told apart."""
        return tuple(
            name
            for name, zone in self._zones.items()
            if zone.status == "ok"
            and zone.last_scan - zone.whole >= self._limits[name].incomplete_s
        )

    def ghosts(self) -> dict[str, int]:
        """Return how many collision ghosts were read in each zone that had any."""
        return {name: zone.ghosts for name, zone in self._zones.items() if zone.ghosts}

    def present(self) -> dict[str, frozenset[str]]:
        """Return what lies in each zone that is being read."""
        return {
            name: frozenset(tag for tag, track in zone.tracks.items() if track.present)
            for name, zone in self._zones.items()
            if zone.status == "ok"
        }

    def tracked(self) -> dict[str, dict[str, bool]]:
        """Return the tags that are read in each zone, and whether each has arrived there."""
        return {
            name: {tag: track.present for tag, track in zone.tracks.items()}
            for name, zone in self._zones.items()
        }

    def states(self) -> dict[str, ZoneState]:
        """Return how each zone has been read."""
        return {name: zone.state for name, zone in self._zones.items()}

    def resume(
        self, zone: str, tags: Iterable[str], t: float, state: ZoneState | None = None
    ) -> None:
        """These tags have been lying in `zone` until `t`, and everybody knows; where `state` tells
        how it has been read, until it was heard of last."""
        here = self._zones[zone]
        if state is not None:
            here.resume(state)
            t = state.heard
        for tag in tags:
            track = here.tracks[tag] = Track(t)
            track.hit(t)
            track.present = True

    def is_at_rest(self) -> bool:
        """Whether no tag is coming or leaving: none has been hit once, or missed, and no more."""
        missed = (
            track.present and track.misses
            for zone in self._zones.values()
            for track in zone.tracks.values()
        )
        return not self._single and not any(missed)

    def unconfirmed(self) -> Iterable[float]:
        """Return the times of first hits that still lack their second one."""
        return self._single.values()

    def scan(
        self,
        zone: str,
        t: float,
        tags: Iterable[str],
        *,
        complete: bool = True,
        signals: Mapping[str, float] | None = None,
    ) -> list[Output]:
        """Take in the full set that `zone` read at `t` and return what follows from it.

        A Seen has the time of the first hit, a Gone the time of the scan that settled it. A
        tag that moves between neighbours is gone and seen at one time: its first hit at the
        new zone since the old one read it last. An incomplete set shows what is there, never what
        is not. A scan not later than the last one is ignored. `signals` gives how strong tags
        were read, in dB, where the reader tells it.
        """
        here = self._zones[zone]
        out: list[Output] = []
        if here.status == "lost":
            t = max(t, here.lost_at)
            out += self._resume(zone, here, t)
        elif t <= here.last_scan:
            self._counts["repeats"] += 1
            return []
        read = self._real(here, frozenset(tags))
        scans = here.scanned(t, complete=complete)
        self._newest = max(self._newest, t)
        for tag in sorted(read):
            track = self._track(here, tag, t)
            if track is not None:
                track.signal = signals.get(tag) if signals else None
                out += self._hit(zone, tag, track, t)
        unread = [tag for tag in here.tracks if tag not in read]
        if complete:
            for tag in unread:
                out += self._miss(zone, here, tag, t, scans)
        else:
            self._forget_old(zone, here, unread, t)
        return out

    def failed(self, zone: str, t: float) -> None:
        """The reader did not answer at `t`: a time-out is no empty field."""
        self._zones[zone].failed(t)

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
            if now - zone.heard > self._limits[name].silent_s
            for value in self.lost(name, now)
        ]

    def _resume(self, zone: str, here: ZoneTracks, t: float) -> list[Output]:
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

    def _real(self, here: ZoneTracks, tags: frozenset[str]) -> frozenset[str]:
        """Return the tags without those that no tag has, which are counted."""
        strangers = [
            tag
            for tag in tags
            if not self._registered(tag) and not (tag in here.tracks and here.tracks[tag].present)
        ]
        if not strangers:
            return tags
        mangled = {tag for tag in strangers if is_mangled(tag)}
        tags -= mangled
        known = here.tracks.keys()
        ghosts = {
            tag for tag in strangers if tag in tags and is_collision(tag, tags - {tag}, known)
        }
        here.ghosts += len(ghosts)
        self._counts["ghosts"] += len(ghosts)
        self._counts["mangled"] += len(mangled)
        return tags - ghosts

    def _track(self, here: ZoneTracks, tag: str, t: float) -> Track | None:
        """Return the tag's track, a new one if need be and there is room."""
        track = here.tracks.get(tag)
        if track is None:
            if len(here.tracks) >= MAX_TAGS:
                self._counts["overflow"] += 1
                return None
            track = here.tracks[tag] = Track(t)
        return track

    def _around(self, zone: str, tag: str) -> Iterable[tuple[str, Track]]:
        """Return the tag's tracks at the neighbours whose readers work."""
        for name in self._neighbours[zone]:
            there = self._zones[name]
            if there.status != "lost" and tag in there.tracks:
                yield name, there.tracks[tag]

    def _holder(self, zone: str, tag: str) -> str | None:
        """Return the neighbour that has the tag and whose reader works."""
        return next((name for name, track in self._around(zone, tag) if track.present), None)

    def _hit(self, zone: str, tag: str, track: Track, t: float) -> list[Output]:
        track.hit(t)
        if track.present:
            self._not_alone(zone, tag)
            return []
        limits = self._limits[zone]
        holder = self._holder(zone, tag)
        if holder is not None:
            self._single.pop((zone, tag), None)
            self._contest(zone, holder, tag, t)
            return self._move(tag, holder, zone)
        rivals = (other for _, other in self._around(zone, tag) if not other.misses)
        rival = max((other.hits for other in rivals), default=0)
        needed = max(limits.hits_to_arrive, min(rival + limits.hits_ahead, MOST_AHEAD))
        enough = track.hits >= (needed if rival else limits.hits_to_arrive)
        if not enough or (limits.hits_to_arrive > 1 and t - track.first < limits.rests_s):
            self._single[zone, tag] = track.first
            return []
        self._single.pop((zone, tag), None)
        track.present = True
        return [Seen(track.first, zone, tag)]

    def _contest(self, zone: str, holder: str, tag: str, t: float) -> None:
        """Both read the tag: count it once, and report it if it goes on."""
        track, held = self._zones[zone].tracks[tag], self._zones[holder].tracks[tag]
        limits = self._limits[zone]
        if track.hits < limits.hits_to_arrive or held.misses >= limits.misses_to_yield:
            return
        if not track.contested:
            track.contested = True
            self._counts["contests"] += 1
        if track.hits >= limits.hits_to_move:
            self._contests[min(zone, holder), max(zone, holder)] = t

    def _miss(self, zone: str, here: ZoneTracks, tag: str, t: float, scans: int) -> list[Output]:
        track = here.tracks[tag]
        if track.present and not track.misses:
            self._not_alone(zone, tag)
        track.miss(t, scans, here.cycle)
        if track.present:
            for name, _ in self._around(zone, tag):
                moved = self._move(tag, zone, name)
                if moved:
                    return moved
        limits = self._limits[zone]
        more = self._more(zone, track) if track.present else 0
        if track.misses < limits.misses_to_leave + more:
            return []
        if t - track.last < limits.absent_s + more * here.cycle:
            return []
        self._forget(zone, here, tag)
        return [Gone(t, zone, tag)] if track.present else []

    def _move(self, tag: str, source: str, target: str) -> list[Output]:
        """Give the tag to `target` if it has earned it: by a stronger signal, or by hits since
        `source` stopped reading it."""
        old, new = self._zones[source].tracks[tag], self._zones[target].tracks[tag]
        limits = self._limits[target]
        if new.misses or new.hits < limits.hits_to_move:
            return []
        if any(track.present for name, track in self._around(target, tag) if name != source):
            return []
        stronger = (
            old.signal is not None
            and new.signal is not None
            and new.signal - old.signal >= limits.stronger_db
        )
        more = self._more(source, old)
        alone = (
            new.alone >= limits.hits_to_move + more and old.misses >= limits.misses_to_yield + more
        )
        steadier = new.hits >= HITS_TO_COMPARE and old.shaky - new.shaky >= limits.steadier_by
        if not stronger and not alone and not steadier:
            return []
        t = new.alone_since if alone else new.last
        old.concede()
        new.present, new.contested = True, False
        self._counts["moves"] += 1
        return [Gone(t, source, tag), Seen(t, target, tag)]

    def _not_alone(self, zone: str, tag: str) -> None:
        """The zone that holds the tag has read it until now, reported or not."""
        for _, other in self._around(zone, tag):
            other.alone = 0

    def _more(self, zone: str, track: Track) -> int:
        """Return how many misses more than usual say something of a tag that is read badly."""
        return min(round(self._limits[zone].patience * track.shaky), MOST_PATIENCE)

    def _forget_old(self, zone: str, here: ZoneTracks, unread: Iterable[str], t: float) -> None:
        """Hits too far apart do not add up, even where nothing proves absence."""
        for tag in unread:
            track = here.tracks[tag]
            if not track.present and t - track.last > self._limits[zone].silent_s:
                self._forget(zone, here, tag)

    def _forget(self, zone: str, here: ZoneTracks, tag: str) -> None:
        del here.tracks[tag]
        self._single.pop((zone, tag), None)
