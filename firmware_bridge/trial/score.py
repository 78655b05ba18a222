"""What presence made of the simulated field, judged by where the cards really were."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, inf

from msgspec import Struct

from firmware_bridge.sensed import Gone, Reader, Seen
from firmware_bridge.trial.antennas import STACKS, Antennas, Scan
from firmware_bridge.trial.felt import Stay

LONG_STAY_S = 2.0
"""A card that rests for so long has to be seen."""
STUCK_S = 3.0
"""A card that left has to be gone after so long."""


class Delays(Struct, frozen=True):
    """How many there were, and how late: median, 99th percentile and the most, in seconds."""

    count: int
    median_s: float
    p99_s: float
    most_s: float


def delays(values: Sequence[float]) -> Delays:
    """Sum up; without values all is 0."""
    if not values:
        return Delays(0, 0.0, 0.0, 0.0)
    ranked = sorted(values)
    return Delays(
        len(ranked), *(ranked[max(0, ceil(len(ranked) * at) - 1)] for at in (0.5, 0.99, 1.0))
    )


class Score:
    """Takes what presence gives out; `antennas` knows the truth, `neighbours` who is beside whom.

    The counters count by cause. A stay is missed if it was long and the card was not given
    out as lying there when it ended. A departure is stuck if the card is still given out as lying
    there long after it left.
    """

    def __init__(self, antennas: Antennas, neighbours: Mapping[str, Iterable[str]]) -> None:
        self.false_arrivals: Counter[str] = Counter()
        self.false_departures: Counter[str] = Counter()
        self.missed: Counter[str] = Counter()
        self.arrivals: list[float] = []
        self.departures: list[float] = []
        self.stood: list[float] = []
        self.stuck = self.at_two = self.invented = 0
        self._antennas = antennas
        self._neighbours = neighbours
        self._given: dict[tuple[str, str], Stay | float] = {}
        """The stay that was recognised, or since when nothing has lain there."""
        self._read: dict[tuple[str, str], float] = {}
        self._found: set[Stay] = set()
        self._over: deque[Stay] = deque()

    def take(self, scan: Scan, values: Sequence[Seen | Gone | Reader]) -> None:
        """Judge what follows from a scan that was reported."""
        for tag in scan.tags:
            self._read[scan.zone, tag] = scan.t
        for stay in self._antennas.ended:
            self._end(stay)
        self._antennas.ended.clear()
        for value in values:
            if isinstance(value, Seen):
                self._seen(value)
            elif isinstance(value, Gone):
                self._gone(value, any(isinstance(v, Seen) and v.tag == value.tag for v in values))
        while self._over and self._antennas.t - self._over[0].ends > STUCK_S:
            stay = self._over.popleft()
            self._found.discard(stay)
            stands = self._given.get((stay.zone, stay.tag)) is stay
            self.stuck += stands and not self._lying(stay.zone, stay.tag, self._antennas.t)

    def _lying(self, zone: str, tag: str, t: float) -> Stay | None:
        """The stay of the tag in this zone, or else its sliding through, at a time of late."""
        both = (*self._antennas.lying(zone), *reversed(self._antennas.left(zone)))
        found = [stay for stay in both if stay.tag == tag and stay.begins <= t < stay.ends]
        return min(found, key=lambda stay: stay.slides, default=None)

    def _seen(self, seen: Seen) -> None:
        key = (seen.zone, seen.tag)
        self.invented += self._read.get(key, -inf) < seen.t
        stay = self._lying(seen.zone, seen.tag, seen.t)
        now = self._antennas.t
        if stay is not None and not stay.slides:
            self._given[key] = stay
            if stay not in self._found:
                self._found.add(stay)
                self.arrivals.append(now - stay.begins)
        else:
            self._given[key] = now
            self.false_arrivals[self._why(seen, stay)] += 1
        self.at_two += any((zone, seen.tag) in self._given for zone in self._neighbours[seen.zone])

    def _why(self, seen: Seen, stay: Stay | None) -> str:
        if stay is not None:
            return "sliding through"
        if seen.tag not in self._antennas.deck:
            return "mangled UID" if len(set(bytes.fromhex(seen.tag))) == 1 else "collision"
        for zone in self._neighbours[seen.zone]:
            if self._lying(zone, seen.tag, seen.t):
                return "neighbour's card"
        return "read after it left"

    def _gone(self, gone: Gone, moved: bool) -> None:
        known = self._given.pop((gone.zone, gone.tag), None)
        now = self._antennas.t
        if isinstance(known, float):
            self.stood.append(now - known)
            return
        left = [stay.ends for stay in self._antennas.left(gone.zone) if stay.tag == gone.tag]
        stay = self._lying(gone.zone, gone.tag, now)
        if stay and not stay.slides and (stay is known or not left or now - left[-1] > STUCK_S):
            why = "given to a neighbour" if moved else _why_unread(stay, now)
            self.false_departures[why] += 1
        elif left:
            self.departures.append(now - left[-1])

    def _end(self, stay: Stay) -> None:
        if stay.slides:
            return
        self._over.append(stay)
        known = self._given.get((stay.zone, stay.tag))
        if isinstance(known, Stay):
            # Lifted and put back, it may never have been gone: it is the same to presence.
            self._given[stay.zone, stay.tag] = stay
        elif stay.ends - stay.begins >= LONG_STAY_S:
            if any((zone, stay.tag) in self._given for zone in self._neighbours[stay.zone]):
                why = "given to a neighbour"
            else:
                why = "never read" if stay.dead else _why_unread(stay, stay.ends)
            self.missed[why] += 1


def _why_unread(stay: Stay, now: float) -> str:
    """Return what made a card hard to read where it lies."""
    if stay.zone in STACKS:
        return "in a stack"
    if stay.covered.least <= now - 1.0 < stay.covered.most:
        return "under a hand"
    if stay.beside:
        return "at the edge of its antenna"
    return "answers every second poll" if stay.alternating else "not read for a while"
