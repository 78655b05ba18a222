"""Telling a table's service, at the time at which it is told."""

from __future__ import annotations

from dataclasses import dataclass

from controller.contract.observations import Observation
from controller.table.clock import TableClock
from controller.table.service import TableService


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Telling:
    """Tells a service what is so at a table."""

    service: TableService
    clock: TableClock

    def t(self) -> float:
        """The `t` of what is entered by hand at this moment."""
        return self.service.entry_time(self.clock.now())

    def tell(
        self, observation: Observation, origin: str | None = None, *, by_bridge: bool = False
    ) -> None:
        """`origin` is what would tell it again: the id of a command, or the name of an edge."""
        self.service.observe(observation, origin, by_bridge=by_bridge)

    def change_deck(self, name: str) -> bool:
        """Puts another of the table's decks in play; False where that can't be."""
        return self.service.change_deck(name, self.t())
