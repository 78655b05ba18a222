"""Who may: the role that an address needs, and where they are sent who lack it."""

from __future__ import annotations

from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.people.door import Door
from controller.people.rights import needed
from controller.people.staff_store import StaffError
from display.web.serving.access.asking import act_in, address_in, person_in, reads, refuse
from display.web.serving.answers import no


class Allowed:
    """Refuses who lacks the role, and keeps what somebody was refused."""

    def __init__(self, app: ASGIApp, *, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it."""
        try:
            answer = self._judged(scope)
        except StaffError:
            answer = no("the room's people can't be read", 503)
        if answer is not None:
            await refuse(answer, scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _judged(self, scope: Scope) -> Response | None:
        """The answer to who may not. Raises StaffError."""
        path, person = scope["path"], person_in(scope)
        role = needed(scope["method"], path)
        if role is None or (person is not None and person.may(role)):
            return None
        if not reads(scope) and person is not None:
            self._door.refused(person, address_in(scope), act_in(scope), "", f"needs {role}")
        if reads(scope) and "text/html" in Headers(scope=scope).get("accept", ""):
            to = path + (f"?{query}" if (query := scope["query_string"].decode("latin-1")) else "")
            return RedirectResponse(f"/login?to={quote(to)}&needs={role}", 303)
        if person is None:
            return no("sign in first", 401)
        return no(f"{person.name} is {person.role}; this needs {role}", 403)
