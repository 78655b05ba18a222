"""Why the room itself has stopped the clock: `RoomClock.why` as it goes over the wires, and as each
screen says it in its language."""

from __future__ import annotations

import re
from typing import Protocol

ONE_LEFT = "one player is left"
"""Why a tournament is over that nobody has ended."""
_AT_TABLE = re.compile(r"Table ([^\s:]+)(?:: (.+))?", re.DOTALL)


class Words(Protocol):
    """The words of the section `wall` of one language."""

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of `key` with its words in braces filled in."""


def at_table(table: str, title: str = "") -> str:
    """A table waits for the floor; `title` is what is wrong there, where that may be told."""
    return f"Table {table}: {title}" if title else f"Table {table}"


def said(why: str, words: Words) -> str:
    """The reason in the words of a language; what a person has typed stays as it is."""
    if why == ONE_LEFT:
        return words("one-left")
    waits = _AT_TABLE.fullmatch(why)
    if waits is None:
        return why
    table, title = waits.groups()
    return words("wrong-at", title=title, tables=table) if title else words("table", table=table)
