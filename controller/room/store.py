"""What the room remembers, on the disk: neither `kill -9` nor a power cut takes it back.

One SQLite file (WAL, synchronous=FULL) has the record at each change (see `stored_record`) and who
asked for what.
Beside it a small file is written every second, so that the next start knows when this one ended.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.room import stored_record, stored_seats
from controller.room.alerts import FloorRecord, Happened, RoomAlert
from controller.room.did import Did
from controller.room.record import Record
from controller.room.room_time import Beat
from controller.room.stored_seats import AtTables
from controller.storage.database import Database, DatabaseError
from controller.storage.opening import Layout, open_whole

KEPT = 1_000
KEPT_LINES = 20_000
"""Of the floor's history."""
SHOWN = 50
SYNC_BEATS = 10
"""Of so many beats one is to outlive a power cut, for the sake of an SD card."""
_BEAT_BYTES = 256
BEAT_SUFFIX = ".beat"
"""Of the small file beside a store."""
_SCHEMA = (
    "CREATE TABLE record(one INTEGER PRIMARY KEY CHECK (one = 1), value BLOB NOT NULL,"
    " beat BLOB NOT NULL) STRICT",
    "CREATE TABLE history(n INTEGER PRIMARY KEY, did BLOB NOT NULL) STRICT",
)
_SINCE_2 = (
    "CREATE TABLE floor(one INTEGER PRIMARY KEY CHECK (one = 1), value BLOB NOT NULL) STRICT",
    "CREATE TABLE alert(key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT",
    "CREATE TABLE happened(n INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, value BLOB NOT NULL)"
    " STRICT",
)
_SINCE_3 = (
    "CREATE TABLE asked(n INTEGER PRIMARY KEY, name TEXT NOT NULL, fields BLOB NOT NULL,"
    " answer TEXT) STRICT",
)
LAYOUT = Layout((_SCHEMA, _SINCE_2, _SINCE_3, stored_record.SCHEMA, stored_seats.SCHEMA))


class StoreError(Exception):
    """There can be no store here; one line says why."""


class StoreHeldError(StoreError):
    """Another room has the store."""


class Asked(Struct, frozen=True):
    """An act that a command of this machine asks of the room."""

    number: int
    name: str
    fields: dict[str, Any]


