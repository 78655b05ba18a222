"""What the pages of a room wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

SOON_MS = 1_000


class Changes:
    """Wakes the pages when something has changed. `turn` counts how often they were woken, and
    `count` everything that has changed."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._woken_ms = 0
        self._moved = asyncio.Event()
        self.turn = 0
        self.count = 0
        self.closed = False

    def now(self) -> None:
        """Wake everyone who waits."""
        self.turn += 1
        self.count += 1
        self._woken_ms = self._now_ms()
        self._moved.set()
        self._moved = asyncio.Event()

    def soon(self) -> None:
        """Wake them for what can wait: in a big room something of the kind always happens, and
        every page is told all of it once a second."""
        if self._now_ms() - self._woken_ms >= SOON_MS:
            self.now()
        else:
            self.count += 1

    async def next(self) -> None:
        """Return when they are woken, or at once where nothing will change any more."""
        if not self.closed:
            await self._moved.wait()

    def close(self) -> None:
        """Nothing changes any more."""
        self.closed = True
        self.now()
