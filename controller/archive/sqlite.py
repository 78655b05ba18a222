"""The archive in a SQLite file: WAL, every transaction synced."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.archive.kept import ArchiveError, DamagedError
from controller.archive.migrating import bring_up, refuse_to_read
from controller.archive.sql import Row
from controller.storage import database as storage
from controller.storage.opening import make_durable

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
        with _told():
            if not read_only:
                _make(path)
            self._database = storage.Database(
                path, read_only=read_only, wait_s=_WAIT_S, any_thread=True
            )
        if read_only:
            self._database.connection.set_progress_handler(self._too_long, 100_000)
        try:
            self._prepare(read_only)
        except BaseException:
            self._database.close()
            raise

    def _prepare(self, read_only: bool) -> None:
        self.run("PRAGMA mmap_size=268435456")
        self.run("PRAGMA cache_size=-16000")
        if not read_only:
            self.run("PRAGMA auto_vacuum=INCREMENTAL")
            with _told():
                make_durable(self._database)
            with self.transaction():
                bring_up(self, self._version(), str(self._path))
        else:
            refuse_to_read(self._version(), str(self._path))

    def _version(self) -> int | None:
        objects = self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not objects:
            return None
        found = self.rows("SELECT value FROM meta WHERE key = 'schema'")
        return int(found[0][0]) if found else 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See `Sql`."""
        with _told(), self._database.transaction():
            yield

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """See `Sql`."""
        self._deadline = time.monotonic() + _READ_S
        with _told():
            return self._database.rows(sql, *values)

    def run(self, sql: str, values: Sequence[object] = ()) -> None:
        """See `Sql`."""
        self.rows(sql, values)

    def many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """See `Sql`."""
        with _told(), self._database.faults():
            self._database.connection.executemany(sql, values)

    def spelled(self, statement: str) -> str:
        """See `Made`."""
        return statement.format(
            identity="INTEGER PRIMARY KEY", clustered=" WITHOUT ROWID", bytewise=""
        )

    def columns(self, table: str) -> set[str]:
        """See `Made`."""
        return {name for (name,) in self.rows("SELECT name FROM pragma_table_info(?)", (table,))}

    def number_on(self, table: str, column: str) -> None:
        """SQLite always goes on above the last."""

    def lock(self, tables: Collection[int]) -> None:
        """A transaction has the whole file."""

    def tidy(self) -> None:
        """See `Sql`."""
        self.rows(f"PRAGMA incremental_vacuum({_TIDY_PAGES})")

    def stop(self) -> None:
        """See `Sql`."""
        with suppress(storage.DatabaseError), self._database.faults():
            self._database.connection.interrupt()

    def close(self) -> None:
        """See `Sql`."""
        self._database.close()

    def _too_long(self) -> int:
        return int(time.monotonic() > self._deadline)


def _make(path: Path) -> None:
    """A new file is its owner's alone; the rights of one that is there are whose it is."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
    except OSError as error:
        raise ArchiveError(f"{path}: {error.strerror}") from None


@contextmanager
def _told() -> Iterator[None]:
    """The faults of a database are the archive's."""
    try:
        yield
    except storage.DamagedError as error:
        raise DamagedError(str(error)) from None
    except storage.DatabaseError as error:
        raise ArchiveError(str(error)) from None
