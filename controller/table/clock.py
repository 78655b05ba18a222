"""A table's own time."""

from __future__ import annotations

import asyncio
import time


class TableClock:
    """Seconds, which run `speed` times as fast as the machine's and go on after a restart."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        self._began = time.monotonic()

    def goes_on_from(self, t: float) -> None:
        """It is `t` at this moment."""
        self._began = time.monotonic() - t / self.speed

    def now(self) -> float:
        """The table's time."""
        return (time.monotonic() - self._began) * self.speed

    async def sleep(self, seconds: float) -> None:
        """Returns when so much of the table's time has passed."""
        await asyncio.sleep(seconds / self.speed)
