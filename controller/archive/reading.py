"""Reading the archive: a search, and one hand whole."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from controller.archive.fold import in_order
from controller.archive.kept import (
    Gap,
    HandRecord,
    KeptEvent,
    KeptFinding,
    KeptHand,
    Page,
    Query,
)
from controller.archive.sql import Row, Sql
from controller.contract.events import decode_event

EVENT_COLUMNS = "sid, seq, tid, hand, finding, at, kind, body, by_whom, reason"
_SELECT = (
    "SELECT s.name, e.seq, e.at, e.body, e.by_whom, e.reason"
    " FROM events e JOIN sessions s ON s.sid = e.sid"
)
_MOST_TEXT = 100


def event_of(table: str, row: Row) -> KeptEvent:
    """A row of `events` as it was told."""
    session, seq, at, body, by, reason = row
    return KeptEvent(table, session, seq, at, decode_event(body), by, reason)


def gap_of(table: str, session: str, row: Row) -> Gap:
    """A row of `gaps`."""
    first, last, since, asked, asked_at, lost = row
    return Gap(table, session, first, last, since, asked, asked_at, bool(lost))


def events_of_hand(sql: Sql, tid: int, table: str, hand: int) -> list[KeptEvent]:
    """The events of a hand, in their order."""
    rows = sql.rows(f"{_SELECT} WHERE e.tid = ? AND e.hand = ?", (tid, hand))
    return in_order(event_of(table, row) for row in rows)


def events_of_finding(sql: Sql, tid: int, table: str, finding: int) -> list[KeptEvent]:
    """The events about a finding, in their order."""
    rows = sql.rows(f"{_SELECT} WHERE e.tid = ? AND e.finding = ?", (tid, finding))
    return in_order(event_of(table, row) for row in rows)


def hand(sql: Sql, table: str, number: int) -> HandRecord | None:
    """See `Archive.hand`."""
    tids = sql.rows("SELECT tid FROM tables WHERE name = ?", (table,))
    if not tids:
        return None
    tid = tids[0][0]
    rows = sql.rows(
        "SELECT tid, hand, body FROM hands WHERE tid = ? AND hand = ?",
        (tid, number),
    )
    if not rows:
        return None
    told = events_of_hand(sql, tid, table, number)
    return HandRecord(_hands(sql, rows)[0], _with_gaps(sql, tid, told))


def _with_gaps(sql: Sql, tid: int, told: Sequence[KeptEvent]) -> tuple[KeptEvent | Gap, ...]:
    """The events, and what is missing between, right before and right after them."""
    out: list[KeptEvent | Gap] = []
    for session in dict.fromkeys(each.session for each in told):
        ours = [each for each in told if each.session == session]
        rows = sql.rows(
            "SELECT g.first, g.last, g.since, g.asked, g.asked_at, g.lost FROM gaps g"
            " JOIN sessions s ON s.sid = g.sid WHERE s.tid = ? AND s.name = ?"
            " AND g.last >= ? AND g.first <= ?",
            (tid, session, ours[0].seq - 1, ours[-1].seq + 1),
        )
        missing = [gap_of(ours[0].table, session, row) for row in rows]
        out += sorted([*ours, *missing], key=_place)
    return tuple(out)


def _place(each: KeptEvent | Gap) -> int:
    return each.first if isinstance(each, Gap) else each.seq


def search(sql: Sql, query: Query, limit: int, cursor: str | None, *, oldest: bool) -> Page:
    """See `Archive.search`."""
    where, values = _conditions(query)
    if cursor is not None:
        where.append(f"(h.first_at, h.tid, h.hand) {'>' if oldest else '<'} (?, ?, ?)")
        values += _place_of(cursor)
    conditions = f" WHERE {' AND '.join(where)}" if where else ""
    way = "ASC" if oldest else "DESC"
    rows = sql.rows(
        f"SELECT h.tid, h.hand, h.body, h.first_at FROM hands h{conditions}"  # noqa: S608
        f" ORDER BY h.first_at {way}, h.tid {way}, h.hand {way} LIMIT ?",
        (*values, limit + 1),
    )
    shown = rows[:limit]
    following = None
    if len(rows) > limit:
        tid, number, _, first_at = shown[-1]
        following = f"{first_at}-{tid}-{number}"
    return Page(tuple(_hands(sql, [row[:3] for row in shown])), following)


def beside(sql: Sql, table: str, number: int) -> tuple[int | None, int | None]:
    """See `Archive.beside`."""
    of_table = "SELECT {}(h.hand) FROM hands h JOIN tables t ON t.tid = h.tid WHERE t.name = ?"
    before = sql.rows(f"{of_table.format('max')} AND h.hand < ?", (table, number))
    after = sql.rows(f"{of_table.format('min')} AND h.hand > ?", (table, number))
    return before[0][0], after[0][0]


def _place_of(cursor: str) -> list[object]:
    parts = cursor.split("-")
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 18 for part in parts):
        raise ValueError("this is not a cursor of a search")
    return [int(part) for part in parts]


def _conditions(query: Query) -> tuple[list[str], list[object]]:
    where: list[str] = []
    values: list[object] = []

    def need(condition: str, *given: object) -> None:
        where.append(condition)
        values.extend(given)

    if query.table is not None:
        need("h.tid = (SELECT t.tid FROM tables t WHERE t.name = ?)", query.table)
    if query.hand is not None:
        need("h.hand = ?", query.hand)
    if query.since_ms is not None:
        need("h.first_at >= ?", query.since_ms)
    if query.until_ms is not None:
        need("h.first_at < ?", query.until_ms)
    if query.code is not None:
        need(
            "(h.tid, h.hand) IN (SELECT f.tid, f.hand FROM findings f WHERE f.code = ?)",
            query.code,
        )
    elif query.found:
        need("(h.tid, h.hand) IN (SELECT f.tid, f.hand FROM findings f)")
    if query.person is not None:
        name = query.person.casefold()
        whoever = "" if query.dealers else " AND p.deals = 0"
        need(
            f"(h.tid, h.hand) IN (SELECT p.tid, p.hand FROM people p WHERE p.name = ?{whoever})",  # noqa: S608
            name,
        )
    if query.text is not None:
        like = f"%{_escaped(query.text.lower()[:_MOST_TEXT])}%"
        need(
            "(h.words LIKE ? ESCAPE '!' OR (h.tid, h.hand) IN"
            " (SELECT f.tid, f.hand FROM findings f WHERE f.words LIKE ? ESCAPE '!'))",
            like,
            like,
        )
    return where, values


def _escaped(text: str) -> str:
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


def _hands(sql: Sql, rows: Sequence[Row]) -> list[KeptHand]:
    """Rows of tid, hand and body as hands with their findings."""
    if not rows:
        return []
    keys = [value for tid, number, _ in rows for value in (tid, number)]
    pairs = ", ".join("(?, ?)" for _ in rows)
    these = f"WITH k(tid, hand) AS (VALUES {pairs})"
    findings: dict[tuple[int, int], list[KeptFinding]] = {}
    for tid, number, body in sql.rows(
        f"{these} SELECT f.tid, f.hand, f.body FROM k JOIN findings f"  # noqa: S608
        " ON f.tid = k.tid AND f.hand = k.hand ORDER BY f.tid, f.id",
        keys,
    ):
        findings.setdefault((tid, number), []).append(msgspec.json.decode(body, type=KeptFinding))
    redealt = {
        (tid, number): again
        for tid, number, again in sql.rows(
            f"{these} SELECT h.tid, h.redeal_of, h.hand FROM k JOIN hands h"  # noqa: S608
            " ON h.tid = k.tid AND h.redeal_of = k.hand WHERE h.redeal_of IS NOT NULL",
            keys,
        )
    }
    return [
        msgspec.structs.replace(
            msgspec.json.decode(body, type=KeptHand),
            findings=tuple(findings.get((tid, number), ())),
            redealt_as=redealt.get((tid, number)),
        )
        for tid, number, body in rows
    ]
