"""Sensed values in the order of their times. Pure.

A Seen has the time of its first hit but is known only with its second one, so a value
waits while an earlier first hit still lacks its second, and at most for a scan cycle and a
quarter after that hit. One that turns out to be older than what is out already gets
the time of that (counted as `late`). Nothing waits while no hit is open.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count
from math import inf

import msgspec

from firmware_bridge.sensed import Edge, Press, SeatButton, Sensed, Tick

CYCLES_HELD = 1.25


class Repeatable(msgspec.Struct, frozen=True, gc=False):
    """A press, and the edge under which its device would tell of it again."""

    t: float
    seat: int
    button: SeatButton
    edge: Edge

    def as_told(self) -> Press:
        """Without the edge."""
        return Press(self.t, self.seat, self.button)


Timed = Sensed | Repeatable


class Sequence:
    """Values in, the same out with times that never decrease and none before `start`."""

    def __init__(self, start: float) -> None:
        self.late = 0
        self._held: list[tuple[float, int, Timed]] = []
        self._order = count()
        self.given = start
        """The time of what was given out last."""

    def push(self, values: Iterable[Timed]) -> None:
        """Take in values, in any order of their times."""
        for value in values:
            heappush(self._held, (value.t, next(self._order), value))

    def held(self) -> tuple[Timed, ...]:
        """Return the values that wait, in the order of their times."""
        return tuple(value for _, _, value in sorted(self._held, key=lambda held: held[:2]))

    def release(self, now: float, open_hits: Iterable[float], cycle: float) -> list[Timed]:
        """Return what may go out at `now`.

        `open_hits` are the times of first hits that lack their second one, `cycle` is the
        slowest scan cycle in seconds.
        """
        if not self._held:
            return []
        until = _barrier(now, open_hits, cycle)
        out = []
        while self._held and self._held[0][0] <= until:
            value = heappop(self._held)[2]
            if value.t < self.given:
                self.late += 1
                value = msgspec.structs.replace(value, t=self.given)
            self.given = value.t
            out.append(value)
        return out

    def tick(self, now: float, open_hits: Iterable[float], cycle: float) -> Tick | None:
        """Return how far time has certainly come, if it has; after `release` only."""
        t = min(now, _barrier(now, open_hits, cycle))
        if t <= self.given:
            return None
        self.given = t
        return Tick(t)


def _barrier(now: float, open_hits: Iterable[float], cycle: float) -> float:
    since = now - CYCLES_HELD * cycle
    return min((t for t in open_hits if t > since), default=inf)