class RoomStore:
    """The store of one room; `RoomStore.open` makes it.

    `record` is what the last room here has left, `beat` when it was last there, `history` what
    was asked last, the oldest first; `at_tables` is what the tables had. `damaged` says where a
    damaged store was put.
    """

    def __init__(self, database: Database, beat_fd: int, beat: Beat | None) -> None:
        self._database = database
        self.path = database.path
        self._beat_fd = beat_fd
        self._beats = 0
        db = database.connection
        self._there = stored_record.read(database)
        self.record = self._there.record
        self.at_tables = stored_seats.read(database)
        row = db.execute("SELECT beat FROM record").fetchone()
        saved = None if row is None else msgspec.json.decode(row[0], type=Beat)
        known = [each for each in (saved, beat) if each is not None]
        self.beat = max(known, key=lambda each: each.room_ms, default=None)
        rows = db.execute("SELECT did FROM history ORDER BY n DESC LIMIT ?", (SHOWN,)).fetchall()
        self.history = tuple(msgspec.json.decode(did, type=Did) for (did,) in reversed(rows))
        self.damaged = ""

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open or begin the store. A damaged one is renamed to `…bad-<n>` first.

        Raises StoreError when there can be none here, or another room has it.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            beat_fd = os.open(
                path.with_name(path.name + BEAT_SUFFIX), os.O_RDWR | os.O_CREAT, 0o600
            )
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from None
        try:
            return cls._open(path, beat_fd)
        except BaseException:
            os.close(beat_fd)
            raise

    @classmethod
    def _open(cls, path: Path, beat_fd: int) -> Self:
        try:
            fcntl.flock(beat_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreHeldError(f"{path}: another room has it open") from None
        beat = _read_beat(beat_fd)
        try:
            store, aside = open_whole(path, LAYOUT, lambda database: cls(database, beat_fd, beat))
        except DatabaseError as error:
            raise StoreError(str(error)) from None
        store.damaged = "" if aside is None else str(aside)
        return store

    def floor(self) -> tuple[FloorRecord, tuple[Happened, ...]]:
        """What the last room here has left of its alerts, and the history, the oldest first.
        Raises DatabaseError."""
        database = self._database
        row = database.rows("SELECT value FROM floor")
        alerts = database.rows("SELECT value FROM alert ORDER BY rowid")
        lines = database.rows("SELECT value FROM happened ORDER BY n DESC LIMIT ?", KEPT_LINES)
        try:
            rest = msgspec.json.decode(row[0][0], type=FloorRecord) if row else FloorRecord()
            listed = [msgspec.json.decode(each, type=RoomAlert) for (each,) in alerts]
            history = tuple(msgspec.json.decode(each, type=Happened) for (each,) in reversed(lines))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise DatabaseError(f"{database.path}: they cannot be read") from None
        return replace(rest, alerts={each.key: each for each in listed}), history

    def save_floor(
        self,
        rest: FloorRecord | None,
        alerts: Mapping[str, RoomAlert | None],
        lines: Sequence[Happened],
        forget_before_ms: int,
    ) -> None:
        """Keep what has changed, all or none: `rest` without its alerts, the `alerts` by key,
        None for one that is gone, and new lines of the history. Raises DatabaseError."""
        with self._database.transaction() as db:
            if rest is not None:
                db.execute(
                    "INSERT INTO floor(one, value) VALUES (1, ?)"
                    " ON CONFLICT(one) DO UPDATE SET value = excluded.value",
                    (msgspec.json.encode(replace(rest, alerts={})),),
                )
            for key, alert in alerts.items():
                if alert is None:
                    db.execute("DELETE FROM alert WHERE key = ?", (key,))
                else:
                    db.execute(
                        "INSERT INTO alert(key, value) VALUES (?, ?)"
                        " ON CONFLICT(key) DO UPDATE SET value = excluded.value",
                        (key, msgspec.json.encode(alert)),
                    )
            for each in lines:
                db.execute(
                    "INSERT OR REPLACE INTO happened(n, at_ms, value) VALUES (?, ?, ?)",
                    (each.n, each.at_ms, msgspec.json.encode(each)),
                )
            if lines:
                db.execute(
                    "DELETE FROM happened WHERE n <= ? OR at_ms < ?",
                    (lines[-1].n - KEPT_LINES, forget_before_ms),
                )

    def save(self, record: Record | None, did: Did | None, beat: Beat) -> None:
        """Keep a record and what was asked, both or none. Raises DatabaseError."""
        there = self._there
        with self._database.transaction() as db:
            if record is not None:
                there = stored_record.write(self._database, there, record, beat)
            if did is not None:
                cursor = db.execute(
                    "INSERT INTO history(did) VALUES (?)", (msgspec.json.encode(did),)
                )
                db.execute("DELETE FROM history WHERE n <= ?", ((cursor.lastrowid or 0) - KEPT,))
        self._there = there

    def save_at_tables(self, now: AtTables) -> None:
        """Keep what the tables have, where it is something else. Raises DatabaseError."""
        if now != self.at_tables:
            with self._database.transaction():
                stored_seats.write(self._database, self.at_tables, now)
            self.at_tables = now

    def asked(self) -> tuple[Asked, ...]:
        """What commands ask and nobody has answered, in its order. Raises DatabaseError."""
        rows = self._database.rows("SELECT n, name, fields FROM asked WHERE answer IS NULL")
        return tuple(Asked(n, name, msgspec.json.decode(fields)) for n, name, fields in rows)

    def answer(self, number: int, answer: str) -> None:
        """What has become of it: why not, or nothing. Raises DatabaseError."""
        with self._database.transaction() as db:
            db.execute("UPDATE asked SET answer = ? WHERE n = ?", (answer, number))

    def tick(self, beat: Beat) -> None:
        """The room is still there. Raises DatabaseError."""
        line = msgspec.json.encode(beat).ljust(_BEAT_BYTES)
        self._beats += 1
        try:
            os.pwrite(self._beat_fd, line, 0)
            if self._beats % SYNC_BEATS == 1:
                os.fdatasync(self._beat_fd)
        except OSError as error:
            raise DatabaseError(f"{self._database.path}{BEAT_SUFFIX}: {error.strerror}") from None

    def close(self) -> None:
        """Let another room have it."""
        self._database.close()
        os.close(self._beat_fd)


def read_beat(path: Path) -> Beat | None:
    """When a room was last there by such a file, whoever has its store now."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Beat)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _read_beat(fd: int) -> Beat | None:
    try:
        return msgspec.json.decode(os.pread(fd, _BEAT_BYTES, 0), type=Beat)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
