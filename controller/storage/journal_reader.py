"""A journal as whoever audits it reads it, beside the table or from a copy: nothing changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path

from msgspec import Struct

from controller.storage.chains import Chain, Span, read_chain
from controller.storage.database import Database, DatabaseError, Row
from controller.storage.journal import lines_before
from controller.storage.sealed import chained, sealed_before

_WAIT_S = 5.0


class Box(Struct, frozen=True):
    """Sealed line `k`, written in this hand beside line `n` of the journal."""

    k: int
    n: int
    hand: int
    box: bytes


class JournalReader:
    """All that it reads is of one moment. `name` is what its chain is called. Its methods raise
    DatabaseError for what can't be read."""

    def __init__(self, path: Path) -> None:
        """Raises DatabaseError where there is no journal."""
        self._database = database = Database(path, read_only=True, wait_s=_WAIT_S)
        try:
            with database.faults():
                database.connection.text_factory = lambda _text: None  # there is none
                database.connection.execute("BEGIN")
                self.name = _name(database.connection)
        except BaseException:
            database.close()
            raise
        if not self.name:
            database.close()
            raise DatabaseError(f"{path}: this is not a journal, or not one of this version")

    def lines(self, wanted: Collection[int] = ()) -> Chain:
        """The chain of its lines, with the `wanted` links."""
        with self._database.faults():
            before = lines_before(self._database.connection)
        rows = self._rows("SELECT n, hand, line, link FROM observations ORDER BY n")
        return read_chain(*before, rows, wanted)

    def sealed(self, wanted: Collection[int] = ()) -> Chain:
        """The chain of its sealed lines, with the `wanted` links."""
        with self._database.faults():
            before = sealed_before(self._database.connection)
        rows = self._rows("SELECT k, hand, n, box, link FROM sealed ORDER BY k")
        contents = ((k, hand, _content(n, box), link) for k, hand, n, box, link in rows)
        return read_chain(*before, contents, wanted)

    def sealed_hands(self) -> tuple[Span, ...]:
        """The hands of which something is sealed, each from its first sealed line to its last,
        whether the chain holds or not: the hand of the very last one comes last."""
        rows = self._rows(
            "SELECT hand, min(k), max(k) FROM sealed WHERE typeof(hand) = 'integer'"
            " GROUP BY hand ORDER BY max(k)"
        )
        return tuple(Span(*row) for row in rows)

    def boxes(self, first: int, last: int) -> Iterator[Box]:
        """Sealed lines `first` to `last`, as far as they are there; an empty one is none."""
        rows = self._rows(
            "SELECT k, n, hand, box FROM sealed WHERE k BETWEEN ? AND ? ORDER BY k", first, last
        )
        for k, n, hand, box in rows:
            if isinstance(n, int) and isinstance(hand, int):
                yield Box(k, n, hand, box if isinstance(box, bytes) else b"")

    def between(self, first: int, last: int) -> Iterator[tuple[int, bytes]]:
        """Lines `first` to `last` with their numbers, as far as they are kept; an empty one is
        none."""
        rows = self._rows(
            "SELECT n, line FROM observations WHERE n BETWEEN ? AND ? ORDER BY n", first, last
        )
        for n, line in rows:
            yield n, line if isinstance(line, bytes) else b""

    def close(self) -> None:
        """Let go of it."""
        self._database.close()

    def _rows(self, sql: str, *values: int) -> Iterator[Row]:
        with self._database.faults():
            yield from self._database.connection.execute(sql, values)


def copy_journal(path: Path, to: Path) -> None:
    """Copy a journal, also one that a table is writing, into a file that is not there yet, and that
    can be read where nothing can be written. Raises DatabaseError, OSError for the copy."""
    source = Database(path, read_only=True, wait_s=_WAIT_S)
    try:
        to.touch(mode=0o600, exist_ok=False)
        target = Database(to)
        try:
            with source.faults():
                source.connection.backup(target.connection)
            target.rows("PRAGMA journal_mode=DELETE")
        finally:
            target.close()
    finally:
        source.close()


def note_opening(path: Path, line: bytes) -> None:
    """Write into a journal that it was opened. Raises DatabaseError."""
    database = Database(path, wait_s=_WAIT_S)
    try:
        with database.transaction() as db:
            db.execute("INSERT INTO openings(line) VALUES (?)", (line,))
    finally:
        database.close()


def last_opening(path: Path) -> bytes:
    """The last note that a journal was opened; empty where it never was. Raises DatabaseError."""
    database = Database(path, read_only=True, wait_s=_WAIT_S)
    try:
        found = database.rows("SELECT line FROM openings ORDER BY n DESC LIMIT 1")
    finally:
        database.close()
    return found[0][0] if found else b""


def _name(db: sqlite3.Connection) -> str:
    """Empty for what is no journal that an auditor can read."""
    tables = {bytes(name) for (name,) in db.execute("SELECT CAST(name AS BLOB) FROM sqlite_master")}
    if not {b"observations", b"meta", b"sealed", b"openings"} <= tables:
        return ""
    found = db.execute("SELECT CAST(value AS BLOB) FROM meta WHERE key = 'chain'").fetchone()
    return bytes(found[0]).decode(errors="replace") if found else ""


def _content(n: object, box: object) -> bytes | None:
    """What of a box goes into its chain; None for what is no box."""
    if isinstance(n, int) and 0 <= n < 1 << 63 and isinstance(box, bytes):
        return chained(n, box)
    return None
