"""What every answer tells the browser: how little it may do with a page of ours."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class Headed:
    """Adds them; nothing but HTTP passes. `strict` tells browsers to come by HTTPS alone."""

    def __init__(self, app: ASGIApp, *, strict: bool = False) -> None:
        self._app = app
        self._safe = HEADERS | ({"strict-transport-security": _HSTS} if strict else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on."""
        if scope["type"] != "http":
            return
        added = self._safe if scope["scheme"] == "https" else HEADERS

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                for name, value in added.items():
                    if name != "cache-control" or name not in found:
                        found[name] = value
            await send(message)

        await self._app(scope, receive, with_headers)
