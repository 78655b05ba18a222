"""The pages and their streams. Browsers get HTML, files of ours and server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.room.service import RoomView
from display.web.wall import wall

MAX_STREAMS = 500
_HERE = Path(__file__).parent
_BEAT_S = 1.0
_LEAST_S = 0.1
_HEADERS = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


class Room(Protocol):
    """What the pages need of the room."""

    closed: bool

    def view(self) -> RoomView:
        """The room at this moment."""

    async def changed(self) -> None:
        """Return at the next change, or when the room is closed."""


def create_app(room: Room) -> Starlette:
    """The web application of a room; it ends its streams when the room is closed."""
    templates = Jinja2Templates(_HERE / "templates")
    streams = 0

    def index(request: Request) -> Response:
        return templates.TemplateResponse(request, "index.html", {"room": room.view()})

    def blinds(request: Request) -> Response:
        return templates.TemplateResponse(request, "blinds.html")

    async def blinds_events(_request: Request) -> Response:
        if streams >= MAX_STREAMS:
            return PlainTextResponse("too many screens", status_code=503)
        return StreamingResponse(stream(), media_type="text/event-stream")

    async def stream() -> AsyncIterator[bytes]:
        """The whole wall at every change, and every second so that silence means trouble."""
        nonlocal streams
        streams += 1
        try:
            yield b"retry: 1000\n\n"
            while not room.closed:
                changed = asyncio.ensure_future(room.changed())
                yield b"data: " + msgspec.json.encode(wall(room.view())) + b"\n\n"
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed, _BEAT_S)
                    await asyncio.sleep(_LEAST_S)
        finally:
            streams -= 1

    return Starlette(
        routes=[
            Route("/", index),
            Route("/blinds", blinds),
            Route("/blinds/events", blinds_events),
            Mount("/static", StaticFiles(directory=_HERE / "static"), name="static"),
        ],
        middleware=[Middleware(_SafeHeaders)],
    )


class _SafeHeaders:
    """Puts the same headers on every answer; streams pass through untouched."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await self._app(scope, receive, with_headers)
