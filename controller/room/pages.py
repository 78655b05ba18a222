"""The room's pages: each by its name in `[pages]` of the languages, in the order of the links."""

from __future__ import annotations

from collections.abc import Mapping

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
