"""An archivist with a connection of its own to the broker: what it holds back holds up nobody."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

from msgspec import Struct

from controller.archive.archivist import HOLDS, ArchiveHealth, Archivist, Retention
from controller.archive.opening import open_archive, set_store_aside
from controller.broker.client import Endpoint, MqttClient, to_stderr

_GROUP = "archive"
_CLOSE_S = 1.5


class HistoryOptions(Struct, frozen=True):
    """Where the history is kept, a file or a database's address, and for how long."""

    store: str
    retention: Retention = Retention()


class Archiving:
    """It keeps what the tables of a site say. `share`: with others that do so too, each event is
    for one of them."""

    def __init__(
        self,
        endpoint: Endpoint,
        site: str,
        options: HistoryOptions,
        *,
        share: bool = False,
        report: Callable[[str], None] = to_stderr,
    ) -> None:
        session = secrets.token_hex(8)
        self._client = MqttClient(endpoint, "cutcard-archive", holds=HOLDS, report=report)
        self._archivist = Archivist(
            site,
            session,
            lambda: open_archive(options.store),
            lambda: set_store_aside(options.store),
            publish=self._client.publish,
            acknowledge=self._client.acknowledge,
            new_id=lambda: secrets.token_hex(16),
            retention=options.retention,
            report=report,
            share=_GROUP if share else None,
        )
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin; needs a running loop."""
        for each in self._archivist.filters:
            self._client.subscribe(each)
        self._client.start(self._archivist.received, self._archivist.link)
        self._task = asyncio.create_task(self._archivist.run(), name="archive")

    @property
    def connected(self) -> bool:
        """Whether the broker is there."""
        return self._client.connected

    def health(self) -> ArchiveHealth:
        """How the archive is."""
        return self._archivist.health()

    async def close(self) -> None:
        """Keep what waits, as far as that can be done in a moment."""
        self._archivist.close()
        if self._task is not None:
            done, _ = await asyncio.wait((self._task,), timeout=_CLOSE_S)
            if not done:
                self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._client.close(timeout_s=0.2)
