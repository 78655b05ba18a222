"""When the room's machine was last saved, as whoever saves it leaves it beside the room's store."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

NAME = "last-backup.json"
OLD_MS = 8 * 24 * 3_600_000
"""A backup a week is not old yet."""
_MOST_BYTES = 10_000


class LastBackup(Struct, frozen=True):
    """When it was made, how long its file is and where that went."""

    at_ms: int
    bytes: int
    file: str


def last_backup(store: Path | None) -> LastBackup | None:
    """Of the room with this store; None where none is known."""
    if store is None:
        return None
    try:
        with store.with_name(NAME).open("rb") as file:
            return msgspec.json.decode(file.read(_MOST_BYTES), type=LastBackup)
    except (OSError, msgspec.MsgspecError):
        return None
