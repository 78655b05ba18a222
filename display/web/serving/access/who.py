"""Who asks: the cookie that a browser keeps of a sign-in, and whose it is."""

from __future__ import annotations

from contextlib import suppress

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.people.door import Door
from controller.people.rights import needed
from controller.people.staff_store import StaffError
from display.web.serving.access.asking import refuse
from display.web.serving.answers import no

COOKIE, SAFE_COOKIE = "cutcard", "__Host-cutcard"
"""The second only over HTTPS: a browser takes it from nobody else, and for no other machine."""


def signed_in(request: Request, response: Response, cookie: str, longest_s: float) -> None:
    """Gives a browser its cookie."""
    safe = request.scope["scheme"] == "https"
    response.set_cookie(
        SAFE_COOKIE if safe else COOKIE,
        cookie,
        max_age=int(longest_s),
        path="/",
        secure=safe,
        httponly=True,
        samesite="strict",
    )


def signed_out(request: Request, response: Response) -> None:
    """Takes it away."""
    safe = request.scope["scheme"] == "https"
    response.delete_cookie(
        SAFE_COOKIE if safe else COOKIE, path="/", secure=safe, httponly=True, samesite="strict"
    )


class Known:
    """Puts `person`, `session` and `cookie` into the request's state; None for a stranger.

    Where the people can't be read nobody is known, and all that needs a role is refused.
    """

    def __init__(self, app: ASGIApp, *, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it."""
        safe = scope["scheme"] == "https"
        cookie = _cookie(Headers(scope=scope), SAFE_COOKIE if safe else COOKIE)
        state = scope.setdefault("state", {})
        state.update(person=None, session=None, cookie=cookie)
        try:
            found = self._door.who(cookie)
        except StaffError:
            found = None
            if needed(scope["method"], scope["path"]) is not None:
                await refuse(no("the room's people can't be read", 503), scope, receive, send)
                return
        if found is not None:
            state["session"], state["person"] = found
            with suppress(StaffError):  # where nothing can be written it is known who it is
                self._door.used(found[0])
        await self._app(scope, receive, send)


def _cookie(headers: Headers, name: str) -> str | None:
    """A cookie; None where there are two of that name, of which one is somebody else's."""
    given = [part.strip() for each in headers.getlist("cookie") for part in each.split(";")]
    ours = [each.partition("=")[2] for each in given if each.partition("=")[0] == name]
    return ours[0] if len(ours) == 1 else None
