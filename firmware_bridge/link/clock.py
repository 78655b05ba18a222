"""A device's microsecond ticks on the host's time scale.

Every frame says when it was sent, so its arrival bounds the offset from above; the
answer to a time query also bounds it from below, since it was asked before the device
heard it. The windows are intersected and widen with the crystals' drift (the method of
Klipper's clocksync). The order of arrival plays no part.
"""

from __future__ import annotations

from collections import deque
from math import inf

from msgspec import Struct

DRIFT = 100e-6
"""How far two crystals may run apart, seconds per second."""
SLACK_S = 0.005
"""Contradictions smaller than this are jitter."""
_SEGMENTS = 128
_NEVER = -(1 << 62)
"""Before any tick there is."""


class _Segment(Struct, frozen=True, gc=False):
    """From tick `start` on: offset, but never before `floor`, the time given out so far."""

    start: int
    offset: float
    floor: float

    def at(self, ticks: int) -> float:
        return max(ticks * 1e-6 + self.offset, self.floor)


class Clock:
    """Maps one boot's ticks to seconds; `bits` is the width of the device's counter.

    Times given out never decrease with the ticks they belong to, whatever the order in
    which they are asked for (as far back as the last 128 corrections).
    """

    def __init__(self, bits: int = 32) -> None:
        self._period = 1 << bits
        self._newest: int | None = None
        self._given_out = _NEVER
        self._low = -inf
        self._high = inf
        self._bounded_at = 0.0
        self._segments: deque[_Segment] = deque(maxlen=_SEGMENTS)

    @property
    def error(self) -> float:
        """Half the width of the window, in seconds: infinite before the first answer."""
        return (self._high - self._low) / 2

    def unwrap(self, ticks: int) -> int:
        """Return `ticks` as the count nearest to the newest one seen."""
        if self._newest is None:
            return ticks
        half = self._period >> 1
        return self._newest + (ticks - self._newest + half) % self._period - half

    def plausible(self, ticks: int, received: float) -> bool:
        """Whether a frame sent at `ticks` can have come from the boot seen so far.

        The time of sending never runs backwards nor ahead of the bound from below;
        either means that the device began anew.
        """
        if self._newest is None:
            return True
        sent = self.unwrap(ticks)
        drift = DRIFT * max(received - self._bounded_at, 0.0)
        return sent >= self._newest and received - sent * 1e-6 >= self._low - drift - SLACK_S

    def observe(self, ticks: int, received: float) -> None:
        """Take in a frame sent at `ticks` and received at `received` seconds."""
        sent = self.unwrap(ticks)
        self._newest = sent if self._newest is None else max(sent, self._newest)
        self._widen(received)
        self._high = min(self._high, received - sent * 1e-6)
        if not self._segments or self._segments[-1].offset > self._high:
            self._adopt()

    def answer(self, asked: float, heard_ticks: int, sent_ticks: int, received: float) -> None:
        """Take in a time query: asked, heard and answered by the device, received."""
        low = asked - self.unwrap(heard_ticks) * 1e-6
        high = received - self.unwrap(sent_ticks) * 1e-6
        self._widen(received)
        self._low, self._high = max(self._low, low), min(self._high, high)
        if self._low > self._high:
            self._low, self._high = low, max(low, high)
        self._adopt()

    def to_host(self, ticks: int) -> float:
        """Return the host's time of `ticks` in seconds; a frame must have been observed."""
        count = self.unwrap(ticks)
        self._given_out = max(self._given_out, count)
        for segment in reversed(self._segments):
            if count >= segment.start:
                return segment.at(count)
        first = self._segments[0]
        return count * 1e-6 + first.offset

    def _widen(self, now: float) -> None:
        drift = DRIFT * max(now - self._bounded_at, 0.0)
        self._low -= drift
        self._high += drift
        self._bounded_at = max(self._bounded_at, now)

    def _adopt(self) -> None:
        offset = self._high if self._low == -inf else (self._low + self._high) / 2
        if self._given_out == _NEVER:
            self._segments.clear()
        floor = self._segments[-1].at(self._given_out) if self._segments else -inf
        self._segments.append(_Segment(self._given_out, offset, floor))
