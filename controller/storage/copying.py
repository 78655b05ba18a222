"""A SQLite file is copied beside whoever writes it: whole, and as it was at one moment."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from controller.storage.database import DamagedError, Database
from controller.storage.opening import check, make_single, user_version

_MAGIC = b"SQLite format 3\0"
_WAIT_S = 10.0


def is_database(file: Path) -> bool:
    """Whether a file is one of SQLite's. Raises OSError."""
    with file.open("rb") as reading:
        return reading.read(len(_MAGIC)) == _MAGIC


def copy_database(file: Path, copy: Path) -> int:
    """Copies a file, with what is still in its log; returns its version. The copy needs no log.
    Raises DatabaseError, a DamagedError where the copy is not whole."""
    with (
        closing(Database(file, read_only=True, wait_s=_WAIT_S)) as database,
        closing(Database(copy)) as target,
    ):
        with database.faults():
            database.connection.backup(target.connection)
        try:
            make_single(target)
            check(target)
        except DamagedError:
            raise DamagedError(file) from None
        return user_version(database)
