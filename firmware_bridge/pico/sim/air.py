"""What lies on the antennas, which of them are energised, and whether that was allowed."""

from __future__ import annotations

import threading
from collections.abc import Collection


class Air:
    """The zones' fields. `neighbours` are pairs that must never be energised together.

    Several Picos may share it, each in a thread of its own.
    """

    def __init__(self, zones: int, neighbours: Collection[tuple[int, int]]) -> None:
        self._tags: list[tuple[bytes, ...]] = []
        self._neighbours: set[frozenset[int]] = set()
        self._lit: frozenset[int] = frozenset()
        self._lock = threading.Lock()
        self.energised: list[int] = []
        self.overlaps = 0
        self.violations: list[tuple[int, int]] = []
        self.widen(zones, neighbours)

    def widen(self, zones: int, neighbours: Collection[tuple[int, int]]) -> None:
        """Add so many zones, and pairs of neighbours."""
        self._tags += [()] * zones
        self.energised += [0] * zones
        self._neighbours |= {frozenset(pair) for pair in neighbours}

    def place(self, zone: int, tag: str) -> None:
        """Put a tag (its UID in hex, most significant byte first) into a zone's field."""
        uid = bytes.fromhex(tag)
        if uid not in self._tags[zone]:
            self._tags[zone] = (*self._tags[zone], uid)

    def take(self, zone: int, tag: str) -> None:
        """Take a tag out of a zone's field; nothing happens if it isn't there."""
        uid = bytes.fromhex(tag)
        self._tags[zone] = tuple(other for other in self._tags[zone] if other != uid)

    def tags(self, zone: int) -> tuple[bytes, ...]:
        """Return the UIDs of the tags in a zone's field."""
        return self._tags[zone]

    def on(self, zone: int) -> None:
        """An antenna was energised."""
        with self._lock:
            if zone in self._lit:
                return
            self.violations += [
                (zone, other) for other in self._lit if frozenset((zone, other)) in self._neighbours
            ]
            self.overlaps += bool(self._lit)
            self.energised[zone] += 1
            self._lit |= {zone}

    def off(self, zone: int) -> None:
        """An antenna's field ended, if it had one."""
        with self._lock:
            self._lit -= {zone}

    def is_on(self, zone: int) -> bool:
        """Whether an antenna is energised."""
        return zone in self._lit

    def is_heard(self, zone: int) -> bool:
        """Whether a reader at this antenna senses another's field. At one table each hears all:
        how far a lit antenna is heard depends on its coil, and this is the worst there can be."""
        return bool(self._lit - {zone})
