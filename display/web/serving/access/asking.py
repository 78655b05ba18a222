"""What the layers know of a request, for each other and for the pages."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from controller.people.rights import READING
from controller.people.staff import Person, Session


def person_of(request: Request) -> Person:
    """Who asks; only where a role is needed."""
    person: Person = request.state.person
    return person


def cookie_of(request: Request) -> str | None:
    """What the browser has kept of a sign-in."""
    found: str | None = request.state.cookie
    return found


def address_of(request: Request) -> str:
    """Where it comes from: the other end of the connection, whatever headers say."""
    return address_in(request.scope)


def address_in(scope: Scope) -> str:
    """The same of what has not become a request yet."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def person_in(scope: Scope) -> Person | None:
    """Who asks; None for a stranger."""
    person: Person | None = scope["state"]["person"]
    return person


def session_in(scope: Scope) -> Session | None:
    """Since when they are in; None for a stranger."""
    session: Session | None = scope["state"]["session"]
    return session


def reads(scope: Scope) -> bool:
    """Whether nothing is to be done but to show."""
    return scope["method"] in READING


def is_stream(scope: Scope) -> bool:
    """Whether a page wants to be told of everything from now on."""
    path = str(scope["path"])
    return reads(scope) and path.endswith("/events") and path != "/events"


def act_in(scope: Scope) -> str:
    """What is asked for, as the record has it."""
    return str(scope["path"]).strip("/").replace("/", " ")


def is_short(headers: Headers) -> bool:
    """Whether a body that nobody reads may as well come."""
    length = headers.get("content-length", "0" if "transfer-encoding" not in headers else "")
    return length.isdecimal() and len(length) < 6


async def refuse(answer: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Answers in the pages' place. What comes along is not read."""
    if not reads(scope) and not is_short(Headers(scope=scope)):
        answer.headers["connection"] = "close"
    await answer(scope, receive, send)
