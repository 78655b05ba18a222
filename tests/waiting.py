"""How long a test waits for what others are to do: threads, processes, browsers.

One limit for all of them, so long that a machine with other work comes to it; only what never
comes takes the whole of it. How quick something is, `tests/bench` measures.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from controller.broker.ports import LOOPBACK

T = TypeVar("T")

PATIENCE_S = 60.0
_LOOK_S = 0.005


async def until(holds: Callable[[], T]) -> T:
    """Waits in a coroutine until it holds; returns what it then gave."""
    end = time.monotonic() + PATIENCE_S
    while not (found := holds()):
        assert time.monotonic() < end, f"not within {PATIENCE_S:.0f} s"
        await asyncio.sleep(_LOOK_S)
    return found


def wait_until(holds: Callable[[], T]) -> T:
    """Waits in a thread until it holds; returns what it then gave."""
    end = time.monotonic() + PATIENCE_S
    while not (found := holds()):
        assert time.monotonic() < end, f"not within {PATIENCE_S:.0f} s"
        time.sleep(_LOOK_S)
    return found


def answers(at: Path | int) -> bool:
    """Whether somebody listens at this port, or at this Unix socket: its file is there a little
    sooner."""
    if isinstance(at, int):
        with socket.socket() as client:
            return client.connect_ex((LOOPBACK, at)) == 0
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(at)) == 0
