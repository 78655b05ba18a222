"""Which event of a room has which table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from controller.contract.view import TableView
from controller.room.register import Register
from controller.room.table_watch import TableWatch
from controller.room.tables import Tables

FIRST = ""
"""The id of the event that is always there."""


def split(lists: Mapping[str, Iterable[str]]) -> Mapping[str, str]:
    """The event of each table that is in a list: the first of the lists that names it."""
    found: dict[str, str] = {}
    for event, tables in lists.items():
        for each in tables:
            found.setdefault(each, event)
    return found


class TableSplit:
    """By the tables that the events list. One that is in no list is the first event's."""

    def __init__(self) -> None:
        self._registers: dict[str, Callable[[], Register]] = {}
        self._lists: dict[str, tuple[object, ...]] = {}
        self._listed: Mapping[str, str] = {}

    def add(self, event: str, register: Callable[[], Register]) -> None:
        """There is one more event, whose register can be asked for at any time."""
        self._registers[event] = register

    def drop(self, event: str) -> None:
        """An event is no more."""
        del self._registers[event]

    @property
    def is_whole(self) -> bool:
        """Whether there is one event alone."""
        return len(self._registers) == 1

    @property
    def listed(self) -> Mapping[str, str]:
        """The event of each table that is in a list; the same mapping until that changes."""
        lists = {event: register().tables for event, register in self._registers.items()}
        if lists != self._lists:
            names = {event: [each.table for each in each_] for event, each_ in lists.items()}
            self._lists, self._listed = dict(lists), split(names)
        return self._listed

    def of(self, table: str) -> str:
        """The event of a table."""
        return FIRST if self.is_whole else self.listed.get(table, FIRST)


class EventTables:
    """What a room hears of the tables, as far as they are those of one event."""

    def __init__(self, watch: TableWatch, whose: TableSplit, event: str) -> None:
        self._watch = watch
        self._split = whose
        self._event = event
        self._of: tuple[Tables, Mapping[str, str]] | None = None
        self._tables: Tables = {}

    @property
    def tables(self) -> Tables:
        """Its tables as they were last heard."""
        every = self._watch.tables
        if self._split.is_whole:
            return every
        listed = self._split.listed
        if self._of is None or self._of[0] is not every or self._of[1] is not listed:
            self._of = every, listed
            self._tables = {
                id_: seen for id_, seen in every.items() if listed.get(id_, FIRST) == self._event
            }
        return self._tables

    def has(self, table: str) -> bool:
        """Whether a table is one of them, heard or not."""
        return self._split.of(table) == self._event

    def view(self, table: str) -> TableView | None:
        """The picture of one of them, as it was last heard."""
        return self._watch.view(table) if self.has(table) else None

    @property
    def heard(self) -> bool:
        """Whether the broker is connected."""
        return self._watch.heard

    @property
    def knows(self) -> bool:
        """Whether all that the broker has kept has come in since it was last reached."""
        return self._watch.knows
