"""Findings as a table for a spreadsheet, and everything public as JSON Lines: pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from controller.archive.kept import Gap, HandRecord, KeptFinding, KeptHand
from controller.files.spreadsheet import csv_text, safe

COLUMNS = (
    "table",
    "hand",
    "finding",
    "code",
    "priority",
    "basis",
    "asked",
    "opened",
    "closed",
    "seconds",
    "how",
    "outcome",
    "rulebook",
    "cites",
    "seats",
    "dealer",
    "by",
    "reason",
    "journal",
)


def findings_csv(records: Iterable[HandRecord]) -> str:
    """One line for each finding (RFC 4180), the first the names of the columns. Times are UTC.

    A text that a spreadsheet would take for a formula has a `'` before it.
    """
    return csv_text(
        COLUMNS,
        (
            map(safe, _row(found, record.hand))
            for record in records
            for found in record.hand.findings
        ),
    )


def json_lines(records: Iterable[HandRecord]) -> str:
    """All that is kept of hands: a line for each hand, and after it one for each of its events
    and gaps. `kind` says which."""
    return "".join(f"{line}\n" for record in records for line in _lines(record))


def _row(found: KeptFinding, hand: KeptHand) -> list[str]:
    took = None if found.closed_ms is None else (found.closed_ms - found.opened_ms) / 1_000
    return [
        found.table,
        str(found.hand),
        str(found.id),
        found.code,
        str(found.priority),
        found.basis,
        "yes" if found.asked else "no",
        _time(found.opened_ms),
        "" if found.closed_ms is None else _time(found.closed_ms),
        "" if took is None else f"{max(0.0, took):.1f}",
        found.how or "",
        found.outcome,
        found.rulebook,
        " ".join(found.cites),
        " ".join(map(str, found.seats)),
        hand.dealer or "",
        found.by or "",
        found.reason or "",
        hand.journal,
    ]


def _time(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1_000, UTC):%Y-%m-%dT%H:%M:%S}.{at_ms % 1_000:03}Z"


def _lines(record: HandRecord) -> Iterable[str]:
    yield msgspec.json.encode({"kind": "hand", **_plain(record.hand)}).decode()
    for each in record.told:
        kind = "gap" if isinstance(each, Gap) else "event"
        yield msgspec.json.encode({"kind": kind, **_plain(each)}).decode()


def _plain(value: msgspec.Struct) -> dict[str, object]:
    built: dict[str, object] = msgspec.to_builtins(value)
    return {name: each for name, each in built.items() if each is not None}
