"""What the room's tables ask for to be brought up to its version: what there is, the bundle itself,
and whose turn it is. Nothing of it is secret, and who takes it checks whose it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from controller.room.offered import BUNDLES, Turns, bundle_of, offered
from display.web.serving.answers import encoded, no

_LONGEST_NAME = 64


def update_routes(
    why_not: Callable[[], str], folder: Path = BUNDLES, turns: Turns | None = None
) -> list[Route]:
    """Their routes. `why_not` is a line while no table may be updated, empty otherwise."""
    turns = turns or Turns(time.monotonic)

    def what(request: Request) -> Response:
        found = offered(folder, request.path_params["made_for"])
        return no("there is no bundle for such machines", 404) if found is None else encoded(found)

    def file(request: Request) -> Response:
        found = bundle_of(folder, request.path_params["made_for"])
        if found is None:
            return no("there is no bundle for such machines", 404)
        return FileResponse(found, media_type="application/zip")

    async def take(request: Request) -> Response:
        table = request.path_params["table"][:_LONGEST_NAME]
        why = why_not()
        if why:
            return no(why, 409)
        holder = turns.take(table)
        return Response(status_code=204) if holder == table else no(f"table {holder}", 409)

    async def give_back(request: Request) -> Response:
        turns.give_back(request.path_params["table"][:_LONGEST_NAME])
        return Response(status_code=204)

    return [
        Route("/updates/{made_for}.json", what),
        Route("/updates/{made_for}.zip", file),
        Route("/updates/turn/{table}", take, methods=["POST"]),
        Route("/updates/over/{table}", give_back, methods=["POST"]),
    ]
