"""Counted for whoever tunes an antenna, and told with each report of its zone (PROTOCOL.md).

A chip has `counts`: its driver counts there what it meets. What a chip has counted since the last
scan of any of its antennas belongs to the antenna that was scanned, since one chip has one
antenna on at a time.
"""

import struct

from micropython import const

_UNKNOWN = const(0xFFFFFFFF)


class Counts:
    """Of one chip since boot; None is what it can't tell.

    `collisions` are answers that were torn, or of several tags at once; `retries` fields that had
    to be switched on again, since another's was there; `errors` how often it failed.
    """

    def __init__(self, collisions=None, retries=None):
        self.collisions = collisions
        self.retries = retries
        self.errors = 0


class Tally:
    """Of zones whose chips, one for each, have these `counts`."""

    def __init__(self, counts):
        self._counts = counts
        self._told = [[0, 0, 0, 0, 0] for _ in counts]
        self._before = {id(each): (0, 0, 0) for each in counts}

    def scanned(self, zone, took_us):
        """A scan of the zone has ended."""
        counts = self._counts[zone]
        told = self._told[zone]
        now = (counts.collisions, counts.retries, counts.errors)
        before = self._before[id(counts)]
        self._before[id(counts)] = now
        told[0] += 1
        told[1] = took_us
        for at in range(3):
            told[2 + at] = None if now[at] is None else told[2 + at] + now[at] - before[at]

    def payload(self, zone):
        """Return what is appended to the zone's report."""
        told = [_UNKNOWN if n is None else n & 0xFFFFFFFF for n in self._told[zone]]
        return struct.pack("<IIIII", *told)
