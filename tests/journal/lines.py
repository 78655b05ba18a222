"""Lines for a journal, committed one at a time, and those that are there."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from controller.contract.messages import Message
from controller.storage.journal import Counters, Entry, Journal


def append(
    journal: Journal,
    line: bytes,
    *,
    hand: int,
    counters: Counters,
    messages: Sequence[Message] = (),
    origin: str | None = None,
    box: bytes = b"",
) -> None:
    """Raises DatabaseError."""
    one = Entry(
        hand=hand,
        counters=counters,
        lines=(line,),
        messages=tuple(messages),
        origin=origin,
        box=box,
    )
    journal.commit([one])


def begin_hand(
    journal: Journal,
    checkpoint: bytes,
    *,
    hand: int,
    counters: Counters,
    lines: Sequence[bytes] = (),
    origin: str | None = None,
    box: bytes = b"",
) -> None:
    """Raises DatabaseError."""
    begins = Entry(
        hand=hand,
        counters=counters,
        lines=tuple(lines),
        origin=origin,
        box=box,
        checkpoint=checkpoint,
    )
    journal.commit([begins])


def kept(path: Path) -> list[bytes]:
    """The lines of a journal, in their order, as somebody else reads them."""
    with closing(sqlite3.connect(path)) as db:
        return [line for (line,) in db.execute("SELECT line FROM observations ORDER BY n")]
