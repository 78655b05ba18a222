"""The events that a table has published, kept in its journal: whoever missed some may ask again."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.contract.messages import Message
from controller.storage.database import Database

SCHEMA = (
    "CREATE TABLE published(session TEXT NOT NULL, seq INTEGER NOT NULL, hand INTEGER NOT NULL,"
    " payload BLOB NOT NULL, PRIMARY KEY (session, seq)) STRICT, WITHOUT ROWID",
    "CREATE INDEX published_hand ON published(hand)",
)
_PRUNED_AT_ONCE = 1_000
_MOST_SESSIONS = 100
_TOPIC = re.compile(r"cutcard/1/[^/]+/tables/[^/]+/events")


class _Place(Struct):
    session: str
    seq: int


class PublishedEvents:
    """They stay as long as the journal's hands do. They are read beside the journal's writing."""

    def __init__(self, path: Path) -> None:
        """The journal's file is there. Raises DatabaseError."""
        self._database = Database(path, read_only=True)

    def store(self, db: sqlite3.Connection, messages: Iterable[Message], hand: int) -> None:
        """Write the events among these messages, in a transaction of the journal."""
        rows = []
        for message in messages:
            if _TOPIC.fullmatch(message.topic):
                place = msgspec.json.decode(message.payload, type=_Place)
                rows.append((place.session, place.seq, hand, message.payload))
        if rows:
            db.executemany("INSERT OR REPLACE INTO published VALUES (?, ?, ?, ?)", rows)

    def prune(self, db: sqlite3.Connection, hand: int) -> None:
        """Forget a bounded piece of what is of this hand or an earlier one."""
        db.execute(
            "DELETE FROM published WHERE (session, seq) IN"
            " (SELECT session, seq FROM published WHERE hand <= ? ORDER BY hand LIMIT ?)",
            (hand, _PRUNED_AT_ONCE),
        )

    def between(self, session: str, first: int, last: int) -> list[bytes]:
        """The payloads of these events of a session, as far as they are kept, in order. Raises
        DatabaseError."""
        return self._payloads(
            "SELECT payload FROM published WHERE session = ? AND seq BETWEEN ? AND ? ORDER BY seq",
            session,
            first,
            last,
        )

    def of_hand(self, hand: int) -> list[bytes]:
        """The payloads of all that was told of a hand, in order, whatever session told it. Raises
        DatabaseError."""
        return self._payloads(
            "SELECT payload FROM published WHERE hand = ? ORDER BY CAST(session AS INTEGER), seq",
            hand,
        )

    def latest(self) -> list[bytes]:
        """The payload of the last event of each session, of at most a hundred. Raises
        DatabaseError."""
        return self._payloads(
            "SELECT payload FROM published p JOIN (SELECT session, max(seq) AS seq, max(hand)"
            " AS hand FROM published GROUP BY session ORDER BY hand DESC LIMIT ?) l"
            " ON p.session = l.session AND p.seq = l.seq",
            _MOST_SESSIONS,
        )

    def close(self) -> None:
        """Nothing more is read."""
        self._database.close()

    def _payloads(self, sql: str, *values: object) -> list[bytes]:
        return [payload for (payload,) in self._database.rows(sql, *values)]
