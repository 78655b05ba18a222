"""The pages of the wall: the blinds screen, its stream, its colours and the house's logo."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.files.settings import config_dir, themes
from controller.library.languages import languages
from controller.room.view import RoomView
from display.wall.words import Words, load
from display.web.room import Event
from display.web.screen import ScreenMessage, labels, screen
from display.web.serving.answers import no
from display.web.serving.frame import Frame
from display.web.serving.streams import Streams
from display.web.themes import css


class ScreenPages:
    """What a wall shows."""

    def __init__(self, room: Event, frame: Frame, streams: Streams) -> None:
        self._room = room
        self._frame = frame
        self._streams = streams

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/blinds", self._blinds),
            Route("/screen", self._page),
            Route("/screen/events", self._events),
            Route("/themes.css", self._colours),
            Route("/logo", self._logo),
        ]

    def _page(self, request: Request) -> Response:
        view = self._room.view()
        words = _words(self._frame.language(request))
        chosen, known_themes = request.query_params.get("theme", ""), themes(config_dir())
        known = {
            "words": words.entries,
            "labels": labels(words),
            "languages": languages(config_dir()),
            "themes": known_themes,
            "theme": chosen if chosen in known_themes else view.screen.theme,
            "title": view.tournament.name or view.site,
        }
        return self._frame.page(request, "screen.html", "screen", known)

    async def _events(self, request: Request) -> Response:
        return self._streams.answer(_shown_in(self._frame.language(request)))

    def _blinds(self, request: Request) -> Response:
        query = f"?{request.url.query}" if request.url.query else ""
        below = request.scope.get("root_path", "")
        return RedirectResponse(f"{below}/screen{query}")

    def _colours(self, _request: Request) -> Response:
        return Response(css(config_dir()), media_type="text/css")

    async def _logo(self, _request: Request) -> Response:
        path = self._room.view().screen.logo
        return FileResponse(path) if path else no("there is no logo", 404)


@cache
def _words(language: str) -> Words:
    return load(language, config_dir())


@cache
def _shown_in(language: str) -> Callable[[RoomView], ScreenMessage]:
    """The same function for all screens of a language, for which it is drawn up once."""
    return lambda view: screen(view, _words(language))
