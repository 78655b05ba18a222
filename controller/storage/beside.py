"""A thread beside the loop that keeps no process from ending."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class Beside(Generic[T]):
    """Does one thing after the other. What hangs in it is left hanging at the process's end, for
    which an executor would wait."""

    def __init__(self, name: str) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        Thread(target=self._run, name=name, daemon=True).start()

    def do(self, call: Callable[[], T]) -> asyncio.Future[T]:
        """What it returns or raises, in the loop that runs."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def done() -> None:
            try:
                result = call()
            except BaseException as error:
                loop.call_soon_threadsafe(future.set_exception, error)
            else:
                loop.call_soon_threadsafe(future.set_result, result)

        self._calls.put(done)
        return future

    def _run(self) -> None:
        while True:
            call = self._calls.get()
            with suppress(RuntimeError):  # the loop is closed: nobody wants to know
                call()
