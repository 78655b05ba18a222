"""Messages to telephones by an ntfy server of the house: for what stops a table, and for what
nobody takes. They say title and table, never a card or a player."""

from __future__ import annotations

import asyncio
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from http.client import HTTPException

from msgspec import Struct

from controller.room.lead import Lead
from controller.room.shift import Pushes

TIMEOUT_S = 5.0
MAX_WAITING = 20
_PRIORITY = {1: "urgent", 2: "high"}


class Push(Struct, frozen=True):
    """One message; `priority` is the alert's."""

    title: str
    text: str
    priority: int


Post = Callable[[str, bytes, Mapping[str, str]], None]


def post(url: str, body: bytes, headers: Mapping[str, str]) -> None:
    """Send it. Raises OSError where nobody has taken it."""
    request = urllib.request.Request(url, body, dict(headers), method="POST")  # noqa: S310
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
        answer.read(1_000)


class Telephones:
    """Sends messages while this room leads; another one for the site sends its own. Without an
    `ntfy` nobody has one."""

    def __init__(self, ntfy: Ntfy | None, lead: Lead) -> None:
        self._ntfy = ntfy
        self._lead = lead

    @property
    def pushes(self) -> Pushes:
        """What became of the messages."""
        return self._ntfy.pushes if self._ntfy is not None else Pushes()

    def push(self, message: Push) -> None:
        """Send it as soon as may be."""
        if self._ntfy is not None and self._lead.leads:
            self._ntfy.push(message)


class Ntfy:
    """Sends one message after the other to `url`, beside the loop. Where too many wait, the
    newest is dropped; what could not be sent is counted and not sent again."""

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        changed: Callable[[], None] = lambda: None,
        post: Post = post,
    ) -> None:
        self._url = url
        self._token = token
        self._changed = changed
        self._post = post
        self._waiting: asyncio.Queue[Push] = asyncio.Queue(MAX_WAITING)
        self.pushes = Pushes(on=True)

    def push(self, message: Push) -> None:
        """Send it as soon as may be."""
        try:
            self._waiting.put_nowait(message)
        except asyncio.QueueFull:
            self._count("dropped")

    async def run(self) -> None:
        """Send what comes, until cancelled."""
        while True:
            message = await self._waiting.get()
            headers = {
                "Title": _ascii(message.title),
                "Priority": _PRIORITY.get(message.priority, "default"),
                "Tags": "rotating_light" if message.priority == 1 else "bell",
            }
            if self._token:
                headers["Authorization"] = f"Bearer {self._token}"
            try:
                await _beside(partial(self._post, self._url, message.text.encode(), headers))
            except urllib.error.HTTPError as error:
                error.close()
                self._count("failed", f"{_host(self._url)} answers {error.code}")
            except (OSError, ValueError, HTTPException) as error:
                reason = getattr(error, "reason", error)
                words = getattr(reason, "strerror", None) or type(reason).__name__
                self._count("failed", f"{_host(self._url)}: {words}")
            else:
                self._count("sent")

    def _count(self, what: str, fault: str = "") -> None:
        had = self.pushes
        self.pushes = Pushes(
            on=True,
            sent=had.sent + (what == "sent"),
            failed=had.failed + (what == "failed"),
            dropped=had.dropped + (what == "dropped"),
            fault=fault if what != "dropped" else had.fault,
        )
        self._changed()


async def _beside(do: Callable[[], None]) -> None:
    """Does it in a thread that keeps nobody from ending, unlike those of the loop."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def tell(error: Exception | None) -> None:
        if done.cancelled():
            return
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)

    def run() -> None:
        failed: Exception | None = None
        try:
            do()
        except (OSError, ValueError, HTTPException) as error:
            failed = error
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(tell, failed)

    threading.Thread(target=run, name="ntfy", daemon=True).start()
    await done


def _ascii(text: str) -> str:
    """A header's value: what is not ASCII as ntfy reads it (RFC 2047)."""
    from email.header import Header  # noqa: PLC0415 - not before the first message

    plain = "".join(c if c.isprintable() else " " for c in text)[:200]
    return plain if plain.isascii() else Header(plain, "utf-8", maxlinelen=10_000).encode()


def _host(url: str) -> str:
    return urllib.parse.urlsplit(url).hostname or "ntfy"
