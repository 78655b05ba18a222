"""The chip race: its worksheets, and what is entered of it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.contract.observations import nearest
from controller.room.acts import ActError
from controller.room.races import MOST_ODD, RACE_ACTS
from display.web.race import race, to_deal
from display.web.room import Event
from display.web.serving.access.asking import person_of
from display.web.serving.answers import encoded
from display.web.serving.body import read_fields
from display.web.serving.frame import Frame
from display.web.words import page_words

MOST_SEATS = 10


class RacePages:
    """What the floor sees of the races, and enters."""

    def __init__(self, room: Event, frame: Frame) -> None:
        self._room = room
        self._frame = frame

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/race", self._page),
            Route("/race/deal.json", self._deal),
            Route("/race/{name}", self._act, methods=["POST"]),
        ]

    def _page(self, request: Request) -> Response:
        language, room = self._frame.language(request), self._room.view()
        words = {**page_words("desk", language), **page_words("race", language)}
        known = {
            "words": words,
            "race": race(room),
            "stands_by": room.stands_by,
            "may_colour": person_of(request).may("director"),
        }
        return self._frame.page(request, "race.html", "race", known)

    async def _deal(self, request: Request) -> Response:
        """How many cards each seat gets, and for how many new chips."""
        asked = request.query_params
        due = next((d for d in self._room.view().to_race if str(d.goes) == asked.get("chip")), None)
        if due is None:
            raise ActError("these chips are not to be raced now")
        return encoded(to_deal(due, _counts(asked.get("chips", ""))))

    async def _act(self, request: Request) -> Response:
        """Something is entered: it is done, or the answer has the reason."""
        name = request.path_params["name"]
        if name not in RACE_ACTS:
            raise ActError(f"there is no '{name[:40]}'{nearest(name[:40], RACE_ACTS)}")
        fields = await read_fields(request)
        self._room.act(name, fields | {"actor": person_of(request).name})
        return JSONResponse({"accepted": True})


def _counts(asked: str) -> tuple[int, ...]:
    parts = asked.split(",")
    if len(parts) > MOST_SEATS or not all(p.isdecimal() and len(p) < 5 for p in parts):
        raise ActError("say how many chips each seat has")
    return tuple(min(MOST_ODD, int(part)) for part in parts)
