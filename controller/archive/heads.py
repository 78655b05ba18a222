"""How far tables said that their journals had come: kept for whoever checks a journal later.

What was said once is never changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.archive.kept import KeptHead
from controller.archive.sql import Sql

_COLUMNS = "session, chain, hand, n, link, boxes, sealed, at, heard_at"


def keep(sql: Sql, heads: Sequence[tuple[int, KeptHead]]) -> None:
    """Keep these, each of the table of this number, in a transaction. One that is known stays as
    it was heard first."""
    sql.many(
        f"INSERT INTO heads(tid, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
        " ON CONFLICT DO NOTHING",
        [
            (tid, h.session, h.chain, h.hand, h.n, h.link, h.boxes, h.sealed, h.at, h.heard_ms)
            for tid, h in heads
        ],
    )


def heads(sql: Sql, table: str | None) -> tuple[KeptHead, ...]:
    """All of a table, or of all tables, in the order in which they were heard."""
    rows = sql.rows(
        f"SELECT t.name, {_COLUMNS} FROM heads h JOIN tables t ON t.tid = h.tid"  # noqa: S608
        " WHERE ? IN ('', t.name) ORDER BY h.heard_at, t.name, h.chain, h.n",
        (table or "",),
    )
    return tuple(KeptHead(*row) for row in rows)


def forget(sql: Sql, before_ms: int) -> None:
    """Delete what was heard before then."""
    sql.run("DELETE FROM heads WHERE heard_at < ?", (before_ms,))
