"""What tables publish, as the archive takes it in: pure."""

from __future__ import annotations

import re

from msgspec import UNSET, Struct, UnsetType

from controller.archive.fold import finding_of
from controller.archive.kept import KeptEvent, KeptHead, Reached
from controller.archive.spans import MOST_SEQ
from controller.contract.messages import (
    TABLE_CHAIN,
    TABLE_EVENT,
    Chain,
    MessageError,
    TableEvent,
    Topic,
)

_SESSION = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_MOST_NAME = 200


class _HandHead(Struct, frozen=True):
    """Of a table's picture, how far the table is."""

    session: str
    seq: int
    v: int = 1


HAND_HEAD: Topic[_HandHead] = Topic("tables/+/hand", _HandHead, retain=True)
"""The row of `tables/+/hand` for whoever wants no more of it."""


def reached_heard(table: str, payload: bytes) -> Reached:
    """How far a table is, of its picture. Raises MessageError."""
    told = HAND_HEAD.decode(payload).value
    if not _SESSION.fullmatch(told.session) or not 0 <= told.seq <= MOST_SEQ:
        raise MessageError("a session that is none")
    return Reached(table, told.session, told.seq)


def head_heard(table: str, payload: bytes, now_ms: int) -> KeptHead:
    """How far its journal is. Raises MessageError for what no store could keep."""
    told: Chain = TABLE_CHAIN.decode(payload).value
    if not all(0 <= n <= MOST_SEQ for n in (told.hand, told.n, told.boxes, told.at)):
        raise MessageError("a journal that can't be")
    return KeptHead(
        table,
        told.session,
        told.chain,
        told.hand,
        told.n,
        told.link,
        told.boxes,
        told.sealed or "",
        told.at,
        now_ms,
    )


def event_heard(table: str, payload: bytes) -> KeptEvent:
    """An event. Raises MessageError for what no store could keep."""
    told: TableEvent = TABLE_EVENT.decode(payload).value
    numbers = (told.seq, told.event.hand, finding_of(told.event) or 0)
    journal = "" if told.journal is UNSET else str(told.journal)
    whole = told.seq > 0 and all(0 <= n <= MOST_SEQ for n in (*numbers, told.at))
    if not whole or not all(_SESSION.fullmatch(name) for name in (told.session, journal or "-")):
        raise MessageError("an event that can't be kept")
    by, reason = _name(told.by), _name(told.reason)
    return KeptEvent(table, told.session, told.seq, told.at, told.event, by, reason, journal)


def _name(said: str | UnsetType) -> str | None:
    return None if said is UNSET else str(said)[:_MOST_NAME]
