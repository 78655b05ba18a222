"""Questions to the archive beside the loop: a few at a time, each thread with a connection."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from controller.archive.kept import Archive, ArchiveError
from controller.archive.opening import identity, open_archive

AT_ONCE = 2
MOST_WAITING = 40
_WAIT_S = 30.0
T = TypeVar("T")


class ReadingPool:
    """Reads a store, which need not be there yet, and whose connections are made as needed."""

    def __init__(self, store: str) -> None:
        self._store = store
        self._threads = ThreadPoolExecutor(AT_ONCE, "history")
        self._own = threading.local()
        self._open: set[Archive] = set()
        self._read: set[Archive] = set()
        self._turn = threading.Lock()
        self._waiting = 0
        self._closed = False

    async def ask(self, question: Callable[[Archive], T]) -> T:
        """What the archive answers; it may take long, the loop goes on. Raises ArchiveError, also
        when too many ask or it takes too long."""
        if self._closed or self._waiting >= MOST_WAITING:
            raise ArchiveError("too many requests at once; try again")
        self._waiting += 1
        try:
            async with asyncio.timeout(_WAIT_S):
                return await asyncio.get_running_loop().run_in_executor(
                    self._threads, partial(self._ask, question)
                )
        except TimeoutError:
            raise ArchiveError("this takes too long; ask for less") from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Let go of everything; what is being read ends with an error."""
        with self._turn:
            self._closed = True
            for each in self._read:
                each.stop()
            for each in self._open - self._read:
                self._threads.submit(each.close)
        self._threads.shutdown(wait=False)  # who still waits is told at once

    def _ask(self, question: Callable[[Archive], T]) -> T:
        if self._closed:
            raise ArchiveError("the room is closing")
        archive: Archive | None = getattr(self._own, "archive", None)
        if archive is not None and self._own.of != identity(self._store):
            self._let_go(archive)  # a damaged file was put away, and there is another now
            archive = None
        if archive is None:
            self._own.of = identity(self._store)
            archive = self._own.archive = open_archive(self._store, read_only=True)
            with self._turn:
                self._open.add(archive)
        with self._turn:
            self._read.add(archive)
        try:
            return question(archive)
        except ArchiveError:  # made anew by the next: the store may be another by then
            self._own.archive = None
            raise
        finally:
            if self._is_done_with(archive):
                self._let_go(archive)

    def _is_done_with(self, archive: Archive) -> bool:
        with self._turn:
            self._read.discard(archive)
            return self._closed or self._own.archive is None

    def _let_go(self, archive: Archive) -> None:
        self._own.archive = None
        with self._turn:
            self._open.discard(archive)
        archive.close()
