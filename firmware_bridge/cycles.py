"""How long a device's scan cycles take: the slowest of the last minute.

A cycle is the time in which all of a device's antennas are scanned once. One that is measured
while this process stood still is no measure of the device: whoever measures leaves it out.
"""

from __future__ import annotations

from collections import deque

SLOW_S = 1.0
"""No reader of a table has to be as slow as that: somebody should look at the antenna for it."""
KEPT_S = 60.0
STEP_S = 5.0
"""So finely the minute is divided: what is kept does not grow with the number of cycles."""


class SlowestCycle:
    """The slowest scan cycle of the last minute before the last one that was told."""

    def __init__(self) -> None:
        self._steps: deque[tuple[float, float]] = deque()

    @property
    def seconds(self) -> float | None:
        """How long it took; None where none was measured."""
        return max((slowest for _, slowest in self._steps), default=None)

    def took(self, seconds: float, now: float) -> None:
        """A cycle has ended at `now`; or the slowest one of a few has."""
        steps = self._steps
        if steps and now - steps[-1][0] < STEP_S:
            since, slowest = steps.pop()
            steps.append((since, max(slowest, seconds)))
        else:
            steps.append((now, seconds))
        while now - steps[0][0] >= KEPT_S:
            steps.popleft()

    def forget(self) -> None:
        """Another device may be there: nothing is known of it."""
        self._steps.clear()
