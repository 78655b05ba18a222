"""The auditor's record in a journal's file: boxes that nobody at the table can open.

Boxes are numbered from 1; `n` is the number of the journal's last line then, beside which one was
written in the same transaction. They are links of a hash chain of their own, since they are kept
for longer than the lines: what goes into it of a box is `n` (eight bytes, big endian) and the box.
"""

from __future__ import annotations

import sqlite3

from controller.storage.chains import NO_LINK, link_after

SCHEMA = (
    "CREATE TABLE sealed(k INTEGER PRIMARY KEY, n INTEGER NOT NULL, hand INTEGER NOT NULL,"
    " box BLOB NOT NULL, link BLOB NOT NULL) STRICT",
    "CREATE TABLE sealed_before(one INTEGER PRIMARY KEY, k INTEGER NOT NULL, link BLOB NOT NULL)"
    " STRICT",
    "CREATE TABLE openings(n INTEGER PRIMARY KEY, line BLOB NOT NULL) STRICT",
)
KEEP_HANDS = 20_000
_PRUNED_AT_ONCE = 1_000

Head = tuple[int, bytes]
"""Number and link of a box."""


class SealedRecord:
    """It is kept for `keep_hands` hands."""

    def __init__(self, keep_hands: int) -> None:
        self._keep_hands = keep_hands

    def store(self, db: sqlite3.Connection, head: Head, box: bytes, n: int, hand: int) -> Head:
        """Write a box after the `head`, in a transaction of the journal; returns the new one. An
        empty box is none."""
        if not box:
            return head
        k, link = head[0] + 1, link_after(head[1], head[0] + 1, hand, chained(n, box))
        db.execute("INSERT INTO sealed VALUES (?, ?, ?, ?, ?)", (k, n, hand, box, link))
        return k, link

    def prune(self, db: sqlite3.Connection, hand: int, last_box: int) -> None:
        """Before this hand and up to this box a bounded piece of what is too old is forgotten."""
        kept = db.execute(
            "SELECT k FROM sealed WHERE hand > ? ORDER BY k LIMIT 1", (hand - self._keep_hands,)
        ).fetchone()
        last = db.execute(
            "SELECT k, link FROM (SELECT k, link FROM sealed WHERE k < ? ORDER BY k LIMIT ?)"
            " ORDER BY k DESC LIMIT 1",
            (kept[0] if kept else last_box + 1, _PRUNED_AT_ONCE),
        ).fetchone()
        if last is not None:
            db.execute("DELETE FROM sealed WHERE k <= ?", (last[0],))
            db.execute("INSERT OR REPLACE INTO sealed_before VALUES (1, ?, ?)", last)


def sealed_head(db: sqlite3.Connection) -> Head:
    """Number and link of the last box."""
    last = db.execute("SELECT k, link FROM sealed ORDER BY k DESC LIMIT 1").fetchone()
    return last or sealed_before(db)


def chained(n: int, box: bytes) -> bytes:
    """What of a box goes into its chain."""
    return n.to_bytes(8, "big") + box


def sealed_before(db: sqlite3.Connection) -> Head:
    """Number and link of the last box that was pruned."""
    return db.execute("SELECT k, link FROM sealed_before").fetchone() or (0, NO_LINK)
