"""The pages of what was, served for real over a store that tables' hands have filled."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import httpx
from msgspec.structs import replace

from controller.archive.kept import KeptEvent
from controller.archive.opening import open_archive
from controller.archive.pool import ReadingPool
from controller.contract.events import Closed, Event, Finding, FloorCalled, Ruling, Start
from controller.library.books import Library
from controller.people.door import Door
from controller.people.staff import Holds, Role
from controller.people.staff_store import StaffStore
from controller.room.view import RoomView
from display.web.room import Room
from display.web.serving.access.hosts import Hosts
from display.web.serving.app import create_app
from display.web.serving.listener import Listener
from display.web.serving.server import Server
from tests.archive.records import HANDS, played
from tests.waiting import PATIENCE_S
from tests.web.hall import Entrance
from tests.web.showroom import runs, view

BEGAN_MS = 1_700_000_000_000
PLAYER, DEALER, FLOOR = "Paul Player", "Dana Dealer", "Fay Floor"


class _Room:
    """All that the pages of the history need of a room."""

    def __init__(self, language: str) -> None:
        self._view = replace(view(runs()), language=language)

    def view(self) -> RoomView:
        return self._view


class Past(Entrance):
    """The room's pages on a port of their own, in a thread, over a store; without one the room
    keeps no history. `control` is the address of a demo's control page. `url` has no slash at its
    end."""

    def __init__(self, store: str | None, language: str = "en", control: str = "") -> None:
        self.store = store
        self._language = language
        self._control = control
        self._up = threading.Event()
        self._clients: dict[Role | None, httpx.Client] = {}
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    async def _run(self) -> None:
        self._loop, staff = asyncio.get_running_loop(), StaffStore.open(None)
        self.door = Door(staff, Holds())
        readers = None if self.store is None else ReadingPool(self.store)
        room = cast(Room, _Room(self._language))
        listener = Listener("127.0.0.1", 0)
        app = create_app(room, self.door, Hosts(()), history=readers, control=self._control)
        self._server = Server(app, listener)
        answering = asyncio.create_task(self._server.answer())
        await self._server.up
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._up.set()
        await answering
        if readers is not None:
            readers.close()
        listener.close()
        staff.close()

    def __enter__(self) -> Past:
        self._thread.start()
        assert self._up.wait(PATIENCE_S)
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._clients.values():
            each.close()
        self._server.should_exit = True
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    def answer(self, path: str, role: Role | None = "floor") -> httpx.Response:
        """What somebody with that role is answered, or a stranger."""
        if role not in self._clients:
            self._clients[role] = self.client(role, f"a {role}")
        return self._clients[role].get(path)


def hands_of(library: Library, *folders: str) -> Iterator[tuple[Path, list[Event]]]:
    """The first hand of each log, with its events."""
    for folder in folders:
        for path in sorted((HANDS / folder).glob("*.jsonl")):
            events = played(library, path)
            if events:
                yield path, [event for event in events if event.hand == events[0].hand]


def as_told(
    hands: list[list[Event]], table: str = "T1", *, first: int = 1, began_ms: int = BEGAN_MS
) -> list[KeptEvent]:
    """Hands as one table tells them, two minutes each, with everybody's names."""
    told: list[KeptEvent] = []
    findings = 0
    for number, events in enumerate(hands, first):
        top = 0
        at = began_ms + number * 120_000
        for event in events:
            fields: dict[str, object] = {"hand": number}
            if isinstance(event, Start):
                seats = tuple(replace(seat, player=PLAYER) for seat in event.seats)
                fields |= {"dealer": DEALER, "redeal_of": None, "seats": seats}
            if isinstance(event, FloorCalled):
                fields["by"] = DEALER
            if isinstance(event, Finding | Ruling | Closed):
                top = max(top, event.id)
                fields["id"] = findings + event.id
            by = FLOOR if isinstance(event, Closed) else None
            told.append(
                KeptEvent(
                    table,
                    "1-18a0",
                    len(told) + 1,
                    at + int(1_000 * (event.t - events[0].t)),
                    replace(event, **fields),
                    by,
                    by and "cards shown",
                )
            )
        findings += top
    return told


def filled(store: Path, told: dict[str, list[KeptEvent]]) -> Path:
    """A store with what tables told."""
    archive = open_archive(store)
    for each in told.values():
        archive.add(each)
    archive.close()
    return store
