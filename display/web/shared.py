"""One encoding for all pages that are told of the same change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec
from msgspec import Struct

from controller.room.view import RoomView

FRESH_S = 0.05
"""A picture as old as this is made anew, for its `now_ms`."""
Show = Callable[[RoomView], Struct]


class _Room(Protocol):
    @property
    def turn(self) -> int:
        """Counts with every change."""

    def view(self) -> RoomView:
        """The room at this moment."""


class Shared:
    """Keeps the last encoding of each kind of picture."""

    def __init__(self) -> None:
        self._kept: dict[Show, tuple[int, float, bytes]] = {}

    def encoded(self, room: _Room, show: Show, now_s: float) -> bytes:
        """The picture as JSON; `now_s` on any one scale."""
        turn, made_s, said = self._kept.get(show, (-1, 0.0, b""))
        if turn != room.turn or now_s - made_s > FRESH_S:
            said = msgspec.json.encode(show(room.view()))
            self._kept[show] = (room.turn, now_s, said)
        return said
