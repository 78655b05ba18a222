"""A SQLite file of ours: its transactions, and its faults in plain words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

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
    sqlite3.SQLITE_INTERRUPT: "this takes too long; ask for less",
}
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_FAULTS = (sqlite3.Error, UnicodeDecodeError)  # the latter of SQLite's words on a damaged file

Row = tuple[Any, ...]


class DatabaseError(Exception):
    """A file cannot be read or written now; one line says why, and holds no content."""


class DamagedError(DatabaseError):
    """A file that cannot be trusted any more."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: it is damaged")


class UnfitError(DatabaseError):
    """A file that is not for this program, or for a newer version of it; it stays as it is."""

    def __init__(self, path: Path, words: str, *, is_newer: bool = False) -> None:
        super().__init__(f"{path}: {words}")
        self.is_newer = is_newer


class Database:
    """A connection. Its methods raise DatabaseError, a DamagedError where the file is damaged."""

    def __init__(
        self,
        path: Path,
        *,
        read_only: bool = False,
        wait_s: float = 1.0,
        any_thread: bool = False,
    ) -> None:
        """Others are waited for as long as `wait_s`. Raises DatabaseError."""
        self.path = path
        with self.faults():
            self.connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=ro" if read_only else path,
                uri=read_only,
                isolation_level=None,
                timeout=wait_s,
                check_same_thread=not any_thread,
            )

    @contextmanager
    def transaction(self, *, synced: bool = True) -> Iterator[sqlite3.Connection]:
        """All or nothing. What is not `synced` outlives the process but perhaps not a power
        cut."""
        db = self.connection
        with self.faults():
            try:
                if not synced:
                    db.execute("PRAGMA synchronous=NORMAL")
                db.execute("BEGIN IMMEDIATE")
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    with suppress(sqlite3.Error):
                        db.execute("ROLLBACK")
                if not synced:
                    db.execute("PRAGMA synchronous=FULL")

    def rows(self, sql: str, *values: object) -> list[Row]:
        """What is found."""
        with self.faults():
            return self.connection.execute(sql, values).fetchall()

    @contextmanager
    def faults(self) -> Iterator[None]:
        """What SQLite finds wrong in here is raised in plain words."""
        try:
            yield
        except _FAULTS as error:
            code = _code(error)
            if code in _DAMAGED:
                raise DamagedError(self.path) from None
            name = getattr(error, "sqlite_errorname", type(error).__name__)
            said = _WORDS.get(code, f"SQLite reports {name}")
            raise DatabaseError(f"{self.path}: {said}") from None

    def close(self) -> None:
        """Done with it; what was committed stays."""
        with suppress(*_FAULTS):
            self.connection.close()


def _code(error: Exception) -> int:
    """SQLite's primary result code; 0 for a mistake in the use of it."""
    if isinstance(error, UnicodeDecodeError):
        return sqlite3.SQLITE_CORRUPT
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
