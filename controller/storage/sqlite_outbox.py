"""An outbox in the journal's file: what waits for the broker outlives the process."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress

from controller.contract.messages import Message
from controller.storage.database import Database, DatabaseError
from controller.storage.outbox import MemoryOutbox


class SqliteOutbox(MemoryOutbox):
    """An outbox that is also in the journal's file.

    A message is on the disk when `put` returns. One that was `done` may come back after a
    power cut (never after a kill) and is then sent twice, which receivers know how to drop.
    When the disk refuses, messages wait in memory only and are counted in `unsaved`.
    """

    def __init__(self, database: Database, limit: int) -> None:
        super().__init__(limit)
        self.unsaved = 0
        self._database = database
        self._rows: dict[int, int] = {}
        self._unclaimed: list[tuple[Message, int, float]] = []
        self._last_row = 0
        stored = database.connection.execute(
            "SELECT key, at_s, topic, payload, retain, expiry_s, response_topic, correlation"
            " FROM outbox ORDER BY key"
        ).fetchall()
        for row, at_s, topic, payload, retain, *properties in stored:
            message = Message(topic, payload, 1, bool(retain), *properties)
            self._wait(message, at_s, row)

    def put(self, message: Message, at_s: float) -> None:
        """Append; see `Outbox`. One that a transaction of the journal has already stored is
        not stored again: it is known by its identity."""
        for index, (stored, row, stored_at_s) in enumerate(self._unclaimed):
            if stored is message:
                del self._unclaimed[index]
                self._wait(message, stored_at_s, row)
                return
        try:
            with self._database.transaction() as db:
                row = self._insert(db, message, at_s, self._last_row + 1)
        except DatabaseError:
            self.unsaved += 1
            self._wait(message, at_s, None)
        else:
            self._wait(message, at_s, row)

    def store(
        self, db: sqlite3.Connection, messages: Sequence[Message], at_s: float
    ) -> list[tuple[Message, int, float]]:
        """Write messages in a transaction of the journal, to be claimed once it is committed."""
        lasting = [message for message in messages if message.qos == 1]
        return [
            (message, self._insert(db, message, at_s, row), at_s)
            for row, message in enumerate(lasting, self._last_row + 1)
        ]

    def claimable(self, stored: list[tuple[Message, int, float]]) -> None:
        """These are committed: each waits for its `put`. Any that never got it, from before,
        are sent without. A transaction without messages has nothing to do with them."""
        if not stored:
            return
        for message, row, at_s in self._unclaimed:
            self._wait(message, at_s, row)
        self._unclaimed = stored
        self._last_row = stored[-1][1]

    def _insert(self, db: sqlite3.Connection, message: Message, at_s: float, row: int) -> int:
        if message.retain:
            db.execute("DELETE FROM outbox WHERE topic = ? AND retain", (message.topic,))
        db.execute(
            "INSERT INTO outbox VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                row,
                at_s,
                message.topic,
                message.payload,
                message.retain,
                message.expiry_s,
                message.response_topic,
                message.correlation,
            ),
        )
        return row

    def _wait(self, message: Message, at_s: float, row: int | None) -> None:
        if row is not None:
            self._last_row = max(self._last_row, row)
            self._rows[self._last_key + 1] = row
        super().put(message, at_s)

    def _forget(self, key: int) -> None:
        super()._forget(key)
        row = self._rows.pop(key, None)
        if row is not None:
            with suppress(DatabaseError), self._database.transaction(synced=False) as db:
                db.execute("DELETE FROM outbox WHERE key = ?", (row,))
