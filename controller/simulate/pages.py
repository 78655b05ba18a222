"""The room's pages as a browser asks for them: its health, signing in, and the floor's stream."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from controller.simulate.told import PREFIX

_LINE = 64 * 1024 * 1024
_ANSWER_S = 5.0


class PageError(Exception):
    """The room does not answer as it should; the text is one line for the user."""


class HealthPage(Struct):
    """What is read of `/healthz`."""

    ok: bool = False
    heard: Mapping[str, int] | None = None


class _Alert(Struct):
    table: str
    finding: str = ""


class _Floor(Struct):
    alerts: list[_Alert]


class RoomPages:
    """The pages of the room at `url`, `http://HOST:PORT/` or https. `cookie` is sent with
    each request: `NAME=VALUE`."""

    def __init__(self, url: str, cookie: str = "") -> None:
        """Raises PageError for an address that is none."""
        parts = urlsplit(url if "://" in url else f"http://{url}")
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme not in ("http", "https") or not parts.hostname or port == -1:
            raise PageError(f"--room {url!r} is not http://HOST:PORT")
        self._host = parts.hostname
        self._port = port or (443 if parts.scheme == "https" else 80)
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._name = parts.netloc
        self.url = f"{self._origin}/"
        self.cookie = cookie

    async def health(self) -> HealthPage:
        """How the room says it is. Raises PageError."""
        _, body = await self._ask("GET", "/healthz")
        try:
            return msgspec.json.decode(body, type=HealthPage)
        except msgspec.DecodeError:
            raise PageError(f"{self.url}healthz does not answer like a room") from None

    async def join(self, code: str) -> None:
        """Signs in with a code. Raises PageError."""
        head, _ = await self._ask("POST", "/join", msgspec.json.encode({"code": code}))
        cookie = next((v for k, v in head if k == "set-cookie"), "").partition(";")[0]
        if cookie:
            self.cookie = cookie
        else:
            status = dict(head)[""]
            raise PageError(f"{self.url}join does not accept this code ({status})")

    async def _ask(
        self, method: str, path: str, body: bytes = b""
    ) -> tuple[list[tuple[str, str]], bytes]:
        """The answer's headers, its status under the empty name, and its body."""
        try:
            async with asyncio.timeout(_ANSWER_S):
                reader, writer = await self._request(method, path, body)
                try:
                    head = await _head(reader)
                    lengths = [v for k, v in head if k == "content-length"]
                    length = int(lengths[0]) if lengths else 0
                    return head, await reader.readexactly(length)
                finally:
                    writer.close()
        except (OSError, ValueError, EOFError) as error:
            reason = str(error) or "no answer"
            raise PageError(f"no room at {self.url}: {reason}") from None

    async def _request(
        self, method: str, path: str, body: bytes = b""
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(
            self._host, self._port, ssl=self._tls, limit=_LINE
        )
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self._name}"]
        lines += [f"Origin: {self._origin}", "X-Requested-With: cutcard"]
        if self.cookie:
            lines.append(f"Cookie: {self.cookie}")
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        if path != "/floor/events":
            lines.append("Connection: close")
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        return reader, writer

    async def stream(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """An open stream of events. Raises PageError."""
        try:
            async with asyncio.timeout(_ANSWER_S):
                reader, writer = await self._request("GET", path)
                status = dict(await _head(reader))[""]
        except (OSError, EOFError) as error:
            raise PageError(f"{self._origin}{path}: {str(error) or 'no answer'}") from None
        if status != "200":
            writer.close()
            why = {"401": "sign in (--join, --cookie-file)", "403": "not with this role"}
            raise PageError(f"{self._origin}{path} says {status}: {why.get(status, 'no stream')}")
        return reader, writer


async def _head(reader: asyncio.StreamReader) -> list[tuple[str, str]]:
    first = (await reader.readline()).decode("latin-1").split()
    if len(first) < 2:
        raise EOFError
    head = [("", first[1])]
    while text := (await reader.readline()).decode("latin-1").strip():
        name, _, value = text.partition(":")
        head.append((name.lower(), value.strip()))
    return head


class FloorPage:
    """One open page of the floor: when each alert was first on it, and when first no more.

    `seen` and `gone` are (table, finding) → nanoseconds; `messages` and `bytes` came in. `broken`
    is why the stream ended, if it did.
    """

    def __init__(self, pages: RoomPages) -> None:
        self._pages = pages
        self._here: set[tuple[str, str]] = set()
        self.seen: dict[tuple[str, str], int] = {}
        self.gone: dict[tuple[str, str], int] = {}
        self.messages = self.bytes = self.longest = 0
        self.broken = ""

    async def follow(self, up: asyncio.Event) -> None:
        """Reads until cancelled or the stream ends; `up` is set at its first message. Raises
        PageError where there is no stream."""
        reader, writer = await self._pages.stream("/floor/events")
        decoder = msgspec.json.Decoder(_Floor)
        try:
            while text := await reader.readline():
                at_ns = time.monotonic_ns()
                if text.startswith(b"data: "):
                    self._take(decoder.decode(text[6:]), at_ns)
                    self.messages += 1
                    self.bytes += len(text)
                    self.longest = max(self.longest, len(text))
                    up.set()
            self.broken = "the room ended it"
        except (OSError, ValueError) as error:
            self.broken = str(error) or type(error).__name__
        finally:
            writer.close()

    def _take(self, floor: _Floor, at_ns: int) -> None:
        here = {(a.table, a.finding) for a in floor.alerts if a.finding}
        for key in here - self._here:
            if key[0].startswith(PREFIX):
                self.seen.setdefault(key, at_ns)
        for key in self._here - here:
            self.gone.setdefault(key, at_ns)
        self._here = here
