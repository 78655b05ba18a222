"""What the floor's record does not have of a table: its last hands, and how findings ended."""

from __future__ import annotations

from controller.contract.events import Closed, Ruling
from controller.contract.messages import Health, TableEvent
from controller.room.alerts import RoomAlert
from controller.room.raising import Patience, alerts_of, patience
from controller.room.ring import Ring, cut, with_event
from controller.room.tables import TableSeen

MOST = 100
"""Findings of a table whose end is remembered until its alert goes."""


class TableMemory:
    """Of one table. `seen` is how it was last."""

    def __init__(self) -> None:
        self.seen: TableSeen | None = None
        self.health: Health | None = None
        self.ring = Ring()
        self._patience = Patience()
        self._ended: dict[str, str] = {}
        self._outcomes: dict[str, str] = {}

    @property
    def waits(self) -> bool:
        """Whether time alone may raise an alert."""
        return self._patience != Patience()

    def event(self, event: TableEvent, size: int) -> bool:
        """Something happened there; False for what it has told before."""
        before, self.ring = self.ring, with_event(self.ring, event, size)
        if self.ring is before:
            return False
        match event.event:
            case Ruling():
                _keep(self._outcomes, str(event.event.id), event.event.ruling.outcome)
            case Closed():
                _keep(self._ended, str(event.event.id), event.event.how)
            case _:
                pass
        return True

    def missed(self) -> None:
        """Something of it was not taken in."""
        self.ring = cut(self.ring)

    def ended(self, finding: str, how: str) -> tuple[str, str]:
        """How a finding ended, `how` if that was not heard, and by which ruling."""
        how = self._ended.pop(finding, how)
        outcome = self._outcomes.pop(finding, "")
        return how, outcome if how == "ruled" else ""

    def alerts(self, seen: TableSeen, now_ms: int, wall_ms: int) -> tuple[RoomAlert, ...]:
        """What there is at the table as it is now."""
        self.seen = seen
        self._patience = patience(self._patience, seen, self.health, now_ms)
        return alerts_of(seen, self.health, self._patience, now_ms, wall_ms)


def _keep(said: dict[str, str], finding: str, word: str) -> None:
    said.pop(finding, None)
    said[finding] = word
    for oldest in list(said)[:-MOST]:
        del said[oldest]
