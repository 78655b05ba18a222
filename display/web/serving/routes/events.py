"""The events of a room: their page, new ones, their files, and the pages that each one has."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.types import Receive, Scope, Send

from controller.room.event_file import MAX_FILE, asked
from display.web.events import event_lines
from display.web.followers import Followers
from display.web.room import Event, Events
from display.web.serving.answers import no
from display.web.serving.body import read_fields, read_struct
from display.web.serving.frame import Frame
from display.web.serving.routes.clock import ClockPages
from display.web.serving.routes.money import MoneyPages
from display.web.serving.routes.players import PlayerPages
from display.web.serving.routes.pocket import PocketPages
from display.web.serving.routes.race import RacePages
from display.web.serving.routes.screen import ScreenPages
from display.web.serving.streams import Streams
from display.web.ways import Extra
from display.web.words import page_words


class Closing(msgspec.Struct, frozen=True):
    """Which event is to be closed."""

    id: str


def pages_of_event(event: Event, frame: Frame, followers: Followers) -> Sequence[BaseRoute]:
    """What each event has of its own; the places for who follows it are all events'."""
    streams = Streams(event, followers)
    return [
        *ScreenPages(event, frame, streams).routes(),
        *PocketPages(event, frame, followers).routes(),
        *ClockPages(event, frame, streams).routes(),
        *PlayerPages(event, frame, streams).routes(),
        *RacePages(event, frame).routes(),
        *MoneyPages(event, frame, streams).routes(),
    ]


class EventPages:
    """What directors see of the events and ask for."""

    def __init__(self, events: Events, frame: Frame, extra: Extra, followers: Followers) -> None:
        self._events = events
        self._followers = followers
        self._frame = frame
        self._extra = extra
        self._served: dict[str, tuple[Event, Router]] = {}

    def routes(self) -> list[BaseRoute]:
        """The addresses; below `/event/ID` are the pages of an event."""
        return [
            Route("/events", self._page),
            Route("/events", self._create, methods=["POST"]),
            Route("/events/close", self._close, methods=["POST"]),
            Route("/event.json", self._first_file),
            Mount("/event/{event}", self._below),
        ]

    def _page(self, request: Request) -> Response:
        language = self._frame.language(request)
        desk, pages = page_words("desk", language), page_words("pages", language)
        known = {
            "words": page_words("events", language),
            "lines": event_lines(self._events.view(), pages, desk),
        }
        return self._frame.page(request, "events.html", "events", known)

    async def _create(self, request: Request) -> Response:
        """One more event, or why not; and then there is none."""
        left_out = self._events.create(asked(await read_fields(request, MAX_FILE)))
        return JSONResponse({"accepted": True, "left_out": left_out})

    async def _close(self, request: Request) -> Response:
        file = self._events.close_event((await read_struct(request, Closing)).id)
        return JSONResponse({"accepted": True, "file": file})

    async def _first_file(self, _request: Request) -> Response:
        return self._file("")

    def _file(self, event: str) -> Response:
        """An event to be saved."""
        named = {"content-disposition": f'attachment; filename="{event or "event"}.json"'}
        content = self._events.exported(event)
        return Response(content, headers=named, media_type="application/json")

    async def _below(self, scope: Scope, receive: Receive, send: Send) -> None:
        router = self._router(scope["path_params"]["event"])
        if router is None:
            await no("there is no such event", 404)(scope, receive, send)
            return
        await router(scope, receive, send)

    def _router(self, event: str) -> Router | None:
        """The pages of an event, of which there are some for as long as it is there."""
        found = self._events.event(event) if event else None
        if found is None:
            self._served.pop(event, None)
            return None
        served = self._served.get(event)
        if served is None or served[0] is not found:
            frame = Frame(found, self._extra, self._events.events, event)

            async def file(_request: Request) -> Response:
                return self._file(event)

            routes = [*pages_of_event(found, frame, self._followers), Route("/event.json", file)]
            served = self._served[event] = found, Router(routes)
        return served[1]
