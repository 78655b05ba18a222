"""The players: their page and stream, what is asked of the register, files, and what is printed."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.contract.observations import nearest
from controller.room.acts import ActError
from controller.room.buying import BUYING_ACTS
from controller.room.conduct import CONDUCT_ACTS
from controller.room.hand_for_hand import ROUND_ACTS
from controller.room.money_acts import MONEY_ACTS
from controller.room.players_csv import read_players, write_conduct, write_players
from controller.room.register_acts import REGISTER_ACTS
from controller.room.view import RoomView
from display.web.conduct import Records
from display.web.players import (
    beat,
    by_name,
    drawn_from,
    draws,
    players,
    seat_cards,
    shares,
    table_lists,
)
from display.web.room import Event
from display.web.serving.access.asking import person_of
from display.web.serving.answers import csv_file, encoded, house_time
from display.web.serving.body import read_body, read_fields
from display.web.serving.frame import Frame
from display.web.serving.streams import Streams
from display.web.words import findings_words, page_words

MAX_FILE = 1024 * 1024
"""Of a file of players: 5,000 with long names."""
ASKED = (
    *REGISTER_ACTS,
    *BUYING_ACTS,
    *CONDUCT_ACTS,
    *ROUND_ACTS,
    *MONEY_ACTS,
    "bust",
    "busts",
    "unbust",
    "reopen",
    "next",
)
"""What the page asks for; all of it is done where the clock's acts are."""


class PlayerPages:
    """What the director sees of the register and asks of it."""

    def __init__(self, room: Event, frame: Frame, streams: Streams) -> None:
        self._room = room
        self._frame = frame
        self._streams = streams

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/players", self._page),
            Route("/players/events", self._events),
            Route("/players.json", self._picture),
            Route("/players.csv", self._export),
            Route("/players/draws.json", self._draws),
            Route("/players/at/{table}", self._at),
            Route("/conduct.csv", self._conduct),
            Route("/players/cards", self._cards),
            Route("/players/list", self._list),
            Route("/players-file", self._import, methods=["POST"]),
            Route("/players/{name}", self._act, methods=["POST"]),
        ]

    def _page(self, request: Request) -> Response:
        return self._shown(request, "players.html")

    async def _events(self, _request: Request) -> Response:
        return self._streams.changes(players, drawn_from, beat)

    async def _picture(self, _request: Request) -> Response:
        return encoded(players(self._room.view()))

    async def _draws(self, _request: Request) -> Response:
        return encoded(draws(self._room.view()))

    async def _at(self, request: Request) -> Response:
        """What is on record of those at a table, for who rules there."""
        return encoded(Records(self._room.view()).at(request.path_params["table"]))

    async def _export(self, _request: Request) -> Response:
        room = self._room.view()
        return csv_file("players", write_players(room.register.players, room.chips))

    async def _conduct(self, _request: Request) -> Response:
        room = self._room.view()
        return csv_file("conduct", write_conduct(room.conduct, room.seen, house_time))

    def _cards(self, request: Request) -> Response:
        return self._shown(request, "players_cards.html", cards=seat_cards(self._room.view()))

    def _list(self, request: Request) -> Response:
        room = self._room.view()
        cards = seat_cards(room)
        tables = table_lists(room.register.tables, cards)
        return self._shown(request, "players_list.html", cards=by_name(cards), tables=tables)

    def _shown(self, request: Request, template: str, **known: object) -> Response:
        language, room = self._frame.language(request), self._room.view()
        words = {
            **page_words("desk", language),
            **page_words("players", language),
            **findings_words(language),
        }
        name = room.tournament.name or room.screen.name
        return self._frame.page(
            request, template, "players", {"words": words, "name": name, **known}
        )

    async def _act(self, request: Request) -> Response:
        """Something is asked of the register: it is done, or the answer has the reason."""
        name = request.path_params["name"]
        if name not in ASKED:
            raise ActError(f"there is no '{name[:40]}'{nearest(name[:40], ASKED)}")
        return self._asked(request, name, await read_fields(request, MAX_FILE))

    async def _import(self, request: Request) -> Response:
        """All players of a file enter, or none; the columns that were left out are named."""
        file = read_players(await read_body(request, MAX_FILE))
        fields: dict[str, object] = {"players": msgspec.to_builtins(file.players)}
        return self._asked(request, "import", fields, left_out=file.left_out)

    def _asked(
        self, request: Request, name: str, fields: dict[str, object], **beside: object
    ) -> Response:
        before = self._room.view()
        self._room.act(name, fields | {"actor": person_of(request).name})
        view = self._room.view()
        done = {"accepted": True, "state": view.state, "revision": view.clock.revision}
        return JSONResponse(done | _outcome(name, before, view) | beside)


def _outcome(name: str, before: RoomView, after: RoomView) -> dict[str, object]:
    """What came of it that who asks can't know: by it what was done is said and taken back."""
    register = after.register
    match name:
        case "enter":
            return {"player": register.players[-1].id}
        case "import":
            return {"count": len(register.players) - len(before.register.players)}
        case "draw" | "redraw":
            last = register.draws[-1]
            return {"count": len(last.given), "seed": last.draw.seed}
        case "draw-button":
            drawn = register.buttons[-1]
            return {"seat": drawn.seat, "seed": drawn.seed}
        case "warn" | "penalise" | "disqualify":
            return {"id": after.conduct.last}
        case "deal":
            return {"id": after.money.last_deal}
        case "bust":
            new = _new_finishes(before, after)
            given = [shares(one) for one in after.shared.given if one.finish in new]
            shared = {"shares": msgspec.to_builtins(given[0])} if given else {}
            return {"finish": new[0], **shared} if new else {}
        case "busts":
            return {"finishes": _new_finishes(before, after)}
    return {}


def _new_finishes(before: RoomView, after: RoomView) -> list[int]:
    """Of who went out; who is left then has a finish too."""
    told = {each.id for each in before.told.finishes}
    return [f.id for f in after.told.finishes if f.id not in told and f.place != 1]
