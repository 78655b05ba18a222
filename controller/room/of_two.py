"""One of two rooms of a site: it stands by while the other leads, and has what that one has."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from controller.broker.client import Endpoint
from controller.contract.messages import Message
from controller.process.notify import Notifier
from controller.room.room_files import RoomFiles
from controller.room.store import RoomStore, StoreError
from controller.stand_by.following import Following
from controller.stand_by.leading import Leading
from controller.stand_by.waiting import stand_by

ALONE_S = 15.0
"""For so long after its start a room that leads is not yet said to be alone."""


class OfTwo:
    """`store` and `people` are the room's files, `session` is that of its run."""

    def __init__(
        self,
        site: str,
        session: str,
        store: Path,
        people: Path,
        *,
        report: Callable[[str], None],
    ) -> None:
        self._site = site
        self._session = session
        self._store = store
        self._files = RoomFiles(store, people)
        self._report = report
        self._leading: Leading | None = None
        self._since_s = 0.0
        self._before = ""
        self._lacks = ""

    async def turn(self, endpoint: Endpoint, stop: asyncio.Event, notifier: Notifier) -> bool:
        """Stands by until this room has to lead, and puts the stores of the one before in the place
        of its own; False once `stop` is set. Raises StoreError where another room of this machine
        has the store, or it can't be written."""
        RoomStore.open(self._store).close()
        following = Following(self._site, self._session, time.monotonic)
        notifier.ready()
        if not await stand_by(endpoint, following, stop, alive=notifier.alive, report=self._report):
            return False
        self._before = following.leader
        if lacks := following.lacks:
            self._lacks = f"of the room before there is no copy of {', '.join(lacks)}"
            self._report(self._lacks)
        try:
            self._files.put(following.images, following.beats, following.named)
        except OSError as error:
            raise StoreError(f"{self._store.parent}: {error.strerror}") from None
        return True

    def lead(self, publish: Callable[[Message], None], ended: Callable[[], None]) -> Leading:
        """What tells the other one of this room's stores from now on. `ended` is told when the
        other leads in this one's place."""

        def end() -> None:
            self._report("another room leads in this one's place")
            ended()

        self._since_s = time.monotonic()
        self._leading = Leading(
            self._site,
            self._session,
            self._files,
            publish=publish,
            now_s=time.monotonic,
            before=self._before,
            ended=end,
        )
        return self._leading

    def faults(self) -> tuple[str, ...]:
        """What the pages have to say of the two."""
        leading = self._leading
        if leading is None:
            return ()
        found = [self._lacks] if self._lacks else []
        if not leading.is_followed and time.monotonic() - self._since_s > ALONE_S:
            found.append("no other room stands by for this one")
        if leading.fault:
            found.append(f"the room that stands by can't be told: {leading.fault}")
        return tuple(found)
