"""What a page sends, read no further than it may be long."""

from __future__ import annotations

from starlette.requests import Request

MAX_BODY = 4096


async def read_body(request: Request, most: int = MAX_BODY) -> bytes | None:
    """The body, or None when it is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            return None
    return body
