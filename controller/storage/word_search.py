"""Texts found by their words, as they are typed: a full-text index in memory (SQLite's FTS5)."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable

_WORD = re.compile(r"\w+")


class WordSearch:
    """An index of texts by name. Words are found by their beginnings, and with other endings
    (`raise`, `raises`, `raised`)."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        """`texts` are each a name and what is searched."""
        self._database = sqlite3.connect(":memory:")
        self._database.execute(
            "CREATE VIRTUAL TABLE text USING fts5("
            "name UNINDEXED, words, tokenize = 'porter unicode61', prefix = '2 3')"
        )
        self._database.executemany("INSERT INTO text VALUES (?, ?)", texts)

    def find(self, words: str) -> list[str]:
        """The names of the texts that have all of these words, the best first; where none has all
        of them, of those that have any."""
        wanted = [f'"{word}"*' for word in _WORD.findall(words)]
        return self._found(" AND ".join(wanted)) or self._found(" OR ".join(wanted))

    def _found(self, query: str) -> list[str]:
        if not query:
            return []
        rows = self._database.execute(
            "SELECT name FROM text WHERE text MATCH ? ORDER BY rank, rowid", (query,)
        )
        return [name for (name,) in rows]
