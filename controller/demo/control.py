"""The control page over HTTP: for browsers on this machine, and for nobody else."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import msgspec
import uvicorn
from jinja2 import Environment, FileSystemLoader
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.demo.console import Console, ConsoleError
from controller.demo.pages import CONTROL, LANGUAGE, Pages, listed, names

LOOPBACK = "127.0.0.1"
NAMES = (LOOPBACK, "localhost")
ASKED_BY_US = "cutcard"
"""What our own page says in `X-Requested-With`; no other site's page can."""
MAX_BODY = 4096
_HERE = Path(__file__).parent / "page"
_ROOMS = Path(str(files("display"))) / "web"
"""What all pages look like is the room's."""
_LOOK_S = 0.1
_BEAT_S = 1.0
_HEADERS = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


class ControlError(Exception):
    """The page can't be served; the text is one line for the user."""


class ControlPage:
    """Serves the page of a console until cancelled. `url` is where."""

    def __init__(self, console: Console, pages: Pages, port: int) -> None:
        """`pages` are all that there are at any time; `port` 0 takes a free one. Raises
        ControlError where it is taken."""
        self._console = console
        self._pages = pages
        self._listener = _listen(port)
        self.url = f"http://{LOOPBACK}:{self._listener.getsockname()[1]}/"

    async def run(self) -> None:
        """Serves; open pages do not keep it from ending."""
        server = _Server(
            uvicorn.Config(
                create_app(self._console, self._pages),
                access_log=False,
                log_config=None,
                server_header=False,
                lifespan="off",
                timeout_graceful_shutdown=1,
            )
        )
        serving = asyncio.create_task(server.serve([self._listener]), name="control page")
        try:
            await asyncio.shield(serving)
        finally:
            self._console.closed = True
            server.should_exit = True
            await serving
            self._listener.close()


class _Server(uvicorn.Server):
    """Leaves the process's signals to its caller."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def create_app(console: Console, pages: Pages) -> Starlette:
    """The web application of a console; it ends its streams when the console is closed."""
    folders = FileSystemLoader((_HERE, _ROOMS / "templates"))
    page = Environment(loader=folders, autoescape=True).get_template("control.html")

    async def index(_request: Request) -> Response:
        ways = [
            {"page": name, "href": url, "is_here": name == CONTROL} for name, url in listed(pages)
        ]
        html = page.render(language=LANGUAGE, here=CONTROL, pages=names(), ways=ways)
        return Response(html, media_type="text/html")

    async def events(_request: Request) -> Response:
        return StreamingResponse(_stream(console), media_type="text/event-stream")

    async def do(request: Request) -> Response:
        if not _from_our_page(request):
            return _no("not from the control page", 403)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > MAX_BODY:
                return _no(f"more than {MAX_BODY} bytes", 413)
        try:
            console.do(request.path_params["name"], body)
        except ConsoleError as error:
            return _no(str(error), 409)
        return JSONResponse({}, status_code=202)

    return Starlette(
        routes=[
            Route("/", index),
            Route("/events", events),
            Route("/do/{name}", do, methods=["POST"]),
            Mount("/page", StaticFiles(directory=_HERE)),
            Mount("/static", StaticFiles(directory=_ROOMS / "static")),
        ],
        middleware=[Middleware(_OnlyHere)],
    )


async def _stream(console: Console) -> AsyncIterator[bytes]:
    """The whole picture at every change, and every second so that silence means trouble."""
    yield b"retry: 1000\n\n"
    last, waited = b"", 0.0
    while not console.closed:
        picture = msgspec.json.encode(console.shown())
        if picture != last or waited >= _BEAT_S:
            last, waited = picture, 0.0
            yield b"data: " + picture + b"\n\n"
        await asyncio.sleep(_LOOK_S)
        waited += _LOOK_S


def _from_our_page(request: Request) -> bool:
    """Whether a browser sent it for a page that came from here."""
    host, origin = request.headers.get("host", ""), request.headers.get("origin", "")
    return origin == f"http://{host}" and request.headers.get("x-requested-with") == ASKED_BY_US


def _no(words: str, status: int) -> Response:
    return JSONResponse({"error": words}, status_code=status)


class _OnlyHere:
    """Answers only to this machine's own names, whatever name led here; safe headers on all."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        answer: Callable[[Scope, Receive, Send], Awaitable[None]] = self._app
        if Headers(scope=scope).get("host", "").rpartition(":")[0] not in NAMES:
            answer = PlainTextResponse("this page is for this machine only", status_code=403)
        await answer(scope, receive, with_headers)


def _listen(port: int) -> socket.socket:
    # By its protocol asyncio knows it for TCP, and sends what is small at once.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen(16)
    except OSError as error:
        listener.close()
        words = f"control port {port} on {LOOPBACK}: {error.strerror}; give another"
        raise ControlError(words) from None
    listener.setblocking(False)
    return listener
