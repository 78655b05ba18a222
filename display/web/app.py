"""The pages and their streams. Browsers get HTML, files of ours and server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.archive.readers import Readers
from controller.messages import FLOOR_COMMANDS
from controller.room.acts import ActError
from controller.room.commander import Order, OrderError
from controller.room.view import Health, RoomView
from display.web.desk import desk, shipped
from display.web.floor import floor
from display.web.history_routes import HistoryPages
from display.web.wall import wall

MAX_STREAMS = 500
MAX_BODY = 4096
MAX_ACT = 64 * 1024
"""Of what is asked of the clock: a whole structure is as long as that."""
PAGES = ("blinds", "floor", "history", "statistics")
"""The pages, by the last part of their address."""
ASKED_BY_US = "cutcard"
"""What our own pages say in `X-Requested-With`; no other site's page can."""
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

    def act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with the clock. Raises ActError with one line for who asked."""

    def health(self) -> Health:
        """How the room is; tries whether it can keep its clock."""

    def order(self, table: str, name: str, fields: Mapping[str, object], *, role: str) -> Order:
        """Send a command to a table. Raises OrderError with one line for who gave it."""


def create_app(room: Room, history: Readers | None = None) -> Starlette:
    """The web application of a room; it ends its streams when the room is closed. `history` reads
    what was, where the room keeps it."""
    templates = Jinja2Templates(_HERE / "templates")
    streams = 0

    async def index(request: Request) -> Response:
        return templates.TemplateResponse(request, "index.html", {"room": room.view()})

    def blinds(request: Request) -> Response:
        return templates.TemplateResponse(request, "blinds.html")

    def floor_page(request: Request) -> Response:
        return templates.TemplateResponse(request, "floor.html")

    def events(show: Callable[[RoomView], Struct]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(_request: Request) -> Response:
            if streams >= MAX_STREAMS:
                return PlainTextResponse("too many screens", status_code=503)
            return StreamingResponse(stream(show), media_type="text/event-stream")

        return answer

    async def decide(request: Request) -> Response:
        """A floorperson's decision: sent to the table; what it says to it comes in the stream."""
        if not _from_our_page(request):
            return _no("not from a page of this room", 403)
        name = request.path_params["name"]
        if name not in FLOOR_COMMANDS:
            return _no("that is no decision of the floor", 404)
        body = await _body(request)
        if body is None:
            return _no(f"more than {MAX_BODY} bytes", 413)
        try:
            fields = msgspec.json.decode(body, type=dict[str, object])
            order = room.order(request.path_params["table"], name, fields, role="floor")
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _no("not a JSON object", 400)
        except OrderError as error:
            return _no(str(error), 409)
        return JSONResponse({"id": order.command.id}, status_code=202)

    async def act(request: Request) -> Response:
        """Something is asked of the clock: it is done, or the answer has the reason."""
        if not _from_our_page(request):
            return _no("not from a page of this room", 403)
        body = await _body(request, MAX_ACT)
        if body is None:
            return _no(f"more than {MAX_ACT} bytes", 413)
        try:
            fields = msgspec.json.decode(body, type=dict[str, object])
            room.act(request.path_params["name"], fields)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _no("not a JSON object", 400)
        except ActError as error:
            return _no(str(error), 409)
        view = room.view()
        done = {"accepted": True, "state": view.state, "revision": view.clock.revision}
        return JSONResponse(done)

    async def picture(_request: Request) -> Response:
        return _json(desk(room.view()))

    def structures(_request: Request) -> Response:
        return _json(shipped())

    async def healthz(_request: Request) -> Response:
        health = room.health()
        return _json(health, 200 if health.ok else 503)

    async def logo(_request: Request) -> Response:
        path = room.view().screen.logo
        return FileResponse(path) if path else _no("there is no logo", 404)

    async def stream(show: Callable[[RoomView], Struct]) -> AsyncIterator[bytes]:
        """The whole picture at every change, and every second so that silence means trouble."""
        nonlocal streams
        streams += 1
        try:
            yield b"retry: 1000\n\n"
            while not room.closed:
                changed = asyncio.ensure_future(room.changed())
                yield b"data: " + msgspec.json.encode(show(room.view())) + b"\n\n"
                with suppress(TimeoutError):
                    async with asyncio.timeout(_BEAT_S):
                        await changed
                    await asyncio.sleep(_LEAST_S)
        finally:
            streams -= 1

    return Starlette(
        routes=[
            Route("/", index),
            Route("/blinds", blinds),
            Route("/blinds/events", events(wall)),
            Route("/floor", floor_page),
            Route("/floor/events", events(floor)),
            Route("/floor/{table}/{name}", decide, methods=["POST"]),
            Route("/clock/events", events(desk)),
            Route("/clock.json", picture),
            Route("/structures.json", structures),
            Route("/clock/{name}", act, methods=["POST"]),
            Route("/healthz", healthz),
            Route("/logo", logo),
            *HistoryPages(history, templates, lambda: room.view().language).routes(),
            Mount("/static", StaticFiles(directory=_HERE / "static"), name="static"),
        ],
        middleware=[Middleware(_SafeHeaders)],
    )


def _from_our_page(request: Request) -> bool:
    """Whether a browser sent it for a page that came from here."""
    host, origin = request.headers.get("host", ""), request.headers.get("origin", "")
    ours = origin in (f"http://{host}", f"https://{host}")
    return bool(host) and ours and request.headers.get("x-requested-with") == ASKED_BY_US


async def _body(request: Request, most: int = MAX_BODY) -> bytes | None:
    """The body, or None when it is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            return None
    return body


def _no(words: str, status: int) -> Response:
    return JSONResponse({"error": words}, status_code=status)


def _json(value: Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


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
