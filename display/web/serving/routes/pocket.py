"""The page for players' phones, its stream, and where phones find it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from display.web.codes import code
from display.web.followers import Followers
from display.web.phones import Phones
from display.web.pocket import names_of_languages, pocket, words_of
from display.web.room import Event
from display.web.serving.answers import no
from display.web.serving.frame import Frame


class PocketPages:
    """What players see."""

    def __init__(self, room: Event, frame: Frame, followers: Followers) -> None:
        self._room = room
        self._frame = frame
        self._phones = Phones(
            room, lambda view, language: pocket(view, words_of(language)), followers
        )

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/pocket", self._page),
            Route("/pocket/events", self._events),
            Route("/pocket.json", self._address),
            Route("/pocket.svg", self._code),
        ]

    def _page(self, request: Request) -> Response:
        words = words_of(self._frame.language(request))
        known = {"words": words, "languages": names_of_languages()}
        return self._frame.page(request, "pocket.html", "pocket", known)

    async def _events(self, request: Request) -> Response:
        if self._phones.full:
            return PlainTextResponse("too many phones", status_code=503)
        told = self._phones.stream(self._frame.language(request))
        return StreamingResponse(told, media_type="text/event-stream")

    async def _address(self, _request: Request) -> Response:
        """Where phones find their page."""
        found = self._room.view().pocket
        return JSONResponse({"address": found.address}) if found.address else no(found.reason, 404)

    async def _code(self, _request: Request) -> Response:
        """The same, for a camera."""
        found = self._room.view().pocket
        if not found.address:
            return no(found.reason, 404)
        return Response(code(found.address), media_type="image/svg+xml")
