"""What follows from events in the store: rows of hands, people and findings, made anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from controller.archive import fold, reading
from controller.archive.sql import Sql


def keep_terms(sql: Sql, words: Sequence[tuple[int, int, int, str]]) -> None:
    """By what hands and findings are found, each (jid, hand, finding, words)."""
    rows = [
        (term, jid, hand, finding)
        for jid, hand, finding, text in words
        for term in sorted(fold.terms(text))
    ]
    if rows:
        sql.many("INSERT INTO terms VALUES (?, ?, ?, ?)", rows)


def keep_hands(sql: Sql, hands: Iterable[tuple[int, str, int]], now_ms: int) -> None:
    """Make the rows of these hands anew, each (jid, table, hand), from their events."""
    rows, people, keys = [], [], []
    for jid, table, number in hands:
        told = reading.events_of_hand(sql, jid, table, number)
        hand = fold.fold_hand(told)
        keys.append((jid, number))
        rows.append(
            (
                jid,
                number,
                hand.first_ms,
                hand.last_ms,
                hand.events,
                plain(hand.dealer),
                hand.phase,
                hand.redeal_of,
                now_ms,
                fold.words_of_hand(told, hand),
                msgspec.json.encode(hand).decode(),
            )
        )
        people += [
            (name, jid, number, int(deals))
            for name, deals in sorted(fold.people_of(told, hand).items())
        ]
    if rows:
        sql.many("DELETE FROM hands WHERE jid = ? AND hand = ?", keys)
        sql.many("DELETE FROM people WHERE jid = ? AND hand = ?", keys)
        sql.many("DELETE FROM terms WHERE jid = ? AND hand = ? AND finding = 0", keys)
        sql.many("INSERT INTO hands VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        keep_terms(sql, [(row[0], row[1], 0, row[9]) for row in rows])
    if people:
        sql.many("INSERT INTO people VALUES (?, ?, ?, ?)", people)


def keep_findings(sql: Sql, findings: Iterable[tuple[int, str, int]]) -> None:
    """Make the rows of these findings anew, each (jid, table, id), from their events. One whose
    beginning was forgotten stays as it is."""
    rows = []
    for jid, table, number in findings:
        found = fold.fold_finding(reading.events_of_finding(sql, jid, table, number))
        if not found.code and sql.rows(
            "SELECT 1 FROM findings WHERE jid = ? AND id = ? AND code <> ''", (jid, number)
        ):
            continue
        rows.append(
            (
                jid,
                number,
                found.hand,
                found.code,
                found.priority,
                found.basis,
                found.opened_ms,
                found.closed_ms,
                found.how,
                found.outcome,
                found.rulebook,
                plain(found.by),
                plain(found.reason),
                int(found.asked),
                fold.words_of_finding(found),
                msgspec.json.encode(found).decode(),
            )
        )
    if rows:
        sql.many("DELETE FROM findings WHERE jid = ? AND id = ?", [row[:2] for row in rows])
        terms = "DELETE FROM terms WHERE jid = ? AND hand = ? AND finding = ?"
        sql.many(terms, [(row[0], row[2], row[1]) for row in rows])
        keep_terms(sql, [(row[0], row[2], row[1], row[14]) for row in rows])
        blanks = ", ".join("?" * 16)
        sql.many(f"INSERT INTO findings VALUES ({blanks})", rows)  # noqa: S608


def plain(text: str | None) -> str | None:
    """PostgreSQL holds no text with a zero in it."""
    return None if text is None else text.replace("\0", "")
