"""Who is signed out, or removed, or given another role, sees no more of what they have open."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.people.door import Door
from controller.people.staff_store import StaffError
from display.web.serving.access.asking import is_stream, session_in

LOOK_S = 1.0
"""How often it is looked whether who has a stream is still in."""


class _OverError(Exception):
    pass


class StillIn:
    """Ends streams, and breaks files off, of who is in no longer."""

    def __init__(self, app: ASGIApp, *, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on."""
        if session_in(scope) is None:
            await self._app(scope, receive, send)
            return
        looked = self._door.ticks()

        async def sent(message: Message) -> None:
            nonlocal looked
            now = self._door.ticks()
            if message.get("more_body") and now - looked >= LOOK_S:
                looked = now
                if not self._is_in(scope):
                    raise _OverError
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except* _OverError:
            if is_stream(scope):  # a file breaks off, so that nobody takes it for whole
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _is_in(self, scope: Scope) -> bool:
        try:
            return self._door.who(scope["state"]["cookie"]) is not None
        except StaffError:
            return False
