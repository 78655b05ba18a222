"""What stands around the pages: their language, and the header that leads to the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from jinja2 import Environment, FileSystemLoader
from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from controller.room.address import for_phones
from controller.room.pages import below
from controller.room.view import RoomView
from display.web.ways import Extra, in_events, way_in, ways
from display.web.words import page_words, spoken

_TEMPLATES = Path(__file__).parents[1] / "templates"


class Room(Protocol):
    """What is around a page needs of the room."""

    def view(self) -> RoomView:
        """The room at this moment."""


class Named(Protocol):
    """What is around a page needs of an event."""

    @property
    def id(self) -> str:
        """The first one's is empty."""

    @property
    def name(self) -> str:
        """How people call it."""


def _alone() -> Sequence[Named]:
    return ()


class Frame:
    """Draws the pages of a room, or of one of its `events`, by its `event` id."""

    def __init__(
        self,
        room: Room,
        extra: Extra,
        events: Callable[[], Sequence[Named]] = _alone,
        event: str = "",
    ) -> None:
        self._room = room
        self._extra = extra
        self._events = events
        self._event = event
        self._templates = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True)

    @property
    def is_demo(self) -> bool:
        """Whether there is a control page."""
        return bool(self._extra.control)

    def language(self, request: Request) -> str:
        """What a page is asked for in, else the house's language."""
        return spoken(request.query_params.get("lang"), self._room.view().language)

    def beside(self, request: Request) -> Mapping[str, str]:
        """What goes along in every address of a page: the language, where it was asked for."""
        given = request.query_params.get("lang")
        return {"lang": given} if given is not None and spoken(given, "") == given else {}

    def for_phones(self, asked: URL) -> str:
        """An address of this room as phones find it; empty where they can't."""
        return for_phones(str(asked), self._room.view().pocket)

    def no_phones(self, request: Request) -> str:
        """Why phones find no page of this room, and what to set; empty where they do."""
        why = self._room.view().pocket.why
        key = f"phones-{'demo' if self.is_demo else why}"
        return page_words("pages", self.language(request))[key] if why else ""

    def drawn(self, request: Request, template: str, here: str, known: Mapping[str, object]) -> str:
        """A page as HTML; `here` is its name in `[pages]`, `known` what its own part shows. Safe
        in any thread."""
        language, beside = self.language(request), self.beside(request)
        person, query = request.state.person, request.url.query
        asked = f"{request.url.path}?{query}" if query else request.url.path
        around = {
            "language": language,
            "pages": page_words("pages", language),
            "here": here,
            "ways": ways(person, here, self._extra, beside, self._event),
            "base": below(self._event),
            "events": in_events(self._events(), here, self._event, beside),
            "way_in": way_in(person, here, asked, beside),
            "person": person,
            "beside": beside,
        }
        return self._templates.get_template(template).render(around | dict(known))

    def page(
        self,
        request: Request,
        template: str,
        here: str,
        known: Mapping[str, object],
        status: int = 200,
    ) -> Response:
        """The same as an answer."""
        return HTMLResponse(self.drawn(request, template, here, known), status)
