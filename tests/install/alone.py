"""A table that no service reads."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from firmware_bridge.virtual.table import VirtualTable
from tests.table.felt import BUTTONS, SEATS, ZONES, write_table


@asynccontextmanager
async def a_felt_alone(folder: Path) -> AsyncIterator[tuple[VirtualTable, dict[str, str]]]:
    """A virtual table in `folder` that no service reads; with the tag of each card."""
    tags = write_table(folder, "roberts")
    virtual = VirtualTable(
        ZONES, BUTTONS, clock=time.monotonic, lamps=len(SEATS), link=folder / "port"
    )
    scanning = asyncio.create_task(virtual.run())
    try:
        yield virtual, tags
    finally:
        scanning.cancel()
        await asyncio.gather(scanning, return_exceptions=True)
