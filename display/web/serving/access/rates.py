"""How often something may be asked for, and how many screens one may have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from starlette.types import ASGIApp, Receive, Scope, Send

from controller.people.door import Door
from controller.people.staff import Bucket
from display.web.serving.access.asking import address_in, is_stream, reads, refuse, session_in
from display.web.serving.answers import no

STREAMS_OF_ONE = 12
STREAMS_OF_ADDRESS = 300
"""Of strangers behind one address: pocket clocks, perhaps of all players."""


class NotTooOften:
    """Refuses acts that come too fast: of one session, or of strangers behind one address."""

    def __init__(self, app: ASGIApp, *, door: Door) -> None:
        self._app = app
        self._door = door
        self._posts = Bucket(10, 40)
        self._strangers = Bucket(2, 20)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it."""
        if not reads(scope) and not self._may(scope):
            await refuse(no("too many requests; wait a moment", 429), scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _may(self, scope: Scope) -> bool:
        session, now = session_in(scope), self._door.ticks()
        if session is None:
            return self._strangers.take(address_in(scope), now)
        return self._posts.take(session.id, now)


class NotTooManyScreens:
    """Refuses streams to who has too many of them already."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._streams: Counter[Hashable] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it."""
        if not is_stream(scope):
            await self._app(scope, receive, send)
            return
        session = session_in(scope)
        who: Hashable = address_in(scope) if session is None else (session.id,)
        if self._streams[who] >= (STREAMS_OF_ADDRESS if session is None else STREAMS_OF_ONE):
            await refuse(no("too many screens", 429), scope, receive, send)
            return
        self._streams[who] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._streams[who] -= 1
            if not self._streams[who]:
                del self._streams[who]
