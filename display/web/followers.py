"""How many follow a room."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Followers:
    """The streams that a room has at this moment, whichever of its events they follow."""

    pages: int = 0
    phones: int = 0
