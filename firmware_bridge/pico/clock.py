"""Microseconds since boot out of a tick counter that wraps (2^30 on the Pico)."""

import micropython


class Clock:
    """Accumulates; must be asked more often than every half period (9 minutes)."""

    def __init__(self, ticks_us, ticks_diff):
        self._ticks_us = ticks_us
        self._ticks_diff = ticks_diff
        self._last = ticks_us()
        self._us = 0

    @micropython.native
    def __call__(self):
        """Return the microseconds since this clock was made."""
        ticks = self._ticks_us()
        self._us += self._ticks_diff(ticks, self._last)
        self._last = ticks
        return self._us
