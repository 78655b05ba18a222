"""What a room has to say to whoever runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from controller.room.floor_keeper import FloorKeeper
from controller.room.lead import Lead
from controller.room.record_keeper import RecordKeeper
from controller.room.view import HistorySeen


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class RoomFaults:
    """`keeper` is the first event's, `others` are those of the other ones, by their ids. `damaged`
    are lines about stores that were or cannot be opened. `history` tells how the room's history
    is and `more` what else there is."""

    keeper: RecordKeeper
    floor: FloorKeeper
    lead: Lead
    others: Callable[[], Iterable[tuple[str, RecordKeeper]]]
    damaged: Callable[[], Iterable[str]]
    history: Callable[[], HistorySeen | None]
    more: Callable[[], tuple[str, ...]]

    def now(self) -> tuple[str, ...]:
        """What is so at this moment, a line each."""
        faults = list(self.damaged())
        if self.keeper.fault:
            faults.append(f"the clock can't be saved: {self.keeper.fault}")
        elif self.floor.fault:
            faults.append(f"the alerts can't be saved: {self.floor.fault}")
        for event, keeper in self.others():
            if keeper.fault:
                faults.append(f"event {event} can't be saved: {keeper.fault}")
        if self.lead.leads and self.lead.other:
            faults.append("another room is running a clock for this site too: stop one of them")
        history = self.history()
        if history is not None and history.damaged:
            faults.append(f"the history was damaged; it is now {history.damaged}")
        if history is not None and history.fault:
            faults.append(f"the history can't be saved: {history.fault}")
        return (*faults, *self.more())


def damaged_store(aside: str, event: str = "") -> str:
    """That the room's store was damaged, or that of an event, and where it is now."""
    whose = f"the store of event {event}" if event else "the room's store"
    return f"{whose} was damaged; it is now {aside}"
