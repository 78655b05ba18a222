"""A Pico that has been given its firmware: where it comes up, and what it says of itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection

from firmware_bridge.families import USUAL
from firmware_bridge.probe import Answer, as_delivered, who_is_at
from firmware_bridge.search import every_port

LOOKS_EVERY_S = 0.2


async def come_up(
    before: Collection[str],
    within_s: float,
    *,
    port: str | None = None,
    ports: Callable[[], list[str]] = every_port,
    clock: Callable[[], float] = time.monotonic,
) -> Answer | None:
    """The board that says hello at a port that was not there `before`, or at `port`; None if none
    does in that time."""
    until = clock() + within_s
    while True:
        there = [port] if port is not None else [each for each in ports() if each not in before]
        for each in there:
            said = await who_is_at(each, (as_delivered(USUAL),), clock=clock)
            if isinstance(said, Answer):
                return said
        if clock() >= until:
            return None
        await asyncio.sleep(LOOKS_EVERY_S)


def misfit(said: Answer, counts: tuple[int, int, int]) -> str:
    """What it is that does not fit what it was given; empty if all does."""
    if (said.zones, said.buttons, said.lamps) == counts:
        return ""
    return f"it was given {equipment(*counts)}, and says {has(said)}"


def has(said: Answer) -> str:
    """What it has, in words."""
    return equipment(said.zones, said.buttons, said.lamps)


def equipment(zones: int, buttons: int, lamps: int) -> str:
    """So many of each, in words."""
    named = ((zones, "zone"), (buttons, "button"), (lamps, "lamp"))
    return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for count, name in named)
