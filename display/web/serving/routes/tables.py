"""The page of the room's tables: which are let in, and the codes by which new ones come."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.broker.steward import StewardError
from controller.pairing.proof import in_rows
from controller.people.changes import Text
from controller.room.registrar import Offered, Registrar
from display.web.room import Room
from display.web.serving.answers import encoded, no
from display.web.serving.body import read_struct
from display.web.serving.frame import Frame
from display.web.words import page_words


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked for a table; one that is to have another name `replaces` the one it has."""

    table: Text
    replaces: Text = ""


class ShownTable(Struct, frozen=True):
    """A table that is let in; `live`: it is there."""

    table: str
    live: bool


class Tables(Struct, frozen=True):
    """All that the page shows. `spoilt`: wrong codes ended those that were open; `fault` is why the
    tables can't be told."""

    tables: tuple[ShownTable, ...]
    offers: tuple[Offered, ...]
    spoilt: bool
    fault: str


async def _add(registrar: Registrar, asked: Asked) -> None:
    await registrar.offer(asked.table, asked.replaces)


async def _withdraw(registrar: Registrar, asked: Asked) -> None:
    registrar.withdraw(asked.table)


async def _remove(registrar: Registrar, asked: Asked) -> None:
    await registrar.remove(asked.table)


_ACTS: Mapping[str, Callable[[Registrar, Asked], Awaitable[None]]] = {
    "add": _add,
    "withdraw": _withdraw,
    "remove": _remove,
}


class TablePages:
    """What an admin sees and changes; without a `registrar` that there is nothing to change."""

    def __init__(self, room: Room, registrar: Registrar | None, frame: Frame) -> None:
        self._room = room
        self._registrar = registrar
        self._frame = frame

    def routes(self) -> list[Route]:
        """The addresses."""
        acts = [Route(f"/tables/{what}", self._does(what), methods=["POST"]) for what in _ACTS]
        return [Route("/tables", self._page), Route("/tables.json", self._tables), *acts]

    def _page(self, request: Request) -> Response:
        words = page_words("tables", self._frame.language(request))
        registrar = self._registrar
        rows = () if registrar is None else in_rows(registrar.fingerprint)
        return self._frame.page(request, "tables.html", "tables", {"words": words, "rows": rows})

    async def _tables(self, _request: Request) -> Response:
        registrar = self._registrar
        if registrar is None:
            return _unable()
        live = {each.id for each in self._room.view().tables if each.live}
        fault, known = "", tuple[str, ...]()
        try:
            known = await registrar.tables()
        except StewardError as error:
            fault = str(error)
        tables = tuple(ShownTable(each, each in live) for each in known)
        return encoded(Tables(tables, registrar.offers(), registrar.spoilt, fault))

    def _does(self, what: str) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            if self._registrar is None:
                return _unable()
            await _ACTS[what](self._registrar, await read_struct(request, Asked))
            return JSONResponse({"done": True})

        return answer


def _unable() -> Response:
    return no("this room's broker lets no tables pair", 404)
