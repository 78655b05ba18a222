"""Where a request comes from: to a name of ours, on a straight path, sent by one of our pages."""

from __future__ import annotations

from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.people.rights import IN_THE_CLEAR, in_event, matches
from display.web.serving.access.asking import reads, refuse
from display.web.serving.access.hosts import Hosts
from display.web.serving.access.paths import is_straight
from display.web.serving.answers import no

ASKED_BY_US = "cutcard"
"""What our own pages say in `X-Requested-With`; no other site's page can."""


class FromHere:
    """Refuses what does not, whoever asks."""

    def __init__(self, app: ASGIApp, *, hosts: Hosts, https_port: int | None = None) -> None:
        self._app = app
        self._hosts = hosts
        self._https_port = https_port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it."""
        answer = self._turned_away(scope, Headers(scope=scope))
        if answer is not None:
            await refuse(answer, scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _turned_away(self, scope: Scope, headers: Headers) -> Response | None:
        host, path = headers.get("host", ""), scope["path"]
        if len(headers.getlist("host")) != 1 or not self._hosts.know(host):
            return no("this room is not known by that name; add it to [web] names", 421)
        raw = scope.get("raw_path", b"").decode("latin-1").partition("?")[0]
        if not is_straight(path, raw):
            return no("there is no such page", 404)
        clear = self._https_port is None or scope["scheme"] == "https"
        if not clear and not matches(in_event(path), IN_THE_CLEAR):
            if not reads(scope):
                return no("only over HTTPS", 403)
            return RedirectResponse(_by_https(host, self._https_port or 0, scope), 307)
        if not reads(scope) and not _is_from_our_page(scope["scheme"], headers):
            return no("not sent from a page of this room", 403)
        return None


def _is_from_our_page(scheme: str, headers: Headers) -> bool:
    """Whether a browser sent it for a page that came from here."""
    ours = headers.getlist("origin") == [f"{scheme}://{headers['host']}"]
    return ours and headers.getlist("x-requested-with") == [ASKED_BY_US]


def _by_https(host: str, port: int, scope: Scope) -> str:
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    place = name if port == 443 else f"{name}:{port}"
    query = scope["query_string"].decode("latin-1")
    return f"https://{place}{quote(scope['path'])}{f'?{query}' if query else ''}"
