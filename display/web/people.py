"""The pages of who is in: signing in and out, the first admin, and the people of the room."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.people.changes import CHANGES, Change, Text
from controller.people.door import CODE_S, Door, In, Refused
from controller.people.staff import ROLES, Person, Role
from controller.people.staff_store import SignedIn, StaffError
from display.web.access import address_of, cookie_of, person_of, signed_in, signed_out
from display.web.audit_sentences import AuditLine, audit_line
from display.web.body import MAX_BODY, read_body
from display.web.codes import code_inside
from display.web.frame import Frame
from display.web.paths import local
from display.web.words import page_words

SHOWN_AUDIT = 200
_REFUSED = {"wait": 429, "busy": 503}

S = TypeVar("S", bound=Struct)


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /login`."""

    name: Text
    pin: Text
    to: Text = ""


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /join`. Who is in already as somebody else has to be `sure`."""

    code: Text
    to: Text = ""
    sure: bool = False


class SetUp(Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /setup`."""

    code: Text
    name: Text
    pin: Text


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


class Me(Struct, frozen=True):
    """Who is signed in, for the pages."""

    name: str
    role: Role
    rights: tuple[str, ...]
    tables: tuple[str, ...]


def people_routes(door: Door, frame: Frame) -> list[Route]:
    """Their routes."""

    def page(request: Request, name: str, section: str, **more: object) -> Response:
        words = page_words(section, frame.language(request))
        return frame.page(request, f"{name}.html", name, {"words": words, **more})

    async def login_page(request: Request) -> Response:
        asked = request.query_params
        needs = asked.get("needs")
        role = needs if needs in ROLES else ""
        to, is_new, is_demo = local(asked.get("to")), door.is_new, frame.is_demo
        return page(request, "login", "login", to=to, needs=role, is_new=is_new, is_demo=is_demo)

    def join_page(request: Request) -> Response:
        asked = request.query_params
        code, to = asked.get("code", "")[:200], local(asked.get("to"))
        return page(request, "join", "login", code=code, to=to)

    def setup_page(request: Request) -> Response:
        return page(request, "setup", "login", code=request.query_params.get("code", "")[:200])

    def people_page(request: Request) -> Response:
        return page(request, "people", "people", no_phones=frame.no_phones(request))

    def logout_page(_request: Request) -> Response:
        return RedirectResponse("/login", 303)

    def let(request: Request, said: In | Refused, to: str) -> Response:
        if isinstance(said, Refused):
            fields = {"why": said.why, "wait_s": round(said.wait_s + 0.5), "error": said.why}
            return JSONResponse(fields, _REFUSED.get(said.why, 403))
        answer = JSONResponse({"name": said.person.name, "to": local(to)})
        signed_in(request, answer, said.cookie, door.holds.at_all_s)
        return answer

    async def login(request: Request) -> Response:
        asked = await _read(request, SignIn)
        said = await door.sign_in(asked.name, asked.pin, address_of(request), cookie_of(request))
        return let(request, said, asked.to)

    async def join(request: Request) -> Response:
        asked = await _read(request, Join)
        here: Person | None = request.state.person
        whom = door.whom(asked.code)
        if here is not None and whom == here.name:
            return JSONResponse({"name": here.name, "to": local(asked.to)})
        if here is not None and whom and not asked.sure:
            return JSONResponse({"why": "other", "here": here.name, "name": whom}, 409)
        return let(
            request, door.join(asked.code, address_of(request), cookie_of(request)), asked.to
        )

    async def setup(request: Request) -> Response:
        asked = await _read(request, SetUp)
        given = (asked.code, asked.name, asked.pin)
        said = await door.set_up(*given, address_of(request), cookie_of(request))
        return let(request, said, "/people")

    async def logout(request: Request) -> Response:
        door.sign_out(cookie_of(request), address_of(request))
        answer = JSONResponse({"out": True})
        signed_out(request, answer)
        return answer

    async def me(request: Request) -> Response:
        person = person_of(request)
        return _json(Me(person.name, person.role, person.rights, person.tables))

    async def listed(request: Request) -> Response:
        people = tuple(
            ShownPerson(each.name, each.role, each.tables, bool(each.kept))
            for each in door.store.people()
        )
        sessions = door.store.sessions(door.holds, door.now())
        tongue = frame.language(request)
        audit = tuple(audit_line(each, tongue) for each in door.store.audit(SHOWN_AUDIT))
        return _json(People(door.now(), people, sessions, audit))

    def changed(what: str, change: Callable[[Door, Change], Awaitable[str]]) -> Route:
        async def answer(request: Request) -> Response:
            asked = await _read(request, Change)
            by, address = person_of(request), address_of(request)
            try:
                about = await change(door, asked)
            except StaffError as error:
                door.refused(by, address, f"people {what}", asked.name, str(error))
                return JSONResponse({"error": str(error)}, 409)
            door.did(by, address, f"people {what}", about)
            return JSONResponse({"done": True})

        return Route(f"/people/{what}", _guarded(answer), methods=["POST"])

    async def invite(request: Request) -> Response:
        asked, by = await _read(request, Change), person_of(request)
        person = door.store.known(asked.name)
        here = request.url.replace(path="/join", query=f"code={door.invite(person.name)}")
        door.did(by, address_of(request), "people code", person.name)
        url = frame.for_phones(here)
        drawn = code_inside(url) if url else ""
        return JSONResponse({"url": url or str(here), "svg": drawn, "seconds": CODE_S})

    return [
        Route("/login", login_page),
        Route("/login", _guarded(login), methods=["POST"]),
        Route("/logout", logout_page),
        Route("/logout", _guarded(logout), methods=["POST"]),
        Route("/join", join_page),
        Route("/join", _guarded(join), methods=["POST"]),
        Route("/setup", setup_page),
        Route("/setup", _guarded(setup), methods=["POST"]),
        Route("/me.json", me),
        Route("/people", people_page),
        Route("/people.json", _guarded(listed)),
        *(changed(what, change) for what, change in CHANGES.items()),
        Route("/people/code", _guarded(invite), methods=["POST"]),
    ]


class _BadBodyError(Exception):
    def __init__(self, words: str, status: int) -> None:
        super().__init__(words)
        self.status = status


def _guarded(
    act: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """What may be wrong with any of them, as an answer."""

    async def answer(request: Request) -> Response:
        try:
            return await act(request)
        except _BadBodyError as error:
            return JSONResponse({"error": str(error)}, error.status)
        except StaffError as error:
            return JSONResponse({"error": str(error)}, 409)

    return answer


async def _read(request: Request, kind: type[S]) -> S:
    body = await read_body(request)
    if body is None:
        raise _BadBodyError(f"more than {MAX_BODY} bytes", 413)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise _BadBodyError("not such a JSON object", 400) from None


def _json(value: Struct) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")
