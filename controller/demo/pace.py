"""The dealer's pace: nobody deals at a table that does not look."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

LOOK_S = 0.05
BACK_S = 3.5
"""How long a dealer lets a table that is back look around, in its own time."""


class Looking(Protocol):
    """A table, as far as it looks."""

    @property
    def is_watched(self) -> bool:
        """Whether it sees the felt and hears its dealer."""

    @property
    def is_behind(self) -> bool:
        """Whether it has yet to read what was sensed or entered."""


class Pace:
    """Sleeps between two things that are done at a table."""

    def __init__(
        self,
        table: Looking,
        sleep: Callable[[float], Awaitable[None]],
        look: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`sleep` takes seconds of the table, `look` those of this machine."""
        self._table = table
        self._sleep = sleep
        self._look = look

    async def pause(self, seconds: float) -> None:
        """So many of the table's seconds, and longer while it does not look. What a table that
        stood still finds all at once has no order, so the next thing is done a whole pause after
        that."""
        await self._sleep(seconds)
        while await self._was_behind():
            await self._sleep(seconds)
        if not self._table.is_watched:
            while not self._table.is_watched:
                await self._look(LOOK_S)
            await self._sleep(BACK_S)

    async def _was_behind(self) -> bool:
        """Whether it had to be waited for: reading takes it no time otherwise."""
        looks = 0
        while self._table.is_watched and self._table.is_behind:
            looks += 1
            await self._look(LOOK_S)
        return looks > 1
