"""The record of who did what: each act with what it carried and what came of it."""

from __future__ import annotations

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.people.door import Door
from controller.people.rights import matches
from controller.people.staff_store import StaffError
from display.web.serving.access.asking import act_in, address_in, person_in, reads

ITS_OWN_RECORD = ("/login", "/logout", "/join", "/setup", "/people/*")
"""What says by itself what was done: PINs and codes go there."""
NOBODYS = ("/updates/*",)
"""What machines ask among themselves, and no person does."""
_KEPT_OF_BODY = 4096
_KEPT_OF_ANSWER = 1024
_NEVER_KEPT = ("pin", "code", "actor")


class Recorded:
    """Keeps every act that was let pass."""

    def __init__(self, app: ASGIApp, *, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on."""
        if reads(scope) or matches(scope["path"], (*ITS_OWN_RECORD, *NOBODYS)):
            await self._app(scope, receive, send)
            return
        act = _Act(receive, send)
        await self._app(scope, act.received, act.sent)
        try:
            who, address = person_in(scope), address_in(scope)
            self._door.did(who, address, act_in(scope), act.about, act.result)
        except StaffError:
            return  # the page says so: the room's faults have it


class _Act:
    """What is read and said of one request, as much of it as is kept."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._status = 0
        self._body, self._said = b"", b""

    async def received(self) -> Message:
        message = await self._receive()
        if len(self._body) <= _KEPT_OF_BODY:
            self._body += message.get("body", b"")
        return message

    async def sent(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
        elif len(self._said) <= _KEPT_OF_ANSWER:
            self._said += message.get("body", b"")
        await self._send(message)

    @property
    def about(self) -> str:
        """What it carried, but for what is nobody's to read."""
        fields = _object(self._body)
        kept = {name: value for name, value in fields.items() if name not in _NEVER_KEPT}
        return msgspec.json.encode(kept).decode() if kept else ""

    @property
    def result(self) -> str:
        """`ok`, or why not."""
        if 200 <= self._status < 300:
            return "ok"
        return str(_object(self._said).get("error", self._status))


def _object(body: bytes) -> dict[str, object]:
    try:
        found: object = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
