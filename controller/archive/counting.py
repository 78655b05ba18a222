"""Counting in the database: what statistics are made of."""

from __future__ import annotations

from controller.archive.kept import ArchiveError
from controller.archive.reading import among, journals
from controller.archive.sql import Row, Sql
from controller.archive.statistics import (
    BREAK_MS,
    Counts,
    DealtCount,
    FoundCount,
    HandsCount,
    LaterCount,
    Period,
    WaitCount,
)

_MOST_ROWS = 200_000
_ALIKE = "coalesce(f.how, ''), f.basis, f.asked"


def reach(sql: Sql) -> tuple[int, int] | None:
    """See `Archive.reach`."""
    first, last = sql.rows("SELECT min(first_at), max(first_at) FROM hands")[0]
    return None if first is None else (first, last)


def counts(sql: Sql, period: Period, *, dealers: bool) -> Counts:
    """See `Archive.counts`."""
    return Counts(
        _hands(sql, period),
        tuple(
            FoundCount(name, code, how, basis, bool(asked), count)
            for name, code, how, basis, asked, count in _found(
                sql,
                period,
                f"SELECT t.name, f.code, {_ALIKE}, count(*) FROM findings f"  # noqa: S608
                " JOIN journals j ON j.jid = f.jid JOIN tables t ON t.tid = j.tid",
                f"t.name, f.code, {_ALIKE}",
            )
        ),
        tuple(
            LaterCount(*row)
            for row in _found(
                sql,
                period,
                f"SELECT (f.opened_at - {period.since_ms:d}) / {period.bin_ms:d},"  # noqa: S608
                " coalesce(f.how, ''), f.basis, count(*) FROM findings f",
                "1, 2, 3",
            )
        ),
        tuple(
            WaitCount(*row)
            for row in _found(
                sql,
                period,
                "SELECT t.name, f.code, (f.closed_at - f.opened_at) / 100, count(*)"
                " FROM findings f JOIN journals j ON j.jid = f.jid JOIN tables t ON t.tid = j.tid",
                "1, 2, 3",
                " AND f.how IN ('remedied', 'ruled', 'dismissed') AND f.closed_at >= f.opened_at",
            )
        ),
        _dealt(sql, period) if dealers else (),
        _by_dealer(sql, period) if dealers else (),
    )


def _hands(sql: Sql, period: Period) -> tuple[HandsCount, ...]:
    """What follows within BREAK_MS of a hand's begin ends it; before a break its own end does."""
    where, values = _between(sql, "h.first_at", "h.jid", period)
    rows = sql.rows(
        "WITH p AS (SELECT h.jid, h.first_at, h.last_at - h.first_at AS took,"  # noqa: S608
        " lead(h.first_at) OVER (PARTITION BY h.jid ORDER BY h.first_at, h.hand) - h.first_at"
        f" AS next FROM hands h WHERE {where})"
        f" SELECT t.name, (p.first_at - {period.since_ms:d}) / {period.bin_ms:d}, count(*),"
        f" sum(CASE WHEN p.next <= {BREAK_MS} THEN p.next WHEN p.took < {BREAK_MS} THEN p.took"
        f" ELSE {BREAK_MS} END) FROM p JOIN journals j ON j.jid = p.jid"
        " JOIN tables t ON t.tid = j.tid GROUP BY 1, 2 ORDER BY 1, 2"
        f" LIMIT {_MOST_ROWS}",
        values,
    )
    return tuple(HandsCount(name, bin_, hands, int(ms)) for name, bin_, hands, ms in _few(rows))


def _found(sql: Sql, period: Period, select: str, alike: str, also: str = "") -> list[Row]:
    where, values = _between(sql, "f.opened_at", "f.jid", period)
    return _few(
        sql.rows(
            f"{select} WHERE {where}{also} GROUP BY {alike} ORDER BY {alike} LIMIT {_MOST_ROWS}",
            values,
        )
    )


def _dealt(sql: Sql, period: Period) -> tuple[DealtCount, ...]:
    where, values = _between(sql, "h.first_at", "h.jid", period)
    rows = sql.rows(
        f"SELECT h.dealer, count(*) FROM hands h WHERE {where} AND h.dealer IS NOT NULL"  # noqa: S608
        f" GROUP BY 1 ORDER BY 1 LIMIT {_MOST_ROWS}",
        values,
    )
    return tuple(DealtCount(*row) for row in _few(rows))


def _by_dealer(sql: Sql, period: Period) -> tuple[FoundCount, ...]:
    return tuple(
        FoundCount(name, "", how, basis, bool(asked), count)
        for name, how, basis, asked, count in _found(
            sql,
            period,
            f"SELECT h.dealer, {_ALIKE}, count(*) FROM findings f"  # noqa: S608
            " JOIN hands h ON h.jid = f.jid AND h.hand = f.hand",
            f"h.dealer, {_ALIKE}",
            " AND h.dealer IS NOT NULL",
        )
    )


def _between(sql: Sql, time: str, jid: str, period: Period) -> tuple[str, list[object]]:
    where = f"{time} >= ? AND {time} < ?"
    values: list[object] = [period.since_ms, period.until_ms]
    if period.table is not None:
        where += f" AND {among(jid, journals(sql, period.table))}"
    return where, values


def _few(rows: list[Row]) -> list[Row]:
    if len(rows) >= _MOST_ROWS:
        raise ArchiveError("this takes too long; ask for less")
    return rows
