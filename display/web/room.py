"""What the pages need of the room and its events: what they are, and what can be asked of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from controller.room.alerts import Happened
from controller.room.commander import Order
from controller.room.event_file import Import
from controller.room.view import RoomHealth, RoomView


class Event(Protocol):
    """An event, or a room with one. What it can't do it refuses with one line for who asked."""

    @property
    def closed(self) -> bool:
        """Whether it has ended."""

    @property
    def turn(self) -> int:
        """Counts with every change."""

    def view(self) -> RoomView:
        """It at this moment."""

    async def changed(self) -> None:
        """Return at the next change, or when the room is closed."""

    def act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with the clock. Raises ActError."""


class Room(Event, Protocol):
    """A room; its view is that of its first event, with the tables of all."""

    def health(self) -> RoomHealth:
        """How the room is; tries whether it can keep its clock."""

    def order(self, table: str, name: str, fields: Mapping[str, object], *, role: str) -> Order:
        """Send a command to a table. Raises OrderError."""

    def floor_act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with an alert or with who is on duty. Raises ActError."""

    def since(self, at_ms: int) -> tuple[bool, tuple[Happened, ...]]:
        """What happened on the floor from then on, and whether there was more before."""


class NamedEvent(Event, Protocol):
    """One of several; the first one's `id` is empty."""

    @property
    def id(self) -> str:
        """It is in the addresses of its pages."""

    @property
    def name(self) -> str:
        """How people call it."""


class Events(Protocol):
    """A room that may have several."""

    def view(self) -> RoomView:
        """The room at this moment, which lists them."""

    def events(self) -> Sequence[NamedEvent]:
        """All of them, the first one first."""

    def event(self, event: str) -> NamedEvent | None:
        """The event of an id."""

    def create(self, asked: Import) -> tuple[str, ...]:
        """One more; returns the tables of a template that others have. Raises ActError."""

    def close_event(self, event: str) -> str:
        """End one; returns where its file is now. Raises ActError."""

    def exported(self, event: str) -> bytes:
        """One as a file. Raises ActError."""
