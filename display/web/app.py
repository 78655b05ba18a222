"""The pages and their streams. Browsers get HTML, files of ours and server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from controller.archive.readers import Readers
from controller.languages import languages
from controller.messages import FLOOR_COMMANDS
from controller.room.acts import ActError
from controller.room.alerts import Happened
from controller.room.commander import Order, OrderError
from controller.room.structure import StructureError, read_structure, written
from controller.room.view import RoomHealth, RoomView
from controller.settings import config_dir
from display.wall.theme import themes
from display.wall.words import Words
from display.wall.words import load as load_words
from display.web.access import HEADERS, Access, person_of
from display.web.body import MAX_BODY
from display.web.body import read_body as _body
from display.web.codes import code
from display.web.desk import Desk, all_finishes, desk
from display.web.door import Door
from display.web.floor import floor, floor_in_between
from display.web.frame import Frame
from display.web.history_routes import HistoryPages
from display.web.hosts import Hosts
from display.web.on_duty import Act, signing_on
from display.web.people import people_routes
from display.web.phones import Phones
from display.web.pocket import names_of_languages, pocket, words_of
from display.web.screen import Screen, labels, screen
from display.web.shared import Shared
from display.web.structures import Fitted, file_name, fitted, shipped
from display.web.themes import css
from display.web.timeline import Timelines
from display.web.trust import Tls, trust_routes
from display.web.ways import Extra
from display.web.words import page_words

MAX_STREAMS = 500
MAX_ACT = 64 * 1024
"""Of what is asked of the clock: a whole structure is as long as that."""
_HERE = Path(__file__).parent
_BEAT_S = 1.0
_LEAST_S = 0.05
_WHOLE_S = 3.0


class Room(Protocol):
    """What the pages need of the room."""

    @property
    def closed(self) -> bool:
        """Whether the room has ended."""

    @property
    def turn(self) -> int:
        """Counts with every change."""

    def view(self) -> RoomView:
        """The room at this moment."""

    async def changed(self) -> None:
        """Return at the next change, or when the room is closed."""

    def act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with the clock. Raises ActError with one line for who asked."""

    def health(self) -> RoomHealth:
        """How the room is; tries whether it can keep its clock."""

    def order(self, table: str, name: str, fields: Mapping[str, object], *, role: str) -> Order:
        """Send a command to a table. Raises OrderError with one line for who gave it."""

    def floor_act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with an alert or with who is on duty. Raises ActError."""

    def since(self, at_ms: int) -> tuple[bool, tuple[Happened, ...]]:
        """What happened on the floor from then on, and whether there was more before."""


class Since(Struct, frozen=True):
    """What happened on the floor from `from_ms` on, the oldest first; `more`: and more before
    that, which is not given."""

    now_ms: int
    from_ms: int
    more: bool
    happened: tuple[Happened, ...]


def create_app(
    room: Room,
    door: Door,
    hosts: Hosts,
    tls: Tls | None = None,
    history: Readers | None = None,
    *,
    control: str = "",
) -> Starlette:
    """The web application of a room; it ends its streams when the room is closed.

    `door` lets people in, `hosts` are the names by which browsers may find it; with `tls` there
    is HTTPS too. `history` reads what was, where the room keeps it. `control` is the address of a
    demo's control page."""
    has_authority = tls is not None and tls.authority is not None
    frame = Frame(room, Extra(certificate=has_authority, control=control))
    shared, timelines = Shared(), Timelines()
    streams = 0
    phones = Phones(room, lambda view, language: pocket(view, words_of(language)))

    async def index(request: Request) -> Response:
        language = frame.language(request)
        known = {
            "words": page_words("index", language),
            "phases": page_words("screen", language),
            "room": room.view(),
            "no_phones": frame.no_phones(request),
        }
        return frame.page(request, "index.html", "room", known)

    def screen_page(request: Request) -> Response:
        view = room.view()
        words = _words(frame.language(request))
        chosen = request.query_params.get("theme", "")
        known = {
            "words": words.entries,
            "labels": labels(words),
            "languages": languages(config_dir()),
            "themes": themes(config_dir()),
            "theme": chosen if chosen in themes(config_dir()) else view.screen.theme,
            "title": view.tournament.name or view.site,
        }
        return frame.page(request, "screen.html", "screen", known)

    @cache
    def shown_in(language: str) -> Callable[[RoomView], Screen]:
        """The same function for all screens of a language, for which it is drawn up once."""
        return lambda view: screen(view, _words(language))

    async def screen_events(request: Request) -> Response:
        return await events(shown_in(frame.language(request)))(request)

    def blinds(request: Request) -> Response:
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/screen{query}")

    def colours(_request: Request) -> Response:
        return Response(css(config_dir()), media_type="text/css")

    def floor_page(request: Request) -> Response:
        words = page_words("floor", frame.language(request))
        return frame.page(request, "floor.html", "floor", {"words": words})

    def pocket_page(request: Request) -> Response:
        words = words_of(frame.language(request))
        known = {"words": words, "languages": names_of_languages()}
        return frame.page(request, "pocket.html", "pocket", known)

    async def pocket_events(request: Request) -> Response:
        if phones.full:
            return PlainTextResponse("too many phones", status_code=503)
        told = phones.stream(frame.language(request))
        return StreamingResponse(told, media_type="text/event-stream")

    async def pocket_address(_request: Request) -> Response:
        """Where phones find their page."""
        found = room.view().pocket
        return JSONResponse({"address": found.address}) if found.address else _no(found.reason, 404)

    async def pocket_code(_request: Request) -> Response:
        """The same, for a camera."""
        found = room.view().pocket
        if not found.address:
            return _no(found.reason, 404)
        return Response(code(found.address), media_type="image/svg+xml")

    def clock_page(request: Request) -> Response:
        words = page_words("desk", frame.language(request))
        return frame.page(request, "clock.html", "clock", {"words": words})

    def events(
        show: Callable[[RoomView], Struct],
        in_between: Callable[[RoomView], Struct] | None = None,
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer(_request: Request) -> Response:
            if streams >= MAX_STREAMS:
                return PlainTextResponse("too many screens", status_code=503)
            told = stream(show, in_between or show)
            return StreamingResponse(told, media_type="text/event-stream")

        return answer

    async def decide(request: Request) -> Response:
        """A floorperson's decision: sent to the table; what it says to it comes in the stream."""
        person = person_of(request)
        name = request.path_params["name"]
        if name not in FLOOR_COMMANDS:
            return _no("that is not a decision of the floor", 404)
        body = await _body(request)
        if body is None:
            return _no(f"more than {MAX_BODY} bytes", 413)
        try:
            fields = msgspec.json.decode(body, type=dict[str, object])
            table, fields = request.path_params["table"], fields | {"actor": person.name}
            order = room.order(table, name, fields, role=person.at_tables)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _no("not a JSON object", 400)
        except OrderError as error:
            return _no(str(error), 409)
        return JSONResponse({"id": order.command.id}, status_code=202)

    async def act(request: Request) -> Response:
        """Something is asked of the clock: it is done, or the answer has the reason."""
        body = await _body(request, MAX_ACT)
        if body is None:
            return _no(f"more than {MAX_ACT} bytes", 413)
        try:
            fields = msgspec.json.decode(body, type=dict[str, object])
            person = person_of(request)
            room.act(request.path_params["name"], fields | {"actor": person.name})
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _no("not a JSON object", 400)
        except ActError as error:
            return _no(str(error), 409)
        view = room.view()
        done = {"accepted": True, "state": view.state, "revision": view.clock.revision}
        return JSONResponse(done)

    async def alert_act(request: Request) -> Response:
        """Something is done with an alert, or somebody signs on: done, or why not."""
        body = await _body(request, MAX_ACT)
        if body is None:
            return _no(f"more than {MAX_ACT} bytes", 413)
        try:
            fields = msgspec.json.decode(body, type=dict[str, object])
            person, name = person_of(request), request.path_params["name"]
            fields |= {"actor": person.name}
            acts: tuple[Act, ...] = ((name, fields),)
            if name == "duty":
                other = fields.get("person")
                known = door.store.person(other) if isinstance(other, str) and other else person
                acts = signing_on(known, fields) if known is not None else acts
            for each, given in acts:
                room.floor_act(each, given)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _no("not a JSON object", 400)
        except ActError as error:
            return _no(str(error), 409)
        return JSONResponse({"accepted": True})

    async def since(request: Request) -> Response:
        """What happened on the floor while a page was away."""
        from_ms = request.path_params["from_ms"]
        more, happened = room.since(from_ms)
        return _json(Since(room.view().now_ms, from_ms, more, happened))

    async def timeline(request: Request) -> Response:
        """The hand of an alert in poker's words."""
        told = timelines.of(room.view(), request.path_params["key"])
        return _json(told) if told is not None else _no("that hand is not known", 404)

    @cache
    def desk_in(language: str) -> Callable[[RoomView], Desk]:
        """The same function for all desks of a language, for which it is drawn up once."""
        return lambda view: desk(view, language)

    async def desk_events(request: Request) -> Response:
        return await events(desk_in(frame.language(request)))(request)

    async def picture(request: Request) -> Response:
        return _json(desk(room.view(), frame.language(request)))

    def structures(_request: Request) -> Response:
        return _json(shipped())

    def fit(request: Request) -> Response:
        """A structure made to measure; it takes a moment, and nobody waits for it."""
        try:
            return _json(fitted(request.query_params))
        except StructureError as error:
            return _no(str(error), 409)

    async def structure_file(request: Request) -> Response:
        """What a structure's file has in it, or what is wrong with it."""
        body = await _body(request, MAX_ACT)
        if body is None:
            return _no(f"more than {MAX_ACT} bytes", 413)
        try:
            return _json(Fitted(read_structure(body)))
        except StructureError as error:
            return _no(str(error), 409)

    async def running_file(_request: Request) -> Response:
        """The structure as it is played now, as a file."""
        schedule = room.view().schedule
        named = {"content-disposition": f'attachment; filename="{file_name(schedule)}"'}
        return PlainTextResponse(written(schedule), headers=named, media_type="application/toml")

    async def finishes(_request: Request) -> Response:
        return _json(all_finishes(room.view()))

    async def healthz(_request: Request) -> Response:
        health = room.health()
        return _json(health, 200 if health.ok else 503)

    async def logo(_request: Request) -> Response:
        path = room.view().screen.logo
        return FileResponse(path) if path else _no("there is no logo", 404)

    async def stream(
        show: Callable[[RoomView], Struct], in_between: Callable[[RoomView], Struct]
    ) -> AsyncIterator[bytes]:
        """The whole picture at every change, and every second so that silence means trouble;
        `in_between` is shown of those that come sooner than `_WHOLE_S` after a whole one."""
        nonlocal streams
        streams += 1
        seconds = asyncio.get_running_loop().time
        try:
            yield b"retry: 1000\n\n"
            next_s = whole_s = 0.0
            while not room.closed:
                turn, now_s = room.turn, seconds()
                is_whole = now_s >= whole_s
                whole_s = now_s + _WHOLE_S if is_whole else whole_s
                told = shared.encoded(room, show if is_whole else in_between, now_s)
                yield b"data: " + told + b"\n\n"
                with suppress(TimeoutError):
                    async with asyncio.timeout(_BEAT_S):
                        while room.turn == turn and not room.closed:
                            await room.changed()
                    await asyncio.sleep(max(0.0, next_s - seconds()))
                    next_s = seconds() + _LEAST_S
        finally:
            streams -= 1

    return Starlette(
        routes=[
            Route("/", index),
            Route("/blinds", blinds),
            Route("/screen", screen_page),
            Route("/screen/events", screen_events),
            Route("/themes.css", colours),
            Route("/floor", floor_page),
            Route("/floor/events", events(floor, floor_in_between)),
            Route("/floor/since/{from_ms:int}", since),
            Route("/floor/timeline/{key:path}", timeline),
            Route("/floor/{table}/{name}", decide, methods=["POST"]),
            Route("/alerts/{name}", alert_act, methods=["POST"]),
            Route("/pocket", pocket_page),
            Route("/pocket/events", pocket_events),
            Route("/pocket.json", pocket_address),
            Route("/pocket.svg", pocket_code),
            Route("/clock", clock_page),
            Route("/clock/events", desk_events),
            Route("/clock.json", picture),
            Route("/structures.json", structures),
            Route("/structures/fit", fit),
            Route("/structure.toml", running_file),
            Route("/structure-file", structure_file, methods=["POST"]),
            Route("/finishes.json", finishes),
            Route("/clock/{name}", act, methods=["POST"]),
            Route("/healthz", healthz),
            Route("/logo", logo),
            *people_routes(door, frame),
            *trust_routes(tls, frame),
            *HistoryPages(history, frame).routes(),
            Mount("/static", StaticFiles(directory=_HERE / "static"), name="static"),
        ],
        middleware=[
            Middleware(
                Access,
                door=door,
                hosts=hosts,
                https_port=None if tls is None else tls.port,
                strict=tls is not None and tls.is_strict,
            )
        ],
        exception_handlers={Exception: _broken},
    )


def _broken(_request: Request, _bug: Exception) -> Response:
    """A bug, which is loud elsewhere. This answer is given outside of `Access`."""
    return JSONResponse({"error": "this room has a bug: see its log"}, 500, HEADERS)


@cache
def _words(language: str) -> Words:
    return load_words(language, config_dir())


def _no(words: str, status: int) -> Response:
    return JSONResponse({"error": words}, status_code=status)


def _json(value: Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")
