"""A table that can't begin with the journal that is there: its screens say why, until it is ended.

Without that a service would be begun again and again, and nobody at the table would know why.
"""

from __future__ import annotations

import asyncio
import contextlib

from controller.process.notify import Notifier
from controller.storage.database import UnfitError
from controller.table.config import TableConfig
from controller.table.screens import Screens


async def refuse(config: TableConfig, fault: UnfitError, notifier: Notifier) -> None:
    """Runs until cancelled."""
    screens = Screens(config.socket)
    screens.refuse("newer" if fault.is_newer else "foreign")
    async with asyncio.TaskGroup() as group:
        group.create_task(screens.run(lambda _: None, lambda: 0.0, lambda _: False), name="screens")
        group.create_task(_stay(notifier, str(fault)), name="watchdog")


async def _stay(notifier: Notifier, why: str) -> None:
    notifier.ready()
    notifier.status(f"refused: {why}")
    with contextlib.ExitStack() as stack:
        stack.callback(notifier.stopping)
        while True:
            await asyncio.sleep(notifier.keepalive_s or 60.0)
            notifier.alive()
