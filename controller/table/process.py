"""The table's process: all that goes on at one table, on one asyncio loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AsyncExitStack

from controller.process.notify import Notifier
from controller.storage.committer import Committer
from controller.table.room_link import RoomLink

Loop = Callable[[], Coroutine[None, None, None]]


class TableProcess:
    """Runs one table until cancelled; `make_table` makes it. `begin` tells everybody how the table
    is, and the `loops`, by name, are what goes on from then on."""

    def __init__(
        self,
        loops: Mapping[str, Loop],
        *,
        begin: Callable[[], None],
        link: RoomLink,
        committer: Committer,
        notifier: Notifier,
    ) -> None:
        self._loops = loops
        self._begin = begin
        self._link = link
        self._committer = committer
        self._notifier = notifier

    async def run(self) -> None:
        """Runs until cancelled; says ready once everything is under way."""
        self._begin()
        try:
            async with asyncio.TaskGroup() as group:
                for name, loop in self._loops.items():
                    group.create_task(loop(), name=name)
                self._notifier.ready()
        finally:
            self._notifier.stopping()
            async with AsyncExitStack() as ending:
                ending.push_async_callback(self._committer.close)
                ending.push_async_callback(self._link.close)
                await self._committer.settle()
