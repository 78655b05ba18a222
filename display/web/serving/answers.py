"""The answers that are no pages: a value as JSON, and why something is not to be had."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import Struct
from starlette.responses import JSONResponse, PlainTextResponse, Response

_BOM = "\ufeff"
"""By which a spreadsheet knows UTF-8."""


def encoded(value: Struct, status: int = 200) -> Response:
    """A value."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def house_time(wall_ms: int) -> datetime:
    """The time of this machine at a moment, as its clocks were set then."""
    return datetime.fromtimestamp(wall_ms // 1_000).astimezone()


def csv_file(name: str, text: str) -> Response:
    """A table to be saved under this name."""
    named = {"content-disposition": f'attachment; filename="{name}.csv"'}
    kind = "text/csv; charset=utf-8; header=present"
    return PlainTextResponse(_BOM + text, headers=named, media_type=kind)


def no(words: str, status: int) -> Response:
    """That it is not so, in one line."""
    return JSONResponse({"error": words}, status_code=status)
