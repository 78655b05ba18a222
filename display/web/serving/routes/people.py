"""The page of the room's people: who they are, who is in, who did what, and changing it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.people.changes import CHANGES, Change
from controller.people.door import CODE_S, Door
from controller.people.staff import Role
from controller.people.staff_store import SignedIn, StaffError
from display.web.audit_sentences import AuditLine, audit_line
from display.web.codes import code_inside
from display.web.serving.access.asking import address_of, person_of
from display.web.serving.answers import encoded
from display.web.serving.body import read_struct
from display.web.serving.frame import Frame
from display.web.words import page_words

SHOWN_AUDIT = 200


class ShownPerson(Struct, frozen=True):
    """One of the people, for an admin."""

    name: str
    role: Role
    tables: tuple[str, ...]
    has_pin: bool


class People(Struct, frozen=True):
    """All that the page of people shows. Times are the wall clock's, in seconds."""

    now: float
    people: tuple[ShownPerson, ...]
    sessions: tuple[SignedIn, ...]
    audit: tuple[AuditLine, ...]


class PeoplePages:
    """What an admin sees and changes."""

    def __init__(
        self, players: Callable[[], Mapping[str, Mapping[str, str]]], door: Door, frame: Frame
    ) -> None:
        """`players` tells of each event, by its id, the names of the players by theirs."""
        self._players = players
        self._door = door
        self._frame = frame

    def routes(self) -> list[Route]:
        """The addresses."""
        changes = [
            Route(f"/people/{what}", self._changes(what), methods=["POST"]) for what in CHANGES
        ]
        return [
            Route("/people", self._page),
            Route("/people.json", self._people),
            *changes,
            Route("/people/code", self._invite, methods=["POST"]),
        ]

    def _page(self, request: Request) -> Response:
        words = page_words("people", self._frame.language(request))
        known = {"words": words, "no_phones": self._frame.no_phones(request)}
        return self._frame.page(request, "people.html", "people", known)

    async def _people(self, request: Request) -> Response:
        door, language = self._door, self._frame.language(request)
        people = tuple(
            ShownPerson(each.name, each.role, each.tables, bool(each.kept))
            for each in door.store.people()
        )
        sessions = door.store.sessions(door.holds, door.now())
        players = self._players()
        audit = tuple(audit_line(each, language, players) for each in door.store.audit(SHOWN_AUDIT))
        return encoded(People(door.now(), people, sessions, audit))

    def _changes(self, what: str) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            asked = await read_struct(request, Change)
            by, address = person_of(request), address_of(request)
            try:
                about = await CHANGES[what](self._door, asked)
            except StaffError as error:
                self._door.refused(by, address, f"people {what}", asked.name, str(error))
                raise
            self._door.did(by, address, f"people {what}", about)
            return JSONResponse({"done": True})

        return answer

    async def _invite(self, request: Request) -> Response:
        asked, by = await read_struct(request, Change), person_of(request)
        person = self._door.store.known(asked.name)
        code = self._door.invite(person.name)
        here = request.url.replace(path="/join", query=f"code={code}")
        self._door.did(by, address_of(request), "people code", person.name)
        url = self._frame.for_phones(here)
        drawn = code_inside(url) if url else ""
        return JSONResponse({"url": url or str(here), "svg": drawn, "seconds": CODE_S})
