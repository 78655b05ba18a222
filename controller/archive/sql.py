"""What a store asks of a database."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = tuple[Any, ...]


class Sql(Protocol):
    """One connection. `?` stands for a value. Every call raises ArchiveError for what the
    database can't do."""

    def transaction(self) -> AbstractContextManager[None]:
        """All of it is on the disk at its end, or none."""

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """The rows that are found."""

    def run(self, sql: str, values: Sequence[object] = ()) -> None:
        """Do it."""

    def many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """Do it with each of these."""

    def lock(self, tables: Collection[int]) -> None:
        """Nobody else adds to these tables before the transaction ends."""

    def tidy(self) -> None:
        """Give some of the room that was deleted back to the disk."""

    def stop(self) -> None:
        """End what runs, from any thread."""

    def close(self) -> None:
        """Let go of it."""
