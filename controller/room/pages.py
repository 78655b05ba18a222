"""The room's pages: each by its name in `[pages]` of the languages, in the order of the links."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit, urlunsplit

PAGES: Mapping[str, str] = {
    "room": "/",
    "screen": "/screen",
    "clock": "/clock",
    "players": "/players",
    "race": "/race",
    "money": "/money",
    "floor": "/floor",
    "rules": "/rules",
    "history": "/history",
    "statistics": "/statistics",
    "people": "/people",
    "pocket": "/pocket",
}
"""Where they are."""
FOR_PLAYERS = ("screen", "pocket")
"""Those for which nobody signs in."""
BLINDS = "blinds"
"""What `screen` was called; it is still found there."""
OF_EVENT = ("screen", "clock", "players", "race", "money", "pocket")
"""Those that each event has of its own; without `below` they are the first event's."""


def below(event: str) -> str:
    """With what the addresses of an event's pages begin; nothing for the first one's."""
    return f"/event/{event}" if event else ""


def address_in(address: str, event: str) -> str:
    """The address of a page of the first event, as it is in another."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(path=below(event) + parts.path))
