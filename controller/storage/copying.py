"""A SQLite file is copied beside whoever writes it: whole, and as it was at one moment."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from controller.storage.database import DamagedError, Database
from controller.storage.opening import user_version

_MAGIC = b"SQLite format 3\0"
_WAIT_S = 10.0


def is_database(file: Path) -> bool:
    """Whether a file is one of SQLite's. Raises OSError."""
    with file.open("rb") as reading:
        return reading.read(len(_MAGIC)) == _MAGIC


def copy_database(file: Path, copy: Path) -> int:
    """Copies a file, with what is still in its log; returns its version. The copy needs no log.
    Raises DatabaseError, a DamagedError where the copy is not whole."""
    with closing(Database(file, read_only=True, wait_s=_WAIT_S)) as database:
        with database.faults(), closing(sqlite3.connect(copy)) as target:
            database.connection.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
            if target.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise DamagedError(file)
        return user_version(database)
