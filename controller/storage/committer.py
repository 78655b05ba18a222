"""Commits to a journal beside the loop: a slow disk holds up what follows, not what is sensed.

What is submitted is committed in its order, by a thread; what waits meanwhile goes into the next
transaction together. `then` is called in the loop, in the same order, once its entries are on the
disk, or once it is known that they can't be.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct

from controller.storage.beside import Beside
from controller.storage.database import DatabaseError
from controller.storage.journal import Entry, Journal
from controller.storage.kept_outbox import KeptOutbox
from controller.storage.outbox_rows import Stored

SLOW_S = 1.0
SETTLE_S = 3.0
FORGET_S = 1.0
"""What was sent is forgotten on the disk with what is committed next, or after so long."""
_MOST_AT_ONCE = 256
_NEWS_S = 10.0

Then = Callable[[DatabaseError | None], None]


class _Job(Struct, frozen=True):
    entries: Sequence[Entry]
    then: Then
    since_s: float


class _Outcome(Struct, frozen=True):
    """What is on the disk; the first `failed` jobs were in vain, because of `error`."""

    stored: Sequence[Stored] = ()
    failed: int = 0
    error: DatabaseError | None = None


class Committer:
    """Belongs to one loop. Until `run` is under way everything is committed at once, in the
    caller's thread.

    After a commit that failed there is a hole in the journal: all that comes is in vain, until
    something comes that begins with a checkpoint. `outbox` is for the MQTT client, and nobody else
    commits to the `journal`.
    """

    def __init__(self, journal: Journal, *, outbox_limit: int = 10_000) -> None:
        self.journal = journal
        self._jobs: deque[_Job] = deque()
        self._sent: list[int] = []
        self._not_forgotten: list[int] = []
        self._hole: DatabaseError | None = None
        self._slow_s = float("-inf")
        self._wake = asyncio.Event()
        self._forgets_later = False
        self._thread: Beside[_Outcome] = Beside("journal")
        self._hangs = False
        self._runs = False
        self._under_way: tuple[list[_Job], asyncio.Future[_Outcome]] | None = None
        self.outbox = KeptOutbox(outbox_limit, journal.waiting(), self._forget)

    @property
    def is_behind(self) -> bool:
        """Whether anything waits for the disk."""
        return bool(self._jobs) or self._under_way is not None

    @property
    def is_slow(self) -> bool:
        """Whether the disk has taken more than a second with something of late."""
        now, under_way = time.monotonic(), self._under_way
        oldest = next(iter(self._jobs if under_way is None else under_way[0]), None)
        waits = oldest is not None and now - oldest.since_s > SLOW_S
        return waits or now - self._slow_s < _NEWS_S

    def submit(self, entries: Sequence[Entry], then: Then) -> None:
        """Has these committed; without any, `then` follows whatever was submitted before."""
        job = _Job(entries, then, time.monotonic())
        if not self._runs:
            self._settle([job], self._commit([job], self._take_sent()))
        elif entries or self.is_behind:
            self._jobs.append(job)
            self._wake.set()
        else:
            then(None)

    async def run(self) -> None:
        """Runs until cancelled; a bug in the journal ends it."""
        self._runs = True
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._commit_all()

    async def settle(self) -> bool:
        """Once it does not run any more: what was submitted is committed yet. False where the disk
        does not take it in time, once and for all."""
        self._forgets_later = False
        try:
            async with asyncio.timeout(0 if self._hangs else SETTLE_S):
                await self._commit_all()
        except TimeoutError:
            self._hangs = True
        return not self._hangs

    async def close(self) -> None:
        """Settles, and closes the journal, unless the disk has it still."""
        if await self.settle():
            self.journal.close()

    async def _commit_all(self) -> None:
        while self._under_way or self._jobs or (self._sent and not self._forgets_later):
            if self._under_way is None:
                jobs = [self._jobs.popleft() for _ in range(min(len(self._jobs), _MOST_AT_ONCE))]
                commit = partial(self._commit, jobs, self._take_sent())
                self._under_way = jobs, self._thread.do(commit)
            jobs, outcome = self._under_way
            done = await asyncio.shield(outcome)
            try:
                self._settle(jobs, done)
            finally:
                self._under_way = None

    def _commit(self, jobs: Sequence[_Job], sent: list[int]) -> _Outcome:
        """In the thread."""
        failed, hole = 0, self._hole
        if hole is not None:
            failed = next((n for n, job in enumerate(jobs) if _begins(job)), len(jobs))
        entries = [entry for job in jobs[failed:] for entry in job.entries]
        try:
            if entries:
                stored = self.journal.commit(entries, sent)
                self._hole = None
                return _Outcome(stored, failed, hole)
            if sent:
                self.journal.forget(sent)
        except DatabaseError as error:
            self._not_forgotten += sent
            if entries:
                self._hole = error
                return _Outcome((), len(jobs), error)
        return _Outcome((), failed, hole)

    def _settle(self, jobs: Sequence[_Job], outcome: _Outcome) -> None:
        """In the loop."""
        self.outbox.stored(outcome.stored)
        now = time.monotonic()
        for n, job in enumerate(jobs):
            if now - job.since_s > SLOW_S:
                self._slow_s = now
            in_vain = bool(job.entries) and n < outcome.failed
            job.then(outcome.error if in_vain else None)

    def _forget(self, row: int) -> None:
        self._sent.append(row)
        if not self._runs:
            self._commit([], self._take_sent())
        elif not self._forgets_later:
            self._forgets_later = True
            asyncio.get_running_loop().call_later(FORGET_S, self._forget_now)

    def _forget_now(self) -> None:
        self._forgets_later = False
        self._wake.set()

    def _take_sent(self) -> list[int]:
        sent = [*self._not_forgotten, *self._sent]
        self._not_forgotten, self._sent = [], []
        return sent


def _begins(job: _Job) -> bool:
    return bool(job.entries) and job.entries[0].checkpoint is not None
