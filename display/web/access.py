"""Who asks, and whether they may: around all pages, before any of them.

Pure ASGI: answers and streams pass through as they are. What a browser sends is looked at in this
order: the name it found us by, the path, where the page came from, how often, who, which role.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Hashable
from urllib.parse import quote

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.people.door import Door
from controller.people.rights import IN_THE_CLEAR, READING, matches, needed
from controller.people.staff import Bucket, Person, Session
from controller.people.staff_store import StaffError
from display.web.hosts import Hosts
from display.web.paths import is_straight

ASKED_BY_US = "cutcard"
"""What our own pages say in `X-Requested-With`; no other site's page can."""
COOKIE, SAFE_COOKIE = "cutcard", "__Host-cutcard"
"""The second only over HTTPS: a browser takes it from nobody else, and for no other machine."""
BODY_S = 10.0
"""A body is here by then."""
STREAMS_OF_ONE = 12
STREAMS_OF_ADDRESS = 300
"""Of strangers behind one address: pocket clocks, perhaps of all players."""
LOOK_S = 1.0
"""How often it is looked whether who has a stream is still in."""
ITS_OWN_RECORD = ("/login", "/logout", "/join", "/setup", "/people/*")
"""What says by itself what was done: PINs and codes go there."""
_KEPT_OF_BODY = 4096
_KEPT_OF_ANSWER = 1024
_NEVER_KEPT = ("pin", "code", "actor")
HEADERS = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'self'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-cache",
}
"""Of every answer."""
_HSTS = "max-age=2592000"


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
    return _address(request.scope)


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


