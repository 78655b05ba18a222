"""A table at a broker of which the engine is real and the felt is not."""

from __future__ import annotations

from collections.abc import Sequence

from controller.broker.client import Endpoint
from controller.contract.events import Event, Finding
from controller.contract.messages import TABLE_EVENT, TableEvent
from controller.contract.observations import Observation
from controller.contract.view import TableView
from controller.library.books import Library
from tests.commands.fake_table import SITE, FakeTable
from tests.room.felt import Felt


class DealingTable(FakeTable):
    """Nine chairs, at which nobody sits before the room says so."""

    def __init__(self, endpoint: Endpoint, table: str, library: Library) -> None:
        super().__init__(endpoint, table, hand=0)
        self._seq = 0
        self._felt = Felt(table, library, self._tells, self._shows)
        self.view = self._felt.view

    @property
    def findings(self) -> list[Finding]:
        """All that the engine has found."""
        return self._felt.findings

    def deals(self, all_in: Sequence[int] = ()) -> None:
        """See `Felt.deals`."""
        self._felt.deals(all_in)

    def says_here(self, seat: int, player: str) -> None:
        """See `Felt.says_here`."""
        self._felt.says_here(seat, player)

    def _put_button(self, seat: int) -> None:
        self._felt.button_to(seat)

    def says_out(self) -> None:
        """See `Felt.says_out`."""
        self._felt.says_out()

    def _take(self, observation: Observation) -> None:
        self.taken.append(observation)
        self._felt.takes(observation)

    def _shows(self, view: TableView) -> None:
        self.view = view
        self.show()

    def _tells(self, event: Event) -> None:
        self._seq += 1
        told = TableEvent(self.session, self._seq, 0, event)
        self.says(TABLE_EVENT.message(SITE, self.id, payload=told))
