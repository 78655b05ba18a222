"""What the rule books say of players and their seats, for the room."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from controller.files.toml_file import ConfigError
from controller.library.books import open_library
from controller.rules.tournament_rules import TournamentRules


def tournament_rules(config: Path) -> Callable[[str], TournamentRules]:
    """Says it by a book's id, once asked. Of a house's own book, which lies at its tables, nothing
    is known here."""

    @cache
    def of(book: str) -> TournamentRules:
        try:
            return library().book(book).tournament
        except ConfigError:
            return TournamentRules()

    library = cache(lambda: open_library(config))
    return of
