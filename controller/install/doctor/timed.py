"""Checks that break or hang cost one line, and neither the others nor a traceback."""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from controller.install.doctor.check import Check, Probe, fail

LIMIT_S = 20.0

T = TypeVar("T")


async def made(probe: Probe) -> Sequence[Check]:
    """A check, made in a thread within its time."""
    done = await in_time(probe.name, probe.look)
    return (done,) if isinstance(done, Check) else done


async def in_time(name: str, look: Callable[[], T]) -> T | Check:
    """What `look` returns; a Check that failed if it breaks or takes too long."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T | Check] = loop.create_future()

    def settle(value: T | Check) -> None:
        if not future.done():
            future.set_result(value)

    def run() -> None:
        value: T | Check
        try:
            value = look()
        except Exception as error:  # a bug of ours costs one check
            value = broken(name, error)
        with suppress(RuntimeError):  # the loop may be gone by now
            loop.call_soon_threadsafe(settle, value)

    # A daemon: what hangs must not keep the program from ending.
    threading.Thread(target=run, name=f"check {name}", daemon=True).start()
    try:
        async with asyncio.timeout(LIMIT_S):
            return await future
    except TimeoutError:
        return fail(
            name,
            f"no result within {LIMIT_S:.0f} s",
            "Something hangs; find out what: sudo dmesg | tail -n 20",
        )


def broken(name: str, error: Exception) -> Check:
    """A check that broke. The text of the exception is not shown: it may hold what was read."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return fail(
        name,
        f"this check failed itself: {type(error).__name__} in {where}",
        "Send this line to whoever maintains cutcard; the other checks are still good.",
    )
