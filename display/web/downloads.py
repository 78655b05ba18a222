"""Files of the history, in pieces: a night is never in memory as a whole. Pure but for what reads.

Hands come in the order they began, as far as the search that they are of goes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec import Struct

from controller.archive.discreet import discreet, discreet_hand
from controller.archive.files import COLUMNS, findings_csv, json_lines
from controller.archive.kept import Archive, HandRecord, KeptHand, Query
from controller.archive.phh import InexpressibleError, phh

PIECE = 25
"""Hands at once."""


class Part(Struct, frozen=True):
    """A piece of a file: its text, and where to go on; `cursor` None is the end. `written` counts
    the hands of a PHHS so far."""

    text: str
    cursor: str | None
    written: int = 0


Read = Callable[[Archive, Query, str | None, int], Part]


def csv_part(archive: Archive, query: Query, cursor: str | None, _written: int) -> Part:
    """Findings of the next hands."""
    query = msgspec.structs.replace(query, found=True)
    page = archive.search(query, limit=8 * PIECE, cursor=cursor, oldest=True)
    hands = [discreet_hand(hand, dealers=query.dealers) for hand in page.hands]
    table = findings_csv(HandRecord(hand, ()) for hand in hands)
    head = "" if cursor is not None else f"{','.join(COLUMNS)}\r\n"
    return Part(head + table.partition("\r\n")[2], page.cursor)


def json_part(archive: Archive, query: Query, cursor: str | None, _written: int) -> Part:
    """All that is kept of the next hands."""
    page = archive.search(query, limit=PIECE, cursor=cursor, oldest=True)
    records = (_record(archive, hand, query) for hand in page.hands)
    return Part(json_lines(record for record in records if record is not None), page.cursor)


def phhs_part(archive: Archive, query: Query, cursor: str | None, written: int) -> Part:
    """The next hands in PHH; a comment says which it can't express, and why."""
    page = archive.search(query, limit=PIECE, cursor=cursor, oldest=True)
    text = ""
    for hand in page.hands:
        record = _record(archive, hand, query)
        if record is None:
            continue
        try:
            fields = phh(record)
        except InexpressibleError as error:
            text += f"# {hand.table} hand {hand.hand}: {error}\n\n"
        else:
            written += 1
            text += f"[{written}]\n{fields}\n"
    return Part(text, page.cursor, written)


def json_hand(record: HandRecord) -> bytes:
    """One hand whole, as one JSON object."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


PARTS: Mapping[str, tuple[Read, str]] = {
    "csv": (csv_part, "text/csv; charset=utf-8; header=present"),
    "jsonl": (json_part, "application/jsonl; charset=utf-8"),
    "phhs": (phhs_part, "text/plain; charset=utf-8"),
}
"""By the ending of the file: what reads it, and its media type."""


def _record(archive: Archive, hand: KeptHand, query: Query) -> HandRecord | None:
    record = archive.hand(hand.table, hand.hand, hand.journal)
    return None if record is None else discreet(record, dealers=query.dealers)
