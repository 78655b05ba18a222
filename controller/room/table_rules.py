"""What the books in force at the tables say of players and their seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from controller.room.table_watch import TableWatch
from controller.rules.chip_race import ChipRace
from controller.rules.tournament_rules import TournamentRules


class TableRules:
    """`book` gives what a rule book says, by its id."""

    def __init__(self, watch: TableWatch, book: Callable[[str], TournamentRules]) -> None:
        self._watch = watch
        self._book = book

    def at(self, table: str) -> TournamentRules:
        """What holds at a table: nothing, where it was not heard yet."""
        return self.heard(table) or TournamentRules()

    def heard(self, table: str) -> TournamentRules | None:
        """What holds at a table; None where it was not heard yet."""
        view = self._watch.view(table)
        return None if view is None else self._book(view.rulebook)

    def race(self, table: str) -> ChipRace | None:
        """How a table races its chips."""
        return self.at(table).race

    def in_minutes(self, tables: Iterable[str]) -> frozenset[str]:
        """Those of these tables whose book counts penalties in minutes."""
        says = ((table, self.at(table).penalties) for table in tables)
        return frozenset(table for table, of in says if of is not None and of.way == "minutes")
