"""What a page sends, read no further than it may be long."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import Request

MAX_BODY = 4096
MAX_ACT = 64 * 1024
"""Of what is asked of the clock: a whole structure is as long as that."""

S = TypeVar("S", bound=Struct)


class BadBodyError(ValueError):
    """It can't be read; one line says why, and `status` is the answer's."""

    def __init__(self, words: str, status: int) -> None:
        super().__init__(words)
        self.status = status


async def read_body(request: Request, most: int = MAX_BODY) -> bytes:
    """The body. Raises BadBodyError when it is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise BadBodyError(f"more than {most} bytes", 413)
    return body


async def read_fields(request: Request, most: int = MAX_BODY) -> dict[str, object]:
    """The fields of a JSON object, whatever they are. Raises BadBodyError."""
    body = await read_body(request, most)
    try:
        return msgspec.json.decode(body, type=dict[str, object])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadBodyError("not a JSON object", 400) from None


async def read_struct(request: Request, kind: type[S]) -> S:
    """A JSON object of that kind. Raises BadBodyError."""
    body = await read_body(request)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadBodyError("not such a JSON object", 400) from None
