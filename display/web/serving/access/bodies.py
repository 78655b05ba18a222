"""What is sent is here in time, or nobody waits for it."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.people.door import Door
from display.web.serving.access.asking import is_short, reads
from display.web.serving.answers import no

BODY_S = 10.0
"""A body is here by then."""


class _SlowError(Exception):
    pass


class InTime:
    """Ends what is too slow, and the connection on which something comes that is not read."""

    def __init__(self, app: ASGIApp, *, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it."""
        if reads(scope):
            await self._app(scope, receive, send)
            return
        body = _Body(self._door, scope, receive, send)
        try:
            await self._app(scope, body.received, body.sent)
        except* _SlowError:
            if not body.begun:
                answer = no("too slow", 408)
                answer.headers["connection"] = "close"
                await answer(scope, receive, send)


class _Body:
    def __init__(self, door: Door, scope: Scope, receive: Receive, send: Send) -> None:
        self.begun = False
        self._door = door
        self._scope, self._receive, self._send = scope, receive, send
        self._until = door.ticks() + BODY_S
        self._whole = False

    async def received(self) -> Message:
        try:
            async with asyncio.timeout(None if self.begun else self._until - self._door.ticks()):
                message = await self._receive()
        except TimeoutError:
            raise _SlowError from None
        self._whole = not message.get("more_body", False)
        return message

    async def sent(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            if not self._whole and not is_short(Headers(scope=self._scope)):
                MutableHeaders(scope=message)["connection"] = "close"
        await self._send(message)
