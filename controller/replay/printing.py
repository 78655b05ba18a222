"""Lines that fit a page, in any encoding."""

from __future__ import annotations

import textwrap
import unicodedata

WIDTH = 88
"""Columns of a line."""
ENDLESS = 100_000
"""The width for who breaks lines himself."""

_ASCII = str.maketrans({"♠": "s", "♥": "h", "♦": "d", "♣": "c", "–": "-", "’": "'", "…": "..."})


def wrapped(text: str, indent: int, *, head: str = "", width: int = WIDTH) -> list[str]:
    """Text in lines of `width` columns, all indented; `head` stands in the first one's indent."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=head.ljust(indent),
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    ) or [head]


def fit(line: str, encoding: str) -> str:
    """The line as an encoding can hold it: suits become letters, accents are left off and what
    is left becomes `?`."""
    try:
        line.encode(encoding)
    except UnicodeEncodeError:
        bare = unicodedata.normalize("NFKD", line.translate(_ASCII))
        bare = "".join(c for c in bare if not unicodedata.combining(c))
        return bare.encode(encoding, "replace").decode(encoding)
    return line
