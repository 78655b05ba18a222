"""The pages of what was, served for real over a store that tables' hands have filled."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from msgspec import Struct
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import display.web
from controller.archive.kept import Heard
from controller.archive.opening import open_archive
from controller.archive.readers import Readers
from controller.books import Library
from controller.events import Closed, Event, Finding, FloorCalled, Ruling, Start
from display.web.history_routes import HistoryPages
from tests.archive.records import HANDS, played

WEB = Path(display.web.__file__).parent
BEGAN_MS = 1_700_000_000_000
PLAYER, DEALER, FLOOR = "Paul Player", "Dana Dealer", "Fay Floor"


class Somebody(Struct):
    name: str
    role: str


class _As:
    """Everybody is `past.role`, or nobody; the headers are the room's."""

    def __init__(self, app: ASGIApp, past: Past) -> None:
        self._app, self._past = app, past

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["content-security-policy"] = "default-src 'self'; form-action 'self'"
            await send(message)

        if self._past.role is not None:
            scope.setdefault("state", {})["person"] = Somebody("Ann", self._past.role)
        await self._app(scope, receive, with_headers)


class Past:
    """A server in a thread; `url` has no slash at its end."""

    def __init__(self, store: str | None, language: str = "en") -> None:
        self.role: str | None = None
        self.readers = None if store is None else Readers(store)
        pages = HistoryPages(self.readers, Jinja2Templates(WEB / "templates"), lambda: language)
        static = Mount("/static", StaticFiles(directory=WEB / "static"))
        app = Starlette(routes=[*pages.routes(), static], middleware=[Middleware(_As, past=self)])
        config = uvicorn.Config(app, port=0, log_config=None, lifespan="off")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run)

    def __enter__(self) -> Past:
        self._thread.start()
        until = time.monotonic() + 5
        while not self._server.started and time.monotonic() < until:
            time.sleep(0.01)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        if self.readers is not None:
            self.readers.close()
        self._thread.join(5)
        assert not self._thread.is_alive()


def hands_of(library: Library, *folders: str) -> Iterator[tuple[Path, list[Event]]]:
    """The first hand of each log, with its events."""
    for folder in folders:
        for path in sorted((HANDS / folder).glob("*.jsonl")):
            events = played(library, path)
            if events:
                yield path, [event for event in events if event.hand == events[0].hand]


def as_told(
    hands: list[list[Event]], table: str = "T1", *, first: int = 1, began_ms: int = BEGAN_MS
) -> list[Heard]:
    """Hands as one table tells them, two minutes each, with everybody's names."""
    told: list[Heard] = []
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
                Heard(
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


def filled(store: Path, told: dict[str, list[Heard]]) -> Path:
    """A store with what tables told."""
    archive = open_archive(store)
    for each in told.values():
        archive.add(each)
    archive.close()
    return store
