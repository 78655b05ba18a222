"""Newer versions that the room's machine has for its tables, one for each Debian and architecture.

`cutcard update` puts them there, signed as they came; the pages give them out as they are, and each
table judges for itself. One table at a time gets its turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

BUNDLES = Path("/var/lib/cutcard-update/bundles")
TURN_S = 1_800.0
"""So long a table has at most."""
_MADE_FOR = re.compile(r"debian[0-9]{1,3}-[a-z0-9]{1,20}")
_MOST_BYTES = 10_000


class Offered(Struct, frozen=True):
    """The version of a bundle's packages, how long its file is and its SHA-256."""

    version: str
    bytes: int
    sha256: str


def offered(folder: Path, made_for: str) -> Offered | None:
    """What there is for such machines; None if there is nothing."""
    if _MADE_FOR.fullmatch(made_for) is None:
        return None
    try:
        with (folder / f"{made_for}.json").open("rb") as file:
            return msgspec.json.decode(file.read(_MOST_BYTES), type=Offered)
    except (OSError, msgspec.MsgspecError):
        return None


def bundle_of(folder: Path, made_for: str) -> Path | None:
    """The file itself."""
    file = folder / f"{made_for}.zip"
    return file if _MADE_FOR.fullmatch(made_for) and file.is_file() else None


class Turns:
    """Which table is being updated. `now_s` is any clock that only goes on."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._held: tuple[str, float] | None = None

    def take(self, table: str) -> str:
        """Asks for a turn; returns which table has it, which is this one or another."""
        holder = self.holder
        if holder in (None, table):
            self._held = (table, self._now_s() + TURN_S)
            return table
        return holder or table

    def give_back(self, table: str) -> None:
        """A table is done."""
        if self.holder == table:
            self._held = None

    @property
    def holder(self) -> str | None:
        """Whose turn it is; one that does not come back has had it."""
        if self._held is None or self._now_s() >= self._held[1]:
            return None
        return self._held[0]
