"""A room that runs in a thread, with tables that speak to it over a real broker."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from controller.broker import RunningBroker
from controller.events import Basis, Priority, RulingText
from controller.messages import Dismissed
from controller.room.service import RoomService
from controller.room.structure import Structure
from display.web.command import RoomOptions, serve
from tests.commands.fake_table import FLOP, SITE, FakeTable


class Hall:
    """The room; `url` is where its pages are. `options` are those of the room that differ."""

    def __init__(
        self,
        broker: RunningBroker,
        evening: Structure,
        tables: Sequence[str],
        **options: Any,  # noqa: ANN401 - fields of RoomOptions
    ) -> None:
        self.url = ""
        self._broker = broker
        self.evening = evening
        self._names = tables
        self._options = options
        self._up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self.tables = {id_: FakeTable(self._broker.tables[id_], id_) for id_ in self._names}
        for table in self.tables.values():
            table.start()
        options = RoomOptions(
            self._broker.room,
            self.evening,
            site=SITE,
            **{
                "start": True,
                "tell_tables": False,  # what tables take is what the floor decides
                **self._options,
            },
        )
        await serve(options, self._stop, self._ready)
        for table in self.tables.values():
            await table.client.close()

    def _ready(self, url: str, room: RoomService) -> None:
        self.url, self.room = url, room
        self._up.set()

    def start(self) -> None:
        """Returns once all tables are heard."""
        self._thread.start()
        assert self._up.wait(10)
        self.until(
            lambda: [each.live for each in self.room.view().tables] == [True] * len(self._names)
        )

    def stop(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(5)
        assert not self._thread.is_alive()

    def do(self, act: Callable[[], None]) -> None:
        """Does it on the room's loop."""
        self._loop.call_soon_threadsafe(act)

    def alert(
        self,
        table: str,
        number: int,
        title: str,
        *,
        age_s: int = 5,
        priority: Priority = 1,
        basis: Basis = "seen",
        seats: tuple[int, ...] = (),
        ruling: RulingText = FLOP,
        dismissed: Dismissed | None = None,
    ) -> None:
        """A table raises an alert, of so many seconds ago."""
        raised = partial(
            self.tables[table].alert,
            number,
            title,
            at=time.time_ns() // 1_000_000 - age_s * 1_000,
            priority=priority,
            basis=basis,
            seats=seats,
            ruling=ruling,
            dismissed=dismissed,
        )
        self.do(raised)

    def until(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + 5
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.01)
