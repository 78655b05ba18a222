"""Reading the archive: a search, and one hand whole."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from controller.archive.fold import MOST_TERM, in_order
from controller.archive.kept import (
    Gap,
    HandRecord,
    KeptEvent,
    KeptFinding,
    KeptHand,
    Page,
    Place,
    Query,
)
from controller.archive.sql import Row, Sql
from controller.contract.events import decode_event

EVENT_COLUMNS = "sid, seq, jid, hand, finding, at, kind, body, by_whom, reason"
_SELECT = (
    "SELECT s.name, e.seq, e.at, e.body, e.by_whom, e.reason, j.name"
    " FROM events e JOIN sessions s ON s.sid = e.sid JOIN journals j ON j.jid = e.jid"
)
_MOST_TEXT = 100
_MOST_TERMS = 8
_FEW = 10_000
"""So many hands are looked up and sorted in no time; of more than that the newest hands are gone
through until enough are found."""
_LAST = "\U0010ffff"


def event_of(table: str, row: Row) -> KeptEvent:
    """A row of `events` as it was told."""
    session, seq, at, body, by, reason, journal = row
    return KeptEvent(table, session, seq, at, decode_event(body), by, reason, journal)


def gap_of(table: str, session: str, row: Row) -> Gap:
    """A row of `gaps`."""
    first, last, since, asked, asked_at, lost = row
    return Gap(table, session, first, last, since, asked, asked_at, bool(lost))


def events_of_hand(sql: Sql, jid: int, table: str, hand: int) -> list[KeptEvent]:
    """The events of a hand, in their order."""
    rows = sql.rows(f"{_SELECT} WHERE e.jid = ? AND e.hand = ?", (jid, hand))
    return in_order(event_of(table, row) for row in rows)


def events_of_finding(sql: Sql, jid: int, table: str, finding: int) -> list[KeptEvent]:
    """The events about a finding, in their order."""
    rows = sql.rows(f"{_SELECT} WHERE e.jid = ? AND e.finding = ?", (jid, finding))
    return in_order(event_of(table, row) for row in rows)


def journals(sql: Sql, table: str) -> dict[int, str]:
    """The journals of a table, of which there is more than one where one was lost or put away."""
    return dict(
        sql.rows(
            "SELECT j.jid, j.name FROM journals j JOIN tables t ON t.tid = j.tid WHERE t.name = ?",
            (table,),
        )
    )


def among(column: str, jids: Collection[int]) -> str:
    """The condition that a column is one of these numbers."""
    if len(jids) == 1:  # which an index serves in its order
        return f"{column} = {next(iter(jids)):d}"
    return f"{column} IN ({', '.join(f'{jid:d}' for jid in jids) or 'NULL'})"


def hand(sql: Sql, table: str, number: int, journal: str | None) -> HandRecord | None:
    """See `Archive.hand`."""
    jids = [jid for jid, name in journals(sql, table).items() if journal is None or name == journal]
    rows = sql.rows(
        f"SELECT jid, hand, body FROM hands WHERE {among('jid', jids)} AND hand = ?"  # noqa: S608
        " ORDER BY first_at DESC, jid DESC LIMIT 1",
        (number,),
    )
    if not rows:
        return None
    told = events_of_hand(sql, rows[0][0], table, number)
    return HandRecord(_hands(sql, rows)[0], _with_gaps(sql, table, told))


def _with_gaps(sql: Sql, table: str, told: Sequence[KeptEvent]) -> tuple[KeptEvent | Gap, ...]:
    """The events, and what is missing between, right before and right after them."""
    out: list[KeptEvent | Gap] = []
    for session in dict.fromkeys(each.session for each in told):
        ours = [each for each in told if each.session == session]
        rows = sql.rows(
            "SELECT g.first, g.last, g.since, g.asked, g.asked_at, g.lost FROM gaps g"
            " JOIN sessions s ON s.sid = g.sid JOIN tables t ON t.tid = s.tid"
            " WHERE t.name = ? AND s.name = ? AND g.last >= ? AND g.first <= ?",
            (table, session, ours[0].seq - 1, ours[-1].seq + 1),
        )
        missing = [gap_of(table, session, row) for row in rows]
        out += sorted([*ours, *missing], key=_place)
    return tuple(out)


def _place(each: KeptEvent | Gap) -> int:
    return each.first if isinstance(each, Gap) else each.seq


def search(sql: Sql, query: Query, limit: int, cursor: str | None, *, oldest: bool) -> Page:
    """See `Archive.search`."""
    where, values = _conditions(sql, query)
    if cursor is not None:
        where.append(f"(h.first_at, h.jid, h.hand) {'>' if oldest else '<'} (?, ?, ?)")
        values += _place_of(cursor)
    conditions = f" WHERE {' AND '.join(where)}" if where else ""
    way = "ASC" if oldest else "DESC"
    rows = sql.rows(
        f"SELECT h.jid, h.hand, h.body, h.first_at FROM hands h{conditions}"  # noqa: S608
        f" ORDER BY h.first_at {way}, h.jid {way}, h.hand {way} LIMIT ?",
        (*values, limit + 1),
    )
    shown = rows[:limit]
    following = None
    if len(rows) > limit:
        jid, number, _, first_at = shown[-1]
        following = f"{first_at}-{jid}-{number}"
    return Page(tuple(_hands(sql, [row[:3] for row in shown])), following)


def beside(sql: Sql, table: str, place: Place) -> tuple[Place | None, Place | None]:
    """See `Archive.beside`: by their numbers within a journal, by their time beyond it."""
    known = journals(sql, table)
    jid = next((jid for jid, name in known.items() if name == place.journal), None)
    if jid is None:
        return None, None
    own = "SELECT {}(hand) FROM hands WHERE jid = ? AND hand {} ?"
    found: list[Place | None] = []
    for most, than in (("max", "<"), ("min", ">")):
        number = sql.rows(own.format(most, than), (jid, place.hand))[0][0]
        if number is None:
            number, name = _beyond(sql, known, jid, place, than)
        else:
            name = place.journal
        found.append(None if number is None else Place(number, name))
    return found[0], found[1]


def _beyond(
    sql: Sql, known: Mapping[int, str], jid: int, place: Place, than: str
) -> tuple[int | None, str]:
    """The hand of another journal that was dealt just before or after this one."""
    others = [other for other in known if other != jid]
    way = "DESC" if than == "<" else "ASC"
    rows = sql.rows(
        f"SELECT hand, jid FROM hands WHERE {among('jid', others)} AND first_at {than}"  # noqa: S608
        f" (SELECT first_at FROM hands WHERE jid = ? AND hand = ?)"
        f" ORDER BY first_at {way}, jid {way}, hand {way} LIMIT 1",
        (jid, place.hand),
    )
    return (rows[0][0], known[rows[0][1]]) if rows else (None, "")


def _place_of(cursor: str) -> list[object]:
    parts = cursor.split("-")
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 18 for part in parts):
        raise ValueError("this is not a cursor of a search")
    return [int(part) for part in parts]


def _conditions(sql: Sql, query: Query) -> tuple[list[str], list[object]]:
    where: list[str] = []
    values: list[object] = []

    def need(condition: str, *given: object) -> None:
        where.append(condition)
        values.extend(given)

    if query.table is not None:
        need(among("h.jid", journals(sql, query.table)))
    if query.hand is not None:
        need("h.hand = ?", query.hand)
    if query.since_ms is not None:
        need("h.first_at >= ?", query.since_ms)
    if query.until_ms is not None:
        need("h.first_at < ?", query.until_ms)

    def need_in(rows: str, *given: object) -> None:
        """Only hands that are among these rows, each `x` with its jid and hand."""
        some = f"SELECT 1 FROM {rows} LIMIT {_FEW + 1}"  # noqa: S608 - names of ours
        [(count,)] = sql.rows(f"SELECT count(*) FROM ({some}) few", given)  # noqa: S608
        if count <= _FEW:
            need(f"(h.jid, h.hand) IN (SELECT x.jid, x.hand FROM {rows})", *given)  # noqa: S608
        else:
            same = "x.jid = h.jid AND x.hand = h.hand"
            need(f"EXISTS (SELECT 1 FROM {rows} AND {same})", *given)  # noqa: S608

    if query.code is not None:
        need_in("findings x WHERE x.code = ?", query.code)
    elif query.found:
        need_in("findings x WHERE x.id > ?", 0)
    if query.person is not None:
        whoever = "" if query.dealers else " AND x.deals = 0"
        need_in(f"people x WHERE x.name = ?{whoever}", query.person.casefold())
    if query.text is not None:
        for term in query.text.lower()[:_MOST_TEXT].split()[:_MOST_TERMS]:
            begins = term[:MOST_TERM]
            need_in("terms x WHERE x.term >= ? AND x.term < ?", begins, begins + _LAST)
    return where, values


def _hands(sql: Sql, rows: Sequence[Row]) -> list[KeptHand]:
    """Rows of jid, hand and body as hands with their findings."""
    if not rows:
        return []
    keys = [value for jid, number, _ in rows for value in (jid, number)]
    pairs = ", ".join("(?, ?)" for _ in rows)
    these = f"WITH k(jid, hand) AS (VALUES {pairs})"
    findings: dict[tuple[int, int], list[KeptFinding]] = {}
    for jid, number, body in sql.rows(
        f"{these} SELECT f.jid, f.hand, f.body FROM k JOIN findings f"  # noqa: S608
        " ON f.jid = k.jid AND f.hand = k.hand ORDER BY f.jid, f.id",
        keys,
    ):
        findings.setdefault((jid, number), []).append(msgspec.json.decode(body, type=KeptFinding))
    redealt = {
        (jid, number): again
        for jid, number, again in sql.rows(
            f"{these} SELECT h.jid, h.redeal_of, h.hand FROM k JOIN hands h"  # noqa: S608
            " ON h.jid = k.jid AND h.redeal_of = k.hand WHERE h.redeal_of IS NOT NULL",
            keys,
        )
    }
    names: dict[int, str] = dict(
        sql.rows(
            f"SELECT jid, name FROM journals WHERE {among('jid', {jid for jid, _, _ in rows})}"  # noqa: S608
        )
    )
    return [
        msgspec.structs.replace(
            msgspec.json.decode(body, type=KeptHand),
            journal=names[jid],
            findings=tuple(findings.get((jid, number), ())),
            redealt_as=redealt.get((jid, number)),
        )
        for jid, number, body in rows
    ]
