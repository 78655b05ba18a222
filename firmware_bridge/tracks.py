"""What presence remembers of a tag in a zone, and of the zone."""

from __future__ import annotations

from math import inf
from typing import Annotated, Literal

from msgspec import Meta, Struct

MEMORY = 1 / 8
"""Weight of the latest read in the average of how well a tag is read."""
MOST_SCANS = 10
"""Scans that one report stands for, at most."""


class ZoneState(Struct, frozen=True, omit_defaults=True):
    """How a zone has been read, whatever lies there (see ZoneTracks). `last` and `cycle` are None
    before there were any; lost at `lost`, None if it is not."""

    heard: float
    last: float | None = None
    cycle: Annotated[float, Meta(gt=0)] | None = None
    lost: float | None = None


class Track:
    """One tag in one zone's field; `present` once it has been given out as seen.

    `first` is the time of the first of its `hits`, `last` that of the latest; `misses` have
    come since. `alone` counts the hits since a neighbour that
    holds the tag read it last, from `alone_since` on. `shaky` is how many misses come between two
    hits on average. `signal` is in dB where the reader tells it.
    """

    __slots__ = (
        "alone", "alone_since", "contested", "first", "hits", "last", "misses", "present",
        "shaky", "signal",
    )  # fmt: skip

    def __init__(self, t: float) -> None:
        self.first = self.last = self.alone_since = t
        self.hits = self.misses = self.alone = 0
        self.present = self.contested = False
        self.shaky = 0.0
        self.signal: float | None = None

    def hit(self, t: float) -> None:
        """It was read at `t`."""
        if not self.hits:
            self.first = t
        if not self.alone:
            self.alone_since = t
        self.shaky += (self.misses - self.shaky) * MEMORY
        self.hits += 1
        self.alone += 1
        self.misses = 0
        self.last = t

    def miss(self, t: float, scans: int, cycle: float) -> None:
        """It was not read at `t`, nor in any of the `scans` since the last report.

        A scan that reads the same as the one before need not be reported; so at the first miss
        the last hit was as late as a `cycle` ago.
        """
        if self.misses:
            self.misses += scans
        else:
            self.last = max(self.last, t - cycle)
            self.misses = 1

    def concede(self) -> None:
        """The tag is the neighbour's now; what is read here starts at nothing."""
        self.hits = self.alone = 0
        self.present = self.contested = False


class ZoneTracks:
    """A zone's tracks by tag. `cycle` is the shortest time between two of its scans so far, `whole`
    when it last read a complete set or came back."""

    def __init__(self, start: float) -> None:
        self.tracks: dict[str, Track] = {}
        self.status: Literal["new", "ok", "lost"] = "new"
        self.last_scan = self.lost_at = self.whole = -inf
        self.heard = start
        self.cycle = inf
        self.ghosts = 0

    @property
    def state(self) -> ZoneState:
        """How it has been read until now."""
        return ZoneState(
            self.heard,
            None if self.whole == -inf else self.last_scan,
            None if self.cycle == inf else self.cycle,
            self.lost_at if self.status == "lost" else None,
        )

    def resume(self, state: ZoneState) -> None:
        """It has been read so until now."""
        self.heard = state.heard
        self.cycle = inf if state.cycle is None else state.cycle
        if state.last is not None:
            self.last_scan, self.whole, self.status = state.last, state.heard, "ok"
        if state.lost is not None:
            self.lost_at, self.status = state.lost, "lost"

    def scanned(self, t: float, *, complete: bool) -> int:
        """Its reader works and has scanned it at `t`; return the scans since the last report."""
        scans = 1
        if self.status == "ok" and t > self.last_scan:
            since = t - self.last_scan
            self.cycle = min(self.cycle, since)
            scans = round(min(since / self.cycle, MOST_SCANS))
        if complete or self.status != "ok":
            self.whole = t
        self.status = "ok"
        self.last_scan = self.heard = t
        return scans

    def failed(self, t: float) -> None:
        """A scan at `t` failed: what it would have read is not known."""
        self.last_scan = max(self.last_scan, t)
