"""The clock's desk: its page and stream, what is asked of the clock, and structures for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from controller.room.structure import written
from controller.room.view import RoomView
from display.web.desk import Desk, all_finishes, desk
from display.web.room import Event
from display.web.serving.access.asking import person_of
from display.web.serving.answers import encoded
from display.web.serving.body import MAX_ACT, read_body, read_fields
from display.web.serving.frame import Frame
from display.web.serving.streams import Streams
from display.web.structures import file_name, fitted, from_file, shipped
from display.web.words import page_words


class ClockPages:
    """What the director sees and asks for."""

    def __init__(self, room: Event, frame: Frame, streams: Streams) -> None:
        self._room = room
        self._frame = frame
        self._streams = streams

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/clock", self._page),
            Route("/clock/events", self._events),
            Route("/clock.json", self._picture),
            Route("/structures.json", self._structures),
            Route("/structures/fit", self._fit),
            Route("/structure.toml", self._running_file),
            Route("/structure-file", self._structure_file, methods=["POST"]),
            Route("/finishes.json", self._finishes),
            Route("/clock/{name}", self._act, methods=["POST"]),
        ]

    def _page(self, request: Request) -> Response:
        words = page_words("desk", self._frame.language(request))
        return self._frame.page(request, "clock.html", "clock", {"words": words})

    async def _events(self, request: Request) -> Response:
        return self._streams.answer(_desk_in(self._frame.language(request)))

    async def _picture(self, request: Request) -> Response:
        return encoded(desk(self._room.view(), self._frame.language(request)))

    async def _act(self, request: Request) -> Response:
        """Something is asked of the clock: it is done, or the answer has the reason."""
        fields = await read_fields(request, MAX_ACT) | {"actor": person_of(request).name}
        self._room.act(request.path_params["name"], fields)
        view = self._room.view()
        done = {"accepted": True, "state": view.state, "revision": view.clock.revision}
        return JSONResponse(done)

    def _structures(self, _request: Request) -> Response:
        return encoded(shipped())

    def _fit(self, request: Request) -> Response:
        """A structure made to measure; it takes a moment, and nobody waits for it."""
        return encoded(fitted(request.query_params))

    async def _structure_file(self, request: Request) -> Response:
        """What a structure's file has in it, or what is wrong with it."""
        return encoded(from_file(await read_body(request, MAX_ACT)))

    async def _running_file(self, _request: Request) -> Response:
        """The structure as it is played now, as a file."""
        schedule = self._room.view().schedule
        named = {"content-disposition": f'attachment; filename="{file_name(schedule)}"'}
        return PlainTextResponse(written(schedule), headers=named, media_type="application/toml")

    async def _finishes(self, _request: Request) -> Response:
        return encoded(all_finishes(self._room.view()))


@cache
def _desk_in(language: str) -> Callable[[RoomView], Desk]:
    """The same function for all desks of a language, for which it is drawn up once."""
    return lambda view: desk(view, language)
