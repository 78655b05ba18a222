"""How a room is, for whatever watches over it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from controller.room.bulletin import Bulletin
from controller.room.faults import RoomFaults
from controller.room.inbox import Inbox
from controller.room.lead import Lead
from controller.room.ntfy import Telephones
from controller.room.record_keeper import RecordKeeper
from controller.room.room_time import RoomClocks
from controller.room.table_watch import TableWatch
from controller.room.view import HistorySeen, RoomHealth, shown_state


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Checkup:
    """`history` tells how the room's history is."""

    clocks: RoomClocks
    keeper: RecordKeeper
    watch: TableWatch
    lead: Lead
    bulletin: Bulletin
    inbox: Inbox
    telephones: Telephones
    faults: RoomFaults
    history: Callable[[], HistorySeen | None]

    def health(self, *, ticks: bool) -> RoomHealth:
        """How it is, with a clock that moves on or not; tries whether its store can be written."""
        keeper = self.keeper
        kept = keeper.probe()
        states = [
            each.state if each.confirmed and not each.silent else "unheard"
            for each in self.watch.tables.values()
        ]
        return RoomHealth(
            ok=kept and ticks,
            broker="connected" if self.watch.heard else "away",
            store=keeper.fault or ("ok" if keeper.keeps else "none"),
            ticks=ticks,
            clock=shown_state(self.bulletin.clock(), self.clocks.now_ms()),
            leads=not self.lead.stands_by,
            tables={word: states.count(word) for word in sorted(set(states))},
            heard=self.inbox.taken_in.counts,
            ignored=self.inbox.ignored,
            trouble=self.inbox.trouble,
            pushes=self.telephones.pushes,
            faults=self.faults.now(),
            history=self.history(),
        )