class Access:
    """The middleware. `request.state.person` is who asks, None for a stranger.

    `https_port` is set where there is HTTPS too: plain HTTP has little then. `strict` tells
    browsers to come by HTTPS alone, which they apply to every port of a name.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        door: Door,
        hosts: Hosts,
        https_port: int | None = None,
        strict: bool = False,
    ) -> None:
        self._app = app
        self._door = door
        self._hosts = hosts
        self._https_port = https_port
        self._headers = HEADERS | ({"strict-transport-security": _HSTS} if strict else {})
        self._streams: Counter[Hashable] = Counter()
        self._posts = Bucket(10, 40)
        self._strangers = Bucket(2, 20)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it."""
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        safe = scope["scheme"] == "https"
        added = self._headers if safe else HEADERS

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                for name, value in added.items():
                    if name != "cache-control" or name not in found:
                        found[name] = value
            await send(message)

        cookie = _cookie(headers, SAFE_COOKIE if safe else COOKIE)
        scope.setdefault("state", {})
        scope["state"].update(person=None, cookie=cookie)
        answer = self._turned_away(scope, headers)
        session = person = None
        if answer is None:
            try:
                found = self._door.who(cookie)
                if found is not None:
                    session, person = found
                    scope["state"]["person"] = person
                    self._door.used(session)
                answer = self._judged(scope, headers, session, person)
            except StaffError:
                if needed(scope["method"], scope["path"]) is not None:
                    answer = _no("the room's people can't be read", 503)
        if answer is not None:
            if scope["method"] not in READING and not _is_short(headers):
                answer.headers["connection"] = "close"
            await answer(scope, receive, with_headers)
            return
        wires = (scope, receive, with_headers)
        await _Passing(self, wires, session, person).go()

    def _turned_away(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to what is refused whoever asks."""
        host, path, method = headers.get("host", ""), scope["path"], scope["method"]
        if len(headers.getlist("host")) != 1 or not self._hosts.know(host):
            return _no("this room is not known by that name; add it to [web] names", 421)
        raw = scope.get("raw_path", b"").decode("latin-1").partition("?")[0]
        if not is_straight(path, raw):
            return _no("there is no such page", 404)
        clear = self._https_port is None or scope["scheme"] == "https"
        if not clear and not matches(path, IN_THE_CLEAR):
            if method not in READING:
                return _no("only over HTTPS", 403)
            return RedirectResponse(_by_https(host, self._https_port or 0, scope), 307)
        if method not in READING and not from_our_page(scope["scheme"], headers):
            return _no("not sent from a page of this room", 403)
        return None

    def _judged(
        self, scope: Scope, headers: Headers, session: Session | None, person: Person | None
    ) -> Response | None:
        """The answer to who may not, or not so often. Raises StaffError."""
        method, path, address = scope["method"], scope["path"], _address(scope)
        now = self._door.ticks()
        if method not in READING:
            often = (
                self._strangers.take(address, now)
                if session is None
                else self._posts.take(session.id, now)
            )
            if not often:
                return _no("too many requests; wait a moment", 429)
        role = needed(method, path)
        if role is None or (person is not None and person.may(role)):
            return None
        if method not in READING and person is not None:
            self._door.refused(person, address, _what(path), "", f"needs {role}")
        if method in READING and "text/html" in headers.get("accept", ""):
            to = path + (f"?{query}" if (query := scope["query_string"].decode("latin-1")) else "")
            return RedirectResponse(f"/login?to={quote(to)}&needs={role}", 303)
        if person is None:
            return _no("sign in first", 401)
        return _no(f"{person.name} is {person.role}; this needs {role}", 403)


class _SlowError(Exception):
    pass


class _OverError(Exception):
    pass


class _Passing:
    """One request that may pass: its body in time, its stream for as long as who asks is in, and
    what was done is kept."""

    def __init__(
        self,
        access: Access,
        wires: tuple[Scope, Receive, Send],
        session: Session | None,
        person: Person | None,
    ) -> None:
        scope = wires[0]
        self._access = access
        self._door = access._door
        self._scope, self._receive, self._send = wires
        self._session, self._person = session, person
        self._begun = False
        self._status = 0
        self._body, self._said = b"", b""
        self._looked = self._door.ticks()
        self._until = self._looked + BODY_S
        self._read = scope["method"] in READING
        self._whole = self._read

    async def go(self) -> None:
        """Passes it on."""
        streams, who = self._access._streams, self._of_whom()
        is_stream = self._read and self._scope["path"].endswith("/events")
        most = STREAMS_OF_ADDRESS if self._session is None else STREAMS_OF_ONE
        if is_stream and streams[who] >= most:
            await _no("too many screens", 429)(self._scope, self._receive, self._send)
            return
        streams[who] += is_stream
        try:
            await self._access._app(self._scope, self._received, self._sent)
        except* _SlowError:
            if not self._begun:
                answer = _no("too slow", 408)
                answer.headers["connection"] = "close"
                await answer(self._scope, self._receive, self._send)
        except* _OverError:
            if is_stream:  # a file breaks off, so that nobody takes it for whole
                await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            streams[who] -= is_stream
            if not streams[who]:
                del streams[who]
        if not self._read and not matches(self._scope["path"], ITS_OWN_RECORD):
            self._keep()

    def _of_whom(self) -> Hashable:
        return _address(self._scope) if self._session is None else (self._session.id,)

    async def _received(self) -> Message:
        if self._read:
            return await self._receive()
        try:
            async with asyncio.timeout(None if self._begun else self._until - self._door.ticks()):
                message = await self._receive()
        except TimeoutError:
            raise _SlowError from None
        if len(self._body) <= _KEPT_OF_BODY:
            self._body += message.get("body", b"")
        self._whole = not message.get("more_body", False)
        return message

    async def _sent(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._begun, self._status = True, message["status"]
            if not self._whole and not _is_short(Headers(scope=self._scope)):
                MutableHeaders(scope=message)["connection"] = "close"  # what comes is not read
        elif self._session is not None and message.get("more_body") and not self._still_in():
            raise _OverError
        elif len(self._said) <= _KEPT_OF_ANSWER and not self._read:
            self._said += message.get("body", b"")
        await self._send(message)

    def _still_in(self) -> bool:
        now = self._door.ticks()
        if now - self._looked < LOOK_S:
            return True
        self._looked = now
        try:
            return self._door.who(self._scope["state"]["cookie"]) is not None
        except StaffError:
            return False

    def _keep(self) -> None:
        fields = _object(self._body)
        about = {name: value for name, value in fields.items() if name not in _NEVER_KEPT}
        said = _object(self._said)
        result = "ok" if 200 <= self._status < 300 else str(said.get("error", self._status))
        text = msgspec.json.encode(about).decode() if about else ""
        try:
            what = _what(self._scope["path"])
            self._door.did(self._person, _address(self._scope), what, text, result)
        except StaffError:
            return  # the page says so: the room's faults have it


def from_our_page(scheme: str, headers: Headers) -> bool:
    """Whether a browser sent it for a page that came from here."""
    ours = headers.getlist("origin") == [f"{scheme}://{headers['host']}"]
    return ours and headers.getlist("x-requested-with") == [ASKED_BY_US]


def _cookie(headers: Headers, name: str) -> str | None:
    """A cookie; None where there are two of that name, of which one is somebody else's."""
    given = [part.strip() for each in headers.getlist("cookie") for part in each.split(";")]
    ours = [each.partition("=")[2] for each in given if each.partition("=")[0] == name]
    return ours[0] if len(ours) == 1 else None


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def _by_https(host: str, port: int, scope: Scope) -> str:
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    place = name if port == 443 else f"{name}:{port}"
    query = scope["query_string"].decode("latin-1")
    return f"https://{place}{quote(scope['path'])}{f'?{query}' if query else ''}"


def _is_short(headers: Headers) -> bool:
    """Whether a body that nobody reads may as well come."""
    length = headers.get("content-length", "0" if "transfer-encoding" not in headers else "")
    return length.isdecimal() and len(length) < 6


def _what(path: str) -> str:
    return path.strip("/").replace("/", " ")


def _object(body: bytes) -> dict[str, object]:
    try:
        found: object = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _no(words: str, status: int) -> Response:
    return JSONResponse({"error": words}, status_code=status)
