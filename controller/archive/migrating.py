"""A history is made, or brought from an older version to this one; what is in it stays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Protocol

from controller.archive.derived import keep_findings, keep_hands, keep_terms
from controller.archive.fold import began
from controller.archive.kept import ArchiveError
from controller.archive.sql import Sql
from controller.archive.tables import FROM_1, FROM_2, HEADS, SCHEMA_VERSION, TABLES, replacing

_AT_ONCE = 10_000


class Made(Sql, Protocol):
    """A database, and what of it differs from others."""

    def spelled(self, statement: str) -> str:
        """A statement of `tables` as this database wants it."""

    def columns(self, table: str) -> set[str]:
        """The names of its columns."""

    def number_on(self, table: str, column: str) -> None:
        """Rows that number themselves have been given numbers: those that come are above."""


def bring_up(sql: Made, version: int | None, named: str) -> None:
    """Makes a history of this version of one of `version`, or of nothing (None), in a transaction.
    Raises ArchiveError for what is no history, or a newer version's."""
    if version is None:
        for statement in TABLES:
            sql.run(sql.spelled(statement))
        sql.run("INSERT INTO meta VALUES ('schema', ?)", (SCHEMA_VERSION,))
        return
    refuse(version, named)
    if version < SCHEMA_VERSION:
        for statement in FROM_2:
            sql.run(sql.spelled(statement))
        if version == 1:
            _from_1(sql)
        _find_terms(sql)
        sql.run("UPDATE meta SET value = ? WHERE key = 'schema'", (SCHEMA_VERSION,))


def _find_terms(sql: Sql) -> None:
    """What hands and findings are found by, a part of them at a time."""
    sql.run("DELETE FROM terms")
    for table, number, finding in (("hands", "hand", "0"), ("findings", "id", "id")):
        last = (-1, -1)
        while rows := sql.rows(
            f"SELECT jid, {number}, hand, {finding}, words FROM {table}"  # noqa: S608 - names of ours
            f" WHERE (jid, {number}) > (?, ?) ORDER BY jid, {number} LIMIT {_AT_ONCE}",
            last,
        ):
            keep_terms(sql, [(jid, hand, of, words) for jid, _, hand, of, words in rows])
            last = rows[-1][:2]


def refuse_to_read(version: int | None, named: str) -> None:
    """Raises ArchiveError for what whoever only reads can't: what `refuse` refuses, and an older
    version's."""
    refuse(version, named)
    if version != SCHEMA_VERSION:
        raise ArchiveError(f"{named}: an older history; the room brings it up to date")


def refuse(version: int | None, named: str) -> None:
    """Raises ArchiveError for what is no history, or a newer version's."""
    if version is not None and version > SCHEMA_VERSION:
        raise ArchiveError(f"{named}: this history was written by a newer version of cutcard")
    if not version:
        raise ArchiveError(f"{named}: this is not a history of cutcard")


def _from_1(sql: Made) -> None:
    """Until then hands of one number were one at a table, whatever journal had numbered them; where
    it is known which those were, they are told apart."""
    if not sql.rows("SELECT 1 FROM meta WHERE key = 'heads'"):
        for statement in HEADS:
            sql.run(statement)
    for statement in FROM_1:
        sql.run(sql.spelled(statement))
    _first_weeks(sql)
    tables = sql.rows("SELECT tid, name FROM tables ORDER BY tid")
    by_session = {tid: _journals(sql, tid) for tid, _ in tables}
    for tid, _ in tables:
        first = next(iter(by_session[tid].values()), "")
        sql.run("INSERT INTO journals(jid, tid, name) VALUES (?, ?, ?)", (tid, tid, first))
    sql.number_on("journals", "jid")
    for tid, table in tables:
        _part(sql, tid, table, by_session[tid])


def _first_weeks(sql: Made) -> None:
    """The first histories called themselves version 1 too: they did not know when a hand was heard
    of, nor who of its people dealt it."""
    if "heard_at" not in sql.columns("hands"):
        same = "jid, hand, first_at, last_at, events, dealer, phase, redeal_of, words, body"
        for statement in replacing("hands", f"{same}, heard_at", f"{same}, last_at"):
            sql.run(sql.spelled(statement))
    if "deals" not in sql.columns("people"):
        for statement in replacing("people", "name, jid, hand, deals", "name, jid, hand, 0"):
            sql.run(sql.spelled(statement))
        dealt = sql.rows("SELECT jid, hand, dealer FROM hands WHERE dealer IS NOT NULL")
        sql.many(
            "UPDATE people SET deals = 1 WHERE jid = ? AND hand = ? AND name = ?",
            [(jid, hand, dealer.casefold()) for jid, hand, dealer in dealt],
        )


def _journals(sql: Sql, tid: int) -> dict[int, str]:
    """The journal of each session of a table, in the order in which they began, as far as it is
    known of any: of one that did not say it, it is the one before's."""
    said: dict[str, str] = dict(
        sql.rows("SELECT session, min(chain) FROM heads WHERE tid = ? GROUP BY 1", (tid,))
    )
    sessions = sql.rows("SELECT sid, name FROM sessions WHERE tid = ?", (tid,))
    ordered = sorted(sessions, key=lambda row: began(row[1]))
    known = [said[name] for _, name in ordered if name in said]
    if not known:
        return {}
    journal, by_session = known[0], {}
    for sid, name in ordered:
        journal = said.get(name, journal)
        by_session[sid] = journal
    return by_session


def _part(sql: Sql, tid: int, table: str, by_session: Mapping[int, str]) -> None:
    """Tells the hands of one table apart by their journals."""
    others: dict[str, list[int]] = defaultdict(list)
    first = next(iter(by_session.values()), "")
    for sid, journal in by_session.items():
        if journal != first:
            others[journal].append(sid)
    if not others:
        return
    heard: dict[int, int] = dict(sql.rows("SELECT hand, heard_at FROM hands WHERE jid = ?", (tid,)))
    told = sql.rows("SELECT DISTINCT hand FROM events WHERE jid = ?", (tid,))
    for name in ("hands", "people"):
        sql.many(
            f"DELETE FROM {name} WHERE jid = ? AND hand = ?",  # noqa: S608 - names of ours
            [(tid, hand) for (hand,) in told],
        )
    # Of one whose beginning was forgotten the row is all that is left.
    whole = "SELECT DISTINCT finding FROM events WHERE jid = ? AND kind = 'finding'"
    sql.many(
        "DELETE FROM findings WHERE jid = ? AND id = ?",
        [(tid, finding) for (finding,) in sql.rows(whole, (tid,))],
    )
    jids = [tid]
    for journal, sids in others.items():
        sql.run("INSERT INTO journals(tid, name) VALUES (?, ?)", (tid, journal))
        found = "SELECT jid FROM journals WHERE tid = ? AND name = ?"
        jid = int(sql.rows(found, (tid, journal))[0][0])
        sql.many("UPDATE events SET jid = ? WHERE sid = ?", [(jid, sid) for sid in sids])
        jids.append(jid)
    for jid in jids:
        hands = sql.rows("SELECT DISTINCT hand FROM events WHERE jid = ? ORDER BY 1", (jid,))
        for (hand,) in hands:
            keep_hands(sql, [(jid, table, hand)], heard.get(hand, 0))
        findings = sql.rows(
            "SELECT DISTINCT finding FROM events WHERE jid = ? AND finding IS NOT NULL", (jid,)
        )
        keep_findings(sql, [(jid, table, finding) for (finding,) in findings])
