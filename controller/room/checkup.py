"""How a room is, for whatever watches over it."""

from __future__ import annotations

from collections.abc import Callable

from controller.room.bulletin import Bulletin
from controller.room.faults import RoomFaults
from controller.room.inbox import Inbox
from controller.room.lead import Lead
from controller.room.ntfy import Telephones
from controller.room.record_keeper import RecordKeeper
from controller.room.room_time import RoomClocks
from controller.room.table_watch import TableWatch
from controller.room.view import HistorySeen, RoomHealth, shown_state


class Checkup:
    """`history` tells how the room's history is."""

    def __init__(
        self,
        clocks: RoomClocks,
        *,
        keeper: RecordKeeper,
        watch: TableWatch,
        lead: Lead,
        bulletin: Bulletin,
        inbox: Inbox,
        telephones: Telephones,
        faults: RoomFaults,
        history: Callable[[], HistorySeen | None],
    ) -> None:
        self._clocks = clocks
        self._keeper = keeper
        self._watch = watch
        self._lead = lead
        self._bulletin = bulletin
        self._inbox = inbox
        self._telephones = telephones
        self._faults = faults
        self._history = history

    def health(self, *, ticks: bool) -> RoomHealth:
        """How it is, with a clock that moves on or not; tries whether its store can be written."""
        keeper = self._keeper
        kept = keeper.probe()
        states = [
            each.state if each.confirmed else "unheard" for each in self._watch.tables.values()
        ]
        return RoomHealth(
            ok=kept and ticks,
            broker="connected" if self._watch.heard else "away",
            store=keeper.fault or ("ok" if keeper.keeps else "none"),
            ticks=ticks,
            clock=shown_state(self._bulletin.clock(), self._clocks.now_ms()),
            leads=not self._lead.stands_by,
            tables={word: states.count(word) for word in sorted(set(states))},
            heard=self._inbox.taken_in.counts,
            ignored=self._inbox.ignored,
            trouble=self._inbox.trouble,
            pushes=self._telephones.pushes,
            faults=self._faults.now(),
            history=self._history(),
        )
