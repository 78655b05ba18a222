"""What the pages need of the room: what it is at this moment, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from controller.room.alerts import Happened
from controller.room.commander import Order
from controller.room.view import Health, RoomView


class Room(Protocol):
    """A room. What it can't do it refuses with one line for who asked."""

    @property
    def closed(self) -> bool:
        """Whether the room has ended."""

    @property
    def turn(self) -> int:
        """Counts with every change."""

    def view(self) -> RoomView:
        """The room at this moment."""

    async def changed(self) -> None:
        """Return at the next change, or when the room is closed."""

    def act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with the clock. Raises ActError."""

    def health(self) -> Health:
        """How the room is; tries whether it can keep its clock."""

    def order(self, table: str, name: str, fields: Mapping[str, object], *, role: str) -> Order:
        """Send a command to a table. Raises OrderError."""

    def floor_act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with an alert or with who is on duty. Raises ActError."""

    def since(self, at_ms: int) -> tuple[bool, tuple[Happened, ...]]:
        """What happened on the floor from then on, and whether there was more before."""
