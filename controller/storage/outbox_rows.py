"""What waits for the broker, as it stands in the journal's file: it outlives the process."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from msgspec import Struct

from controller.contract.messages import Message


class Stored(Struct, frozen=True):
    """A message that is in the file: in which row, and when it was put there."""

    message: Message
    row: int
    at_s: float


class OutboxRows:
    """Rows ascend for as long as it lives."""

    def __init__(self, db: sqlite3.Connection) -> None:
        last = db.execute("SELECT max(key) FROM outbox").fetchone()
        self._last: int = last[0] or 0

    def store(
        self, db: sqlite3.Connection, messages: Sequence[Message], at_s: float
    ) -> list[Stored]:
        """Write those of QoS 1 in a transaction of the journal. A retained one takes the place of
        an older one for the same topic."""
        return [self._insert(db, message, at_s) for message in messages if message.qos == 1]

    def delete(self, db: sqlite3.Connection, rows: Iterable[int]) -> None:
        """Forget some, in a transaction of the journal."""
        db.executemany("DELETE FROM outbox WHERE key = ?", [(row,) for row in rows])

    def read(self, db: sqlite3.Connection) -> list[Stored]:
        """All that there are, in their order."""
        found = db.execute(
            "SELECT key, at_s, topic, payload, retain, expiry_s, response_topic, correlation"
            " FROM outbox ORDER BY key"
        )
        return [
            Stored(Message(topic, payload, 1, bool(retain), *properties), row, at_s)
            for row, at_s, topic, payload, retain, *properties in found
        ]

    def _insert(self, db: sqlite3.Connection, message: Message, at_s: float) -> Stored:
        self._last += 1
        if message.retain:
            db.execute("DELETE FROM outbox WHERE topic = ? AND retain", (message.topic,))
        db.execute(
            "INSERT INTO outbox VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self._last,
                at_s,
                message.topic,
                message.payload,
                message.retain,
                message.expiry_s,
                message.response_topic,
                message.correlation,
            ),
        )
        return Stored(message, self._last, at_s)
