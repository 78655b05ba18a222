"""Whether a machine can be without its services for a minute: nobody plays a hand, and no clock
runs."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path, PurePosixPath

import msgspec

from controller.install.backup.places import ROOM_STATE, TABLE_STATE, under
from controller.room.event_stores import EventStores
from controller.room.stored_record import read
from controller.storage.database import Database, DatabaseError
from controller.storage.journal import open_hand

_JOURNAL = TABLE_STATE / "journal.sqlite"
_ROOM = ROOM_STATE / "room.sqlite"


def why_busy(root: Path) -> str:
    """One line, empty if it is not. What can't be read keeps nobody waiting: it is no reason
    against a version that may read it."""
    try:
        hand = open_hand(under(root, _JOURNAL))
    except DatabaseError:
        hand = None
    if hand is not None:
        return f"hand {hand} is being played"
    if any(map(_runs, _stores(root))):
        return "the tournament's clock is running"
    return ""


def _stores(root: Path) -> list[Path]:
    room = under(root, PurePosixPath(_ROOM))
    events = EventStores(room)
    return [room, *(events.file(each) for each in events.ids())]


def _runs(store: Path) -> bool:
    if not store.exists():
        return False
    try:
        with closing(Database(store, read_only=True)) as database:
            record = read(database).record
    except (DatabaseError, msgspec.MsgspecError):
        return False
    return record is not None and record.clock.runs
