"""The floor's page, its stream, and what the floor decides."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.contract.messages import FLOOR_COMMANDS
from controller.people.staff import Person
from controller.room.alerts import Happened
from controller.room.on_duty import Act, signing_on
from display.web.floor import floor, floor_in_between
from display.web.room import Room
from display.web.serving.access.asking import person_of
from display.web.serving.answers import encoded, no
from display.web.serving.body import MAX_ACT, read_fields
from display.web.serving.frame import Frame
from display.web.serving.streams import Streams
from display.web.timeline import Timelines
from display.web.words import findings_words, page_words, zones_words


class Since(Struct, frozen=True):
    """What happened on the floor from `from_ms` on, the oldest first; `more`: and more before
    that, which is not given."""

    now_ms: int
    from_ms: int
    more: bool
    happened: tuple[Happened, ...]


class FloorPages:
    """What the floor sees and says; `known` finds one of the room's people by name."""

    def __init__(
        self, room: Room, known: Callable[[str], Person | None], frame: Frame, streams: Streams
    ) -> None:
        self._room = room
        self._known = known
        self._frame = frame
        self._streams = streams
        self._timelines = Timelines()

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/floor", self._page),
            Route("/floor/events", self._events),
            Route("/floor/since/{from_ms:int}", self._since),
            Route("/floor/timeline/{key:path}", self._timeline),
            Route("/floor/{table}/{name}", self._decide, methods=["POST"]),
            Route("/alerts/{name}", self._act, methods=["POST"]),
        ]

    def _page(self, request: Request) -> Response:
        language = self._frame.language(request)
        words = {
            **page_words("floor", language),
            **findings_words(language),
            **zones_words(language),
        }
        return self._frame.page(request, "floor.html", "floor", {"words": words})

    async def _events(self, _request: Request) -> Response:
        return self._streams.answer(floor, floor_in_between)

    async def _since(self, request: Request) -> Response:
        """What happened on the floor while a page was away."""
        from_ms = request.path_params["from_ms"]
        more, happened = self._room.since(from_ms)
        return encoded(Since(self._room.view().now_ms, from_ms, more, happened))

    async def _timeline(self, request: Request) -> Response:
        """The hand of an alert in poker's words."""
        told = self._timelines.of(self._room.view(), request.path_params["key"])
        return encoded(told) if told is not None else no("that hand is not known", 404)

    async def _decide(self, request: Request) -> Response:
        """A floorperson's decision: sent to the table; what it says to it comes in the stream."""
        person = person_of(request)
        table, name = request.path_params["table"], request.path_params["name"]
        if name not in FLOOR_COMMANDS:
            return no("that is not a decision of the floor", 404)
        fields = await read_fields(request) | {"actor": person.name}
        order = self._room.order(table, name, fields, role=person.at_tables)
        return JSONResponse({"id": order.command.id}, status_code=202)

    async def _act(self, request: Request) -> Response:
        """Something is done with an alert, or somebody signs on: done, or why not."""
        person, name = person_of(request), request.path_params["name"]
        fields = await read_fields(request, MAX_ACT) | {"actor": person.name}
        for each, given in self._acts(person, name, fields):
            self._room.floor_act(each, given)
        return JSONResponse({"accepted": True})

    def _acts(self, person: Person, name: str, fields: dict[str, object]) -> tuple[Act, ...]:
        if name == "duty":
            other = fields.get("person")
            on_duty = self._known(other) if isinstance(other, str) and other else person
            if on_duty is not None:
                return signing_on(on_duty, fields)
        return ((name, fields),)
