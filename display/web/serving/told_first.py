"""What was done is told elsewhere before it is answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_READS = ("GET", "HEAD")


class ToldFirst:
    """Waits for `tell` before each answer to a request that may have changed something."""

    def __init__(self, app: ASGIApp, tell: Callable[[], Awaitable[None]]) -> None:
        self._app = app
        self._tell = tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self._tell()
            await send(message)

        changes = scope["type"] == "http" and scope["method"] not in _READS
        await self._app(scope, receive, answer if changes else send)
