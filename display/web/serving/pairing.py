"""Where tables come with a code: an address of its own, over TLS by the room's authority, which a
table may not know yet. It asks for nothing that a stranger may not have."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.broker.steward import StewardError
from controller.pairing.words import AUTHORITY, PAIR, Asked
from controller.people.door import Door
from controller.people.staff_store import StaffError
from controller.room.registrar import Registrar
from display.web.serving.access.asking import address_of
from display.web.serving.access.headers import HEADERS
from display.web.serving.answers import encoded, no
from display.web.serving.body import BadBodyError, read_struct

BODY_S = 10.0
"""What is asked is here by then."""


def pairing_app(registrar: Registrar, authority: Path, door: Door) -> Starlette:
    """The web application for tables that have no room yet. What comes of it is kept where it is
    kept who did what."""

    def ca(_request: Request) -> Response:
        try:
            return Response(authority.read_bytes(), media_type="application/x-x509-ca-cert")
        except OSError:
            return no("the certificate can't be read", 503)

    async def pair(request: Request) -> Response:
        async with asyncio.timeout(BODY_S):
            asked = await read_struct(request, Asked)
        granted = await registrar.redeem(asked.proof)
        with suppress(StaffError):  # the room's pages say so
            if granted is None:
                door.refused(None, address_of(request), "tables pair", "", "code")
            else:
                about = msgspec.json.encode({"table": granted.table}).decode()
                door.did(None, address_of(request), "tables pair", about)
        return no("wrong code", 403) if granted is None else encoded(granted)

    return Starlette(
        routes=[Route(AUTHORITY, ca), Route(PAIR, pair, methods=["POST"])],
        exception_handlers={
            Exception: _broken,
            BadBodyError: _unreadable,
            StewardError: _away,
            TimeoutError: _slow,
        },
    )


def _unreadable(_request: Request, error: Exception) -> Response:
    return no(str(error), error.status if isinstance(error, BadBodyError) else 400)


def _away(_request: Request, error: Exception) -> Response:
    return no(str(error), 503)


def _slow(_request: Request, _error: Exception) -> Response:
    answer = no("too slow", 408)
    answer.headers["connection"] = "close"
    return answer


def _broken(_request: Request, _bug: Exception) -> Response:
    """A bug, which is loud elsewhere."""
    answer = no("this room has a bug: see its log", 500)
    answer.headers.update(HEADERS)
    return answer
