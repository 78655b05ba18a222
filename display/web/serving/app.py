"""The web application of a room. Browsers get HTML, files of ours and server-sent events."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from controller.archive.pool import ReadingPool
from controller.broker.steward import StewardError
from controller.people.door import Door
from controller.people.staff_store import StaffError
from controller.replay.words import fill
from controller.room.acts import ActError
from controller.room.commander import OrderError
from controller.room.last_backup import OLD_MS, LastBackup
from controller.room.offered import BUNDLES
from controller.room.players_csv import CsvError
from controller.room.registrar import Registrar, RegistrarError
from controller.room.structure import StructureError
from controller.room.view import RoomView
from display.web.events import event_lines
from display.web.followers import Followers
from display.web.room import Event, Events, Room
from display.web.serving.access.headers import HEADERS
from display.web.serving.access.hosts import Hosts
from display.web.serving.access.layers import layers
from display.web.serving.answers import encoded, no
from display.web.serving.body import BadBodyError
from display.web.serving.frame import Frame
from display.web.serving.own_files import OwnFiles
from display.web.serving.routes.events import EventPages, pages_of_event
from display.web.serving.routes.floor import FloorPages
from display.web.serving.routes.history import HistoryPages
from display.web.serving.routes.people import PeoplePages
from display.web.serving.routes.rules import RulePages
from display.web.serving.routes.sign_in import SignInPages
from display.web.serving.routes.tables import TablePages
from display.web.serving.routes.trust import Tls, trust_routes
from display.web.serving.routes.updates import update_routes
from display.web.serving.streams import Streams
from display.web.speech import when
from display.web.ways import Extra
from display.web.words import page_words

_STATIC = Path(__file__).parents[1] / "static"
_CANT_BE = (
    ActError,
    CsvError,
    OrderError,
    RegistrarError,
    StaffError,
    StewardError,
    StructureError,
)
"""What is asked for can't be so: the error's line is the answer."""


def create_app(
    room: Room,
    door: Door,
    hosts: Hosts,
    tls: Tls | None = None,
    history: ReadingPool | None = None,
    *,
    control: str = "",
    events: Events | None = None,
    backup: Callable[[], LastBackup | None] = lambda: None,
    registrar: Registrar | None = None,
    bundles: Path = BUNDLES,
) -> Starlette:
    """The web application of a room; it ends its streams when the room is closed.

    `door` lets people in, `hosts` are the names by which browsers may find it; with `tls` there
    is HTTPS too. `history` reads what was, where the room keeps it. `control` is the address of a
    demo's control page. With `events` the room may have several, and each has its own pages.
    `backup` tells of the last one that was made of the room's machine; `bundles` has the versions
    for its tables. `registrar` lets tables in, where the room can."""
    has_authority = tls is not None and tls.authority is not None
    extra = Extra(certificate=has_authority, control=control)
    first: Event | None = None if events is None else events.event("")
    frame = Frame(room, extra) if events is None else Frame(room, extra, events.events)
    followers = Followers()
    beside = () if events is None else EventPages(events, frame, extra, followers).routes()
    return Starlette(
        routes=[
            Mount("/static", OwnFiles(_STATIC), name="static"),  # most of what is asked for
            *_room_routes(room, frame, backup),
            *pages_of_event(room if first is None else first, frame, followers),
            *FloorPages(room, door.store.person, frame, Streams(room, followers)).routes(),
            *beside,
            *SignInPages(door, frame).routes(),
            *PeoplePages(lambda: _players(room, events), door, frame).routes(),
            *TablePages(room, registrar, frame).routes(),
            *trust_routes(tls, frame),
            *HistoryPages(history, frame).routes(),
            *RulePages(room, frame).routes(),
            *update_routes(lambda: _why_not(room.view()), bundles),
        ],
        middleware=layers(
            door,
            hosts,
            https_port=None if tls is None else tls.port,
            strict=tls is not None and tls.is_strict,
        ),
        exception_handlers={
            Exception: _broken,
            BadBodyError: _unreadable,
            **dict.fromkeys(_CANT_BE, _not_so),
        },
    )


def _room_routes(room: Room, frame: Frame, backup: Callable[[], LastBackup | None]) -> list[Route]:
    """The way to all the others, and how the room is."""

    async def index(request: Request) -> Response:
        language, view = frame.language(request), room.view()
        known = {
            "words": page_words("index", language),
            "phases": page_words("screen", language),
            "room": view,
            "lines": event_lines(view, page_words("pages", language), page_words("desk", language)),
            "no_phones": frame.no_phones(request),
            "backup": _said_of_backup(backup(), page_words("index", language)),
            "is_demo": frame.is_demo,
        }
        return frame.page(request, "index.html", "room", known)

    async def healthz(_request: Request) -> Response:
        health = room.health()
        return encoded(health, 200 if health.ok else 503)

    return [Route("/", index), Route("/healthz", healthz)]


def _players(room: Room, events: Events | None) -> Mapping[str, Mapping[str, str]]:
    """The players' names by their ids, of each event by its own."""
    every: Mapping[str, Event] = (
        {"": room} if events is None else {each.id: each for each in events.events()}
    )
    return {
        event: {each.id: each.name for each in shown.view().register.players}
        for event, shown in every.items()
    }


def _why_not(room: RoomView) -> str:
    """Why no table may be updated now."""
    runs = any(each.state not in ("ready", "paused", "ended") for each in room.events)
    return "the tournament's clock is running" if runs else ""


def _said_of_backup(last: LastBackup | None, words: Mapping[str, str]) -> tuple[str, bool]:
    """When the last one was made, and whether it is time for another."""
    if last is None:
        return words["no-backup"], True
    is_old = time.time() * 1_000 - last.at_ms > OLD_MS
    return fill(words["old-backup" if is_old else "backup"], {"when": when(last.at_ms)}), is_old


def _not_so(_request: Request, error: Exception) -> Response:
    return no(str(error), 409)


def _unreadable(_request: Request, error: Exception) -> Response:
    return no(str(error), error.status if isinstance(error, BadBodyError) else 400)


def _broken(_request: Request, _bug: Exception) -> Response:
    """A bug, which is loud elsewhere. This answer is given outside of all layers."""
    return JSONResponse({"error": "this room has a bug: see its log"}, 500, HEADERS)
