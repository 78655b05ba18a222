"""What a table's service is told, by the bridge and by anybody else, others look on at."""

from __future__ import annotations

from controller.contract.observations import Observation
from controller.table.bench import BenchServer
from controller.table.clock import TableClock
from controller.table.service import TableService


class Telling:
    """Tells a service, and then whoever looks on at its bench."""

    def __init__(self, service: TableService, bench: BenchServer, clock: TableClock) -> None:
        self._service = service
        self._bench = bench
        self._clock = clock

    def t(self) -> float:
        """The `t` of what is entered by hand at this moment."""
        return self._service.entry_time(self._clock.now())

    def tell(
        self, observation: Observation, command: str | None = None, *, by_bridge: bool = False
    ) -> None:
        """`command` is the id of the command that it came from."""
        self._service.observe(observation, command)
        self._bench.observed(observation, by_bridge=by_bridge)

    def change_deck(self, name: str) -> bool:
        """Puts another of the table's decks in play; False where that can't be."""
        return self._service.change_deck(name, self.t())
