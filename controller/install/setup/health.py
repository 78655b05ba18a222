"""Whether a room that was started is well: asked of its page `/healthz`."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException

import msgspec
from msgspec import Struct

PATIENCE_S = 180.0
"""A machine without a network waits two minutes for one before its pages are there."""
_EVERY_S = 0.5
_ANSWER_S = 5.0


class _Health(Struct):
    ok: bool = False
    broker: str = "away"
    store: str = ""


def trouble(
    place: str,
    *,
    patience_s: float = PATIENCE_S,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> str:
    """Waits until the room whose pages are at a place, `HOST:PORT`, is well; what is not so in the
    end, empty if it is."""
    ends = clock() + patience_s
    while said := _ask(place):
        if clock() >= ends:
            return said
        sleep(_EVERY_S)
    return ""


def _ask(place: str) -> str:
    try:
        body = _read(place)
        health = msgspec.json.decode(body, type=_Health)
    except OSError as error:
        return f"its pages don't answer: {error}"
    except (HTTPException, msgspec.MsgspecError):
        return f"another program answers at {place}"
    if health.broker != "connected":
        return "it does not reach its broker"
    return "" if health.ok else f"its clock can't be saved: {health.store}"


def _read(place: str) -> bytes:
    # Past any proxy, and whatever the status: 503 has a body as well.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://{place}/healthz", timeout=_ANSWER_S) as page:
            return bytes(page.read())
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.read()
