"""Somebody who rewrites a journal so well that the journal alone shows nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from controller.storage import journal as own
from controller.storage.chains import link_after
from controller.storage.sealed import chained, sealed_before


def rewrite(path: Path, *statements: str) -> None:
    """Changes a journal, and makes all links and the seal anew."""
    with closing(sqlite3.connect(path)) as db, db:
        for sql in statements:
            assert db.execute(sql).rowcount > 0, sql
        n, link = own.lines_before(db)
        for old, hand, line in db.execute(
            "SELECT n, hand, line FROM observations ORDER BY n"
        ).fetchall():
            n, link = n + 1, link_after(link, n + 1, hand, line)
            db.execute("UPDATE observations SET n = ?, link = ? WHERE n = ?", (n, link, old))
        k, sealed = sealed_before(db)
        for old, hand, at, box in db.execute(
            "SELECT k, hand, n, box FROM sealed ORDER BY k"
        ).fetchall():
            k, sealed = k + 1, link_after(sealed, k + 1, hand, chained(at, box))
            db.execute("UPDATE sealed SET k = ?, link = ? WHERE k = ?", (k, sealed, old))
        kept = own._meta_bytes(db, "counters") or b""
        own._set_seal(db, own._seal(link, own._begun(db), kept))
