"""The archive in a SQLite file: WAL, every transaction synced."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.archive.kept import ArchiveError, DamagedError
from controller.archive.sql import Row
from controller.archive.tables import SCHEMA_VERSION, TABLES
from controller.storage.database import DAMAGED, FAULTS, code, words

_WAIT_S = 5.0
_TIDY_PAGES = 2_000
_READ_S = 20.0
"""A search that takes longer is given up."""


class SqliteSql:
    """A connection to the file; it may move between threads."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Raises ArchiveError when the file can't be opened, or is another program's."""
        self._path = path
        self._deadline = 0.0
        try:
            if read_only:
                uri = f"{path.absolute().as_uri()}?mode=ro"
                self._db = sqlite3.connect(
                    uri, uri=True, isolation_level=None, timeout=_WAIT_S, check_same_thread=False
                )
                self._db.set_progress_handler(self._too_long, 100_000)
            else:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                path.touch(mode=0o600)
                self._db = sqlite3.connect(
                    path, isolation_level=None, timeout=_WAIT_S, check_same_thread=False
                )
        except FAULTS as error:
            raise self._fault(error) from None
        except OSError as error:
            raise ArchiveError(f"{path}: {error.strerror}") from None
        try:
            self._prepare(read_only)
        except BaseException:
            self._db.close()
            raise

    def _prepare(self, read_only: bool) -> None:
        try:
            self._db.execute("PRAGMA mmap_size=268435456")
            self._db.execute("PRAGMA cache_size=-16000")
            if not read_only:
                self._db.execute("PRAGMA auto_vacuum=INCREMENTAL")
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=FULL")
                with self.transaction():
                    if self._version() is None:
                        for statement in TABLES:
                            self._db.execute(
                                statement.format(
                                    identity="INTEGER PRIMARY KEY", clustered=" WITHOUT ROWID"
                                )
                            )
                        self.run("INSERT INTO meta VALUES ('schema', ?)", (SCHEMA_VERSION,))
            version = self._version()
        except FAULTS as error:
            raise self._fault(error) from None
        if version != SCHEMA_VERSION:
            raise ArchiveError(f"{self._path}: this is not a history of this version")

    def _version(self) -> int | None:
        objects = self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not objects:
            return None
        found = self.rows("SELECT value FROM meta WHERE key = 'schema'")
        return int(found[0][0]) if found else 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See `Sql`."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except FAULTS as error:
            raise self._fault(error) from None
        finally:
            if self._db.in_transaction:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """See `Sql`."""
        self._deadline = time.monotonic() + _READ_S
        try:
            return self._db.execute(sql, tuple(values)).fetchall()
        except FAULTS as error:
            raise self._fault(error) from None

    def run(self, sql: str, values: Sequence[object] = ()) -> None:
        """See `Sql`."""
        self.rows(sql, values)

    def many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """See `Sql`."""
        try:
            self._db.executemany(sql, values)
        except FAULTS as error:
            raise self._fault(error) from None

    def lock(self, tables: Collection[int]) -> None:
        """A transaction has the whole file."""

    def tidy(self) -> None:
        """See `Sql`."""
        self.rows(f"PRAGMA incremental_vacuum({_TIDY_PAGES})")

    def stop(self) -> None:
        """See `Sql`."""
        with suppress(*FAULTS):
            self._db.interrupt()

    def close(self) -> None:
        """See `Sql`."""
        with suppress(*FAULTS):
            self._db.close()

    def _too_long(self) -> int:
        return int(time.monotonic() > self._deadline)

    def _fault(self, error: Exception) -> ArchiveError:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
            return ArchiveError(f"{self._path}: this takes too long; ask for less")
        kind = DamagedError if code(error) in DAMAGED else ArchiveError
        return kind(f"{self._path}: {words(error)}")
