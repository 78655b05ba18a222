"""The journal's SQLite file: its transactions, and its faults in plain words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_WORDS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk reports an error or is full",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_PERM: "it may not be opened",
    sqlite3.SQLITE_BUSY: "another program is using it",
    sqlite3.SQLITE_LOCKED: "another program is using it",
    sqlite3.SQLITE_CONSTRAINT: "another program is writing to it too",
    sqlite3.SQLITE_CORRUPT: "it is damaged",
    sqlite3.SQLITE_NOTADB: "it is damaged",
}
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""The result codes of a file that cannot be trusted."""
FAULTS = (sqlite3.Error, UnicodeDecodeError)  # the latter of SQLite's words on a damaged file


class JournalError(Exception):
    """The journal cannot be read or written now; one line says why, and holds no content."""


class Database:
    """A connection, its transactions, and its faults in plain words."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = sqlite3.connect(path, isolation_level=None, timeout=1.0)

    @contextmanager
    def transaction(self, *, synced: bool = True) -> Iterator[sqlite3.Connection]:
        """All or nothing; raises JournalError. What is not `synced` outlives the process but
        perhaps not a power cut."""
        db = self.connection
        try:
            if not synced:
                db.execute("PRAGMA synchronous=NORMAL")
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")
        except FAULTS as error:
            raise JournalError(f"{self.path}: {words(error)}") from None
        finally:
            if db.in_transaction:
                with suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
            if not synced:
                db.execute("PRAGMA synchronous=FULL")


def code(error: Exception) -> int:
    """SQLite's primary result code; 0 for a mistake in the use of it."""
    if isinstance(error, UnicodeDecodeError):
        return sqlite3.SQLITE_CORRUPT
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def words(error: Exception) -> str:
    """What is wrong, for a user."""
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return _WORDS.get(code(error), f"SQLite reports {name}")


def set_aside(path: Path) -> Path:
    """Keep a damaged file under another name, together with what belongs to it. Raises OSError."""
    number = 1
    while (aside := path.with_name(f"{path.name}.bad-{number}")).exists():
        number += 1
    path.rename(aside)
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    return aside
