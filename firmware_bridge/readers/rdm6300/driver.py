"""Listening to an RDM6300."""

from __future__ import annotations

from math import inf

from firmware_bridge.decode.stream import Splitter
from firmware_bridge.readers.poller import Pause, Poller, Talk
from firmware_bridge.readers.rdm6300.codec import Frame, scan

CYCLE_S = 0.2
"""A tag is repeated every 50 to 65 ms, so a scan spans three."""


class Rdm6300(Poller[Frame]):
    """Listens to one RDM6300. It is up as soon as its port is open, and never silent."""

    family = "RDM6300"
    step_s = 0.05
    lost_after_s = inf

    def __init__(self, now: float, zones: int = 1) -> None:
        self._tags: set[str] = set()
        super().__init__(now, Splitter(scan), zones)

    def _talk(self) -> Talk[Frame]:
        self._tags.clear()
        yield Pause(0)
        self._up(self.family)
        while True:
            yield Pause(CYCLE_S)
            self._scanned(0, self._tags)
            self._tags.clear()

    def _unasked(self, frame: Frame) -> None:
        self._tags.add(frame.uid)
