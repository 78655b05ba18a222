"""The pages by which people come in and go: PINs, codes, and the first admin."""

from __future__ import annotations

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.people.changes import Text
from controller.people.door import Door, In, Refused
from controller.people.staff import ROLES, Person, Role
from display.web.serving.access.asking import address_of, cookie_of, person_of
from display.web.serving.access.paths import local
from display.web.serving.access.who import signed_in, signed_out
from display.web.serving.answers import encoded
from display.web.serving.body import read_struct
from display.web.serving.frame import Frame
from display.web.words import page_words

_REFUSED = {"wait": 429, "busy": 503}


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


class Me(Struct, frozen=True):
    """Who is signed in, for the pages."""

    name: str
    role: Role
    rights: tuple[str, ...]
    tables: tuple[str, ...]


class SignInPages:
    """What strangers see, and whoever is in of themselves."""

    def __init__(self, door: Door, frame: Frame) -> None:
        self._door = door
        self._frame = frame

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/login", self._login_page),
            Route("/login", self._login, methods=["POST"]),
            Route("/logout", self._logout_page),
            Route("/logout", self._logout, methods=["POST"]),
            Route("/join", self._join_page),
            Route("/join", self._join, methods=["POST"]),
            Route("/setup", self._setup_page),
            Route("/setup", self._setup, methods=["POST"]),
            Route("/me.json", self._me),
        ]

    async def _login_page(self, request: Request) -> Response:
        asked = request.query_params
        needs = asked.get("needs")
        return self._page(
            request,
            "login",
            to=local(asked.get("to")),
            needs=needs if needs in ROLES else "",
            is_new=self._door.is_new,
            is_demo=self._frame.is_demo,
            is_service=self._door.is_service,
            barred=self._door.fault,
        )

    async def _login(self, request: Request) -> Response:
        asked = await read_struct(request, SignIn)
        given = (asked.name, asked.pin)
        said = await self._door.sign_in(*given, address_of(request), cookie_of(request))
        return self._let(request, said, asked.to)

    def _logout_page(self, _request: Request) -> Response:
        return RedirectResponse("/login", 303)

    async def _logout(self, request: Request) -> Response:
        self._door.sign_out(cookie_of(request), address_of(request))
        answer = JSONResponse({"out": True})
        signed_out(request, answer)
        return answer

    def _join_page(self, request: Request) -> Response:
        asked = request.query_params
        code, to = asked.get("code", "")[:200], local(asked.get("to"))
        return self._page(request, "join", code=code, to=to)

    async def _join(self, request: Request) -> Response:
        asked = await read_struct(request, Join)
        here: Person | None = request.state.person
        whom = self._door.whom(asked.code)
        if here is not None and whom == here.name:
            return JSONResponse({"name": here.name, "to": local(asked.to)})
        if here is not None and whom and not asked.sure:
            return JSONResponse({"why": "other", "here": here.name, "name": whom}, 409)
        said = self._door.join(asked.code, address_of(request), cookie_of(request))
        return self._let(request, said, asked.to)

    def _setup_page(self, request: Request) -> Response:
        return self._page(request, "setup", code=request.query_params.get("code", "")[:200])

    async def _setup(self, request: Request) -> Response:
        asked = await read_struct(request, SetUp)
        given = (asked.code, asked.name, asked.pin)
        said = await self._door.set_up(*given, address_of(request), cookie_of(request))
        return self._let(request, said, "/people")

    async def _me(self, request: Request) -> Response:
        person = person_of(request)
        return encoded(Me(person.name, person.role, person.rights, person.tables))

    def _page(self, request: Request, name: str, **known: object) -> Response:
        words = page_words("login", self._frame.language(request))
        return self._frame.page(request, f"{name}.html", name, {"words": words, **known})

    def _let(self, request: Request, said: In | Refused, to: str) -> Response:
        if isinstance(said, Refused):
            fields = {"why": said.why, "wait_s": round(said.wait_s + 0.5), "error": said.why}
            return JSONResponse(fields, _REFUSED.get(said.why, 403))
        answer = JSONResponse({"name": said.person.name, "to": local(to)})
        signed_in(request, answer, said.cookie, self._door.holds.at_all_s)
        return answer
