"""A room in a thread that hears no broker: its clock and its pages."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from controller.broker.client import Endpoint
from controller.contract.events import Blinds
from controller.room.structure import Entry, Structure
from display.web.command import RoomOptions, Served, serve
from tests.waiting import PATIENCE_S
from tests.web.hall import Entrance

MINUTE = 60_000
NO_BROKER = Endpoint("127.0.0.1", 1)
NIGHT = Structure(
    "night",
    (
        Entry(20 * MINUTE, Blinds(100, 200, 200)),
        Entry(20 * MINUTE, Blinds(5_000, 10_000, 10_000)),
        Entry(10 * MINUTE, None),
        Entry(90 * MINUTE, Blinds(100_000, 200_000, 200_000)),
    ),
)


class ClockRoom(Entrance):
    """`url` is where its pages are."""

    def __init__(self, served: Served, loop: asyncio.AbstractEventLoop) -> None:
        self.url = served.url.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        self.room, self.door, self._loop = served.room, served.door, loop

    def act(self, name: str, /, **fields: object) -> None:
        """Asks for something on the room's loop, and waits until it is done."""
        asked = {"actor": "Ann", **fields}
        self.call(lambda: self.room.act(name, asked))

    def call(self, what: Callable[[], object]) -> None:
        """Does it on the room's loop, and waits until it is done."""

        async def do() -> None:
            what()

        asyncio.run_coroutine_threadsafe(do(), self._loop).result(PATIENCE_S)


@contextmanager
def clock_room(**options: Any) -> Iterator[ClockRoom]:  # noqa: ANN401 - fields of RoomOptions
    """A room whose clock runs."""
    up = threading.Event()
    made: list[ClockRoom] = []
    stops: list[Callable[[], object]] = []

    async def run() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        stops.append(lambda: loop.is_closed() or loop.call_soon_threadsafe(stop.set))

        def ready(served: Served) -> None:
            made.append(ClockRoom(served, loop))
            up.set()

        await serve(RoomOptions(NO_BROKER, NIGHT, start=True, **options), stop, ready)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    try:
        assert up.wait(PATIENCE_S)
        yield made[0]
    finally:
        stops[0]()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
