"""The `order_window` of the next hand: it follows the scan cycle that the card readers have.

A card is read at the first scan after it came, one cycle late at most, and one read may be missed:
two arrivals closer together than two cycles of the slowest reader have no certain order.

Cards make a cycle longer, so only hands tell how long it is while they are played: a slower cycle
widens the window for the next hand at once, a faster one narrows it only once ten hands in a row
were clearly faster. So it is not another one in each hand, and a break does not narrow it.
"""

from __future__ import annotations

from collections import deque
from math import ceil

from firmware_bridge.cycles import SLOW_S

CYCLES = 2
LEAST_S = 0.2
"""However fast the readers are: readings of two devices are dated by two clocks, and one that is
dated late comes up to 0.2 s after what is entered by hand (`service.LATE_S`)."""
MOST_S = CYCLES * SLOW_S
"""A window that covers a round of the deal says nothing any more: an antenna that is scanned less
often than once a second is told to be put right (`table.health`) instead of waited for."""
STEP_S = 0.1
HANDS = 10
CLEARLY = 0.75
"""It is narrowed to three quarters or less, or not at all."""


def window_for(cycle_s: float) -> float:
    """The window that belongs to a slowest scan cycle, in seconds."""
    steps = ceil(round(CYCLES * cycle_s / STEP_S, 6))
    return min(max(round(steps * STEP_S, 3), LEAST_S), MOST_S)


class OrderWindow:
    """What has been measured while hands were played, and what follows for the next one."""

    def __init__(self) -> None:
        self.cycle_s: float | None = None
        """The slowest cycle on which the window rests; None where none was measured."""
        self._hand: int | None = None
        self._slowest = 0.0
        self._hands: deque[float] = deque(maxlen=HANDS)

    def heard(self, cycle_s: float | None, hand: int | None) -> None:
        """The slowest cycle of late, None where none was measured; `hand` is being played."""
        if hand != self._hand:
            if self._slowest:
                self._hands.append(self._slowest)
            self._hand, self._slowest = hand, 0.0
        if hand is not None and cycle_s is not None:
            self._slowest = max(self._slowest, cycle_s)
        known = [*self._hands, self._slowest, cycle_s or 0.0]
        self.cycle_s = max(known) or None

    def after(self, window_s: float) -> float:
        """The window of the next hand, if it would be `window_s` so far."""
        if self.cycle_s is None:
            return window_s
        wanted = window_for(self.cycle_s)
        is_sure = len(self._hands) == HANDS and wanted <= CLEARLY * window_s
        return wanted if wanted > window_s or is_sure else window_s
