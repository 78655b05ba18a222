"""Takes in what tables say, keeps it in a store beside the loop, and asks for what is missing.

It talks through `publish` and hears through `received`, so it does not know the broker. What
it takes in is acknowledged once it is on the disk.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import msgspec
from msgspec import Struct

from controller.archive import missing
from controller.archive.asker import Asker
from controller.archive.incoming import HAND_HEAD, event_heard, head_heard, reached_heard
from controller.archive.keeping import Keeping
from controller.archive.kept import Archive, ArchiveError, DamagedError, Gap, KeptEvent, Reached
from controller.archive.latest import LatestHeads
from controller.broker.client import Incoming
from controller.contract.messages import (
    ROOM_ANSWER,
    TABLE_CHAIN,
    TABLE_EVENT,
    Message,
    MessageError,
)

BATCH = 2_500
EVERY_S = 0.2
SHARE = 10
"""What is kept makes its hands anew, once for all that has come meanwhile: the more there is to do,
the longer it waits, so that this takes a tenth of the time."""
_MOST_PAUSE_S = 3.0
ASK_EVERY_S = 1.0
MOST_WAITING = 5_000
HOLDS = MOST_WAITING
"""So many unacknowledged messages the broker may send."""
_MOST_TABLES = 1_000
_DAY_MS = 86_400_000
_FORGET_EVERY_MS = 600_000
_MOST_RETRY_S = 10.0
T = TypeVar("T")


class Retention(Struct, frozen=True):
    """For how many days events, and hands with their findings, are kept; 0 is for ever."""

    keep_days: int = 400
    keep_findings_days: int = 0


class ArchiveHealth(Struct, frozen=True):
    """How the archive is. `fault` is empty while it can be written; `damaged` is where a damaged
    store is now. It counts since the start: what was `kept`, came twice, could not be used, or
    found no room and has to be asked for. `missing` gaps are open, `lost` ones were given up."""

    fault: str = ""
    damaged: str = ""
    kept: int = 0
    doubles: int = 0
    malformed: int = 0
    turned_away: int = 0
    waiting: int = 0
    missing: int = 0
    lost: int = 0


class Archivist:
    """One process's part in the archive.

    `session` is its own: answers come on `room/answers/<session>`. `open_store` and
    `set_aside` are those of `Keeping`. `acknowledge` takes receipts. `share`: the name of
    a group that hears each event once.
    """

    def __init__(
        self,
        site: str,
        session: str,
        open_store: Callable[[], Archive],
        set_aside: Callable[[], str],
        *,
        publish: Callable[[Message], None],
        acknowledge: Callable[[int], None],
        new_id: Callable[[], str],
        retention: Retention | None = None,
        report: Callable[[str], None],
        share: str | None = None,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._site = site
        self._acknowledge = acknowledge
        self._retention = retention or Retention()
        self._report = report
        self._now_ms = now_ms
        self._asker = Asker(site, session, publish=publish, new_id=new_id, now_ms=now_ms)
        events = TABLE_EVENT.filter(site)
        own = (HAND_HEAD.filter(site), TABLE_CHAIN.filter(site), self._asker.answers)
        self.filters = (f"$share/{share}/{events}" if share else events, *own)
        self._keeping = Keeping(open_store, set_aside)
        self._waiting: deque[tuple[KeptEvent, int]] = deque()
        self._reached: dict[str, tuple[Reached, int]] = {}
        self._heads = LatestHeads(acknowledge, _MOST_TABLES)
        self._wake = asyncio.Event()
        self._wake.set()  # the store is there from the beginning
        self._end = asyncio.Event()
        self._forgot_ms = 0
        self._counts = ArchiveHealth()
        self._closing = False

    def health(self) -> ArchiveHealth:
        """How it is."""
        return msgspec.structs.replace(self._counts, waiting=len(self._waiting))

    # --- what comes in ---

    def link(self, up: bool) -> None:
        """The broker was reached, or is lost: tables may have said things in between."""
        if not up:
            self._asker.anew()

    def received(self, incoming: Incoming) -> None:
        """Take in what a table has said. What can't be used is counted and acknowledged."""
        try:
            held = self._take(incoming)
        except MessageError:
            self._count(malformed=1)
            held = False
        if not held and incoming.receipt:
            self._acknowledge(incoming.receipt)

    def _take(self, incoming: Incoming) -> bool:
        """Whether the message is to be acknowledged later."""
        topic, payload = incoming.topic, incoming.payload
        if names := TABLE_EVENT.names(self._site, topic):
            return self._event(event_heard(names[0], payload), incoming.receipt)
        if names := HAND_HEAD.names(self._site, topic):
            if payload:
                self._heard_of(reached_heard(names[0], payload))
        elif names := TABLE_CHAIN.names(self._site, topic):
            if payload:
                head = head_heard(names[0], payload, self._now_ms())
                return self._heads.put(head, incoming.receipt)
        elif topic == self._asker.answers:
            outcome = self._asker.answered(ROOM_ANSWER.decode(payload).value, incoming.correlation)
            if outcome is not None:
                self._settle(outcome.piece, outcome.told)
        return False

    def _event(self, heard: KeptEvent, receipt: int) -> bool:
        if len(self._waiting) >= MOST_WAITING:
            self._count(turned_away=1)  # it is missing then, and asked for when there is room
            return False
        self._waiting.append((heard, receipt))
        if len(self._waiting) >= BATCH:
            self._wake.set()
        return True

    def _heard_of(self, reached: Reached) -> None:
        before = self._reached.get(reached.table)
        if before is not None and before[0].session == reached.session:
            self._reached[reached.table] = (
                max(before[0], reached, key=lambda each: each.seq),
                before[1],
            )
        elif before is not None or len(self._reached) < _MOST_TABLES:
            self._reached[reached.table] = reached, self._now_ms()
        self._asker.heard_of(reached.table)

    # --- keeping it ---

    async def run(self) -> None:
        """Keep what comes in until closed, and what waits then."""
        asking_now = asyncio.create_task(self._ask_on(), name="archive-asks")
        pause_s, retry_s = EVERY_S, 0.0
        try:
            while not self._closing or self._waiting or self._heads:
                with suppress(TimeoutError):
                    async with asyncio.timeout(retry_s or pause_s):
                        await (self._end if retry_s else self._wake).wait()
                self._wake.clear()
                began = time.monotonic()
                if await self._flush():
                    took_s = time.monotonic() - began
                    pause_s = min(_MOST_PAUSE_S, max(EVERY_S, (SHARE - 1) * took_s))
                    retry_s = 0.0
                elif self._closing:
                    break
                else:
                    retry_s = min(_MOST_RETRY_S, max(1.0, 2 * retry_s))
        finally:
            asking_now.cancel()
            self._keeping.end()

    def close(self) -> None:
        """`run` ends when what waits is kept, or can't be."""
        self._closing = True
        self._end.set()
        self._wake.set()

    async def _flush(self) -> bool:
        """Keeps what waits; False where the store can't be written."""
        while True:
            batch = [self._waiting[i] for i in range(min(BATCH, len(self._waiting)))]
            heads, now_ms = self._heads.take(), self._now_ms()
            settled = [
                reached
                for reached, since_ms in self._reached.values()
                if now_ms - since_ms >= missing.SETTLE_MS
            ]
            try:
                if batch or settled:
                    heard = [each for each, _ in batch]
                    added = await self._do(
                        lambda store, h=heard, s=settled, n=now_ms: store.add(h, s, now_ms=n)  # type: ignore[misc]
                    )
                    self._count(kept=added.new, doubles=added.doubles)
                if heads:
                    said = [head for head, _ in heads.values()]
                    await self._do(lambda store, s=said: store.add_heads(s))  # type: ignore[misc]
                if len(batch) < BATCH:
                    await self._forget(now_ms)
            except DamagedError:
                self._heads.back(heads)
                continue
            except ArchiveError as error:
                self._heads.back(heads)
                if not self._counts.fault:
                    self._report(f"the history can't be written: {error}")
                self._set(fault=str(error))
                return False
            if self._counts.fault:
                self._report("the history can be written again")
                self._set(fault="")
            for _, receipt in batch:
                self._waiting.popleft()
                if receipt:
                    self._acknowledge(receipt)
            self._heads.kept(heads)
            for reached in settled:
                if self._reached[reached.table][0] == reached:
                    del self._reached[reached.table]
            if len(self._waiting) < BATCH:
                return True

    async def _forget(self, now_ms: int) -> None:
        """A small piece of what is too old; more at the next turn."""
        keep = self._retention
        if now_ms - self._forgot_ms < _FORGET_EVERY_MS:
            return
        events_ms = now_ms - keep.keep_days * _DAY_MS if keep.keep_days else 0
        findings_ms = now_ms - keep.keep_findings_days * _DAY_MS if keep.keep_findings_days else 0
        touched = 0
        if events_ms or findings_ms:
            touched = await self._do(
                lambda store: store.forget(events_ms=events_ms, findings_ms=findings_ms, most=20)
            )
        if not touched:
            self._forgot_ms = now_ms

    async def _do(self, work: Callable[[Archive], T]) -> T:
        """Work of the store's thread. Raises ArchiveError."""
        try:
            return await self._keeping.do(work)
        except DamagedError:
            aside = self._keeping.aside
            self._report(f"the history was damaged; it is now {aside}")
            self._set(damaged=aside)
            self._asker.anew()  # what tables still keep of it comes into the new one
            raise

    # --- what is missing ---

    async def _ask_on(self) -> None:
        while True:
            await asyncio.sleep(ASK_EVERY_S)
            try:
                await self._ask_for_more()
            except ArchiveError:
                continue  # told where it is written

    async def _ask_for_more(self) -> None:
        gaps = await self._do(lambda store: store.gaps())
        self._set(missing=len(gaps))
        pieces, given_up = self._asker.due(gaps)
        for gap in given_up:
            await self._do(lambda store, g=gap: store.lost(g))  # type: ignore[misc]
            self._count(lost=1)
        for piece in pieces:
            await self._do(lambda store, p=piece: store.asked(p, now_ms=self._now_ms()))  # type: ignore[misc]
            self._asker.ask_for(piece)

    def _settle(self, piece: Gap, told: bool) -> None:
        """What was told and does not come is asked for so many times; what is gone never again."""

        def settle(store: Archive) -> None:
            if told:
                store.asked(piece, now_ms=self._now_ms(), told=True)
            else:
                store.lost(missing.unkept(piece))

        if not told:
            self._count(lost=1)
        asyncio.ensure_future(self._do(settle)).add_done_callback(_look)

    def _set(self, **fields: object) -> None:
        self._counts = msgspec.structs.replace(self._counts, **fields)

    def _count(self, **more: int) -> None:
        self._set(**{name: getattr(self._counts, name) + by for name, by in more.items()})


def _look(done: asyncio.Future[None]) -> None:
    """What the store can't keep now is asked for once more."""
    if not done.cancelled() and not isinstance(done.exception(), ArchiveError | None):
        done.result()
