"""The store that an archivist writes, in a thread of its own. One that is damaged is set aside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from controller.archive.kept import Archive, ArchiveError, DamagedError

MOST_ASIDE = 3
"""Where the disk damages every file there is no end to it."""
T = TypeVar("T")


class Keeping:
    """`open_store` is called in the thread, again when it fails; `set_aside` puts a damaged store
    away and says where it is then. `aside` is that, empty before."""

    def __init__(self, open_store: Callable[[], Archive], set_aside: Callable[[], str]) -> None:
        self.aside = ""
        self._open_store = open_store
        self._set_aside = set_aside
        self._store: Archive | None = None
        self._left = MOST_ASIDE
        self._thread = ThreadPoolExecutor(1, "archive")

    async def do(self, work: Callable[[Archive], T]) -> T:
        """Work of the thread. Raises ArchiveError; a DamagedError means that the damaged store has
        been set aside, and that the next work begins a new one."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._there, work)

    def end(self) -> None:
        """Let go of the store; does not wait for it."""
        if self._store is not None:
            self._thread.submit(self._store.close)
        self._thread.shutdown(wait=False)

    def _there(self, work: Callable[[Archive], T]) -> T:
        try:
            if self._store is None:
                self._store = self._open_store()
            return work(self._store)
        except DamagedError as error:
            if self._store is not None:
                self._store.close()
                self._store = None
            if not self._left:
                raise ArchiveError(str(error)) from None
            self._left -= 1
            self.aside = self._set_aside()
            raise
