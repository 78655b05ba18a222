"""The answers that are no pages: a value as JSON, and why something is not to be had."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from starlette.responses import JSONResponse, Response


def encoded(value: Struct, status: int = 200) -> Response:
    """A value."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def no(words: str, status: int) -> Response:
    """That it is not so, in one line."""
    return JSONResponse({"error": words}, status_code=status)
