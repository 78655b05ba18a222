"""How a room is, for whatever watches over it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from controller.room.events import Events
from controller.room.faults import RoomFaults
from controller.room.inbox import Inbox
from controller.room.lead import Lead
from controller.room.ntfy import Telephones
from controller.room.room_time import RoomClocks
from controller.room.table_watch import TableWatch
from controller.room.view import HistorySeen, RoomHealth, shown_state


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Checkup:
    """`history` tells how the room's history is, and `barred` why nobody can sign in, if so."""

    clocks: RoomClocks
    events: Events
    watch: TableWatch
    lead: Lead
    inbox: Inbox
    telephones: Telephones
    faults: RoomFaults
    history: Callable[[], HistorySeen | None]
    barred: str

    def health(self, *, ticks: bool) -> RoomHealth:
        """How it is, with a clock that moves on or not; tries whether its store can be written."""
        first, keepers = self.events.first, [each.keeper for each in self.events.all]
        probed = [each.probe() for each in keepers]
        fault = next((each.fault for each in keepers if each.fault), "")
        states = [
            each.state if each.confirmed and not each.silent else "unheard"
            for each in self.watch.tables.values()
        ]
        return RoomHealth(
            ok=all(probed) and ticks and not self.barred,
            broker="connected" if self.watch.heard else "away",
            store=fault or ("ok" if first.keeper.keeps else "none"),
            ticks=ticks,
            clock=shown_state(first.bulletin.clock(), self.clocks.now_ms()),
            leads=not self.lead.stands_by,
            tables={word: states.count(word) for word in sorted(set(states))},
            heard=self.inbox.taken_in.counts,
            ignored=self.inbox.ignored,
            trouble=self.inbox.trouble,
            pushes=self.telephones.pushes,
            faults=self.faults.now(),
            history=self.history(),
        )
