"""The events of a room: the one that is always there, and others that come and go."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from controller.room.acts import ActError
from controller.room.event_file import EventFile, Import, as_new
from controller.room.event_service import EventService
from controller.room.event_stores import EventStores
from controller.room.faults import damaged_store
from controller.room.record import Record
from controller.room.store import RoomStore, StoreError
from controller.room.table_split import FIRST, TableSplit

MAX_EVENTS = 20

Make = Callable[[str, Record, RoomStore | None], EventService]
"""Makes the event of an id, which begins with a record where its store has none."""


class Events:
    """`make` makes one, `begin` is how a new one begins, and without `stores` none outlives the
    process. `faults` are lines about stores that were or can't be opened."""

    def __init__(
        self,
        first: EventService,
        whose: TableSplit,
        make: Make,
        *,
        begin: Callable[[], Record],
        stores: EventStores | None,
    ) -> None:
        self.first = first
        self._split = whose
        self._make = make
        self._begin = begin
        self._stores = stores
        self._beside: dict[str, EventService] = {}
        self._listed: Mapping[str, str] = {}
        self.faults: tuple[str, ...] = ()
        if stores is not None:
            for each in stores.ids():
                self._open(stores, each)

    def _open(self, stores: EventStores, event: str) -> None:
        """One that a run before has left; what can't be opened takes no other with it."""
        try:
            store = stores.open(event)
        except StoreError as error:
            self.faults = (*self.faults, f"event {event} can't be opened: {error}")
            return
        if store.damaged:
            self.faults = (*self.faults, damaged_store(store.damaged, event))
        self._beside[event] = self._make(event, store.record or self._begin(), store)

    @property
    def beside(self) -> tuple[EventService, ...]:
        """All but the first."""
        return tuple(self._beside.values())

    @property
    def all(self) -> tuple[EventService, ...]:
        """All of them, the first one first."""
        return (self.first, *self._beside.values())

    def get(self, event: str) -> EventService | None:
        """The event of an id; the first one's is empty."""
        return self.first if event == FIRST else self._beside.get(event)

    def of(self, table: str) -> EventService:
        """The event that has a table."""
        return self._beside.get(self._split.of(table), self.first)

    def others(self, event: str) -> Mapping[str, str]:
        """The tables that other events than this one list, with those events' names."""
        if self._split.is_whole:
            return {}
        return {
            table: self.of(table).name
            for table, whose in self._split.listed.items()
            if whose != event
        }

    def create(self, asked: Import) -> tuple[str, ...]:
        """One more event; returns the tables that a template lists and others have. Raises
        ActError, and then there is none."""
        if asked.id in self._beside:
            raise ActError(f"there is an event {asked.id} already")
        if len(self.all) >= MAX_EVENTS:
            raise ActError(f"more than {MAX_EVENTS} events are too many: close one first")
        if self._stores is not None and asked.id in self._stores.ids():
            there = self._stores.file(asked.id)
            raise ActError(f"there is a file of an event {asked.id} already: {there}")
        source = self._source(asked)
        record, left_out = as_new(asked, source, self._begin(), self.others(asked.id))
        store = None
        try:
            if self._stores is not None:
                store = self._stores.open(asked.id)
        except StoreError as error:
            raise ActError(f"the event can't be kept: {error}") from None
        made = self._make(asked.id, record, store)
        made.keeper.save()
        if made.keeper.fault:
            self._end(made)
            if self._stores is not None:
                self._stores.discard(asked.id)
            raise ActError(f"the event can't be kept: {made.keeper.fault}")
        self._beside[asked.id] = made
        made.bulletin.anew()
        return left_out

    def _source(self, asked: Import) -> EventFile | None:
        if asked.like is None:
            return asked.file
        like = self.get(asked.like)
        if like is None:
            raise ActError(f"there is no event {asked.like[:40]}")
        return EventFile(record=like.keeper.record, name=like.name)

    def close(self, event: str) -> str:
        """End an event whose clock stands; returns where its file is now, if it has one. Its tables
        are the first event's then. Raises ActError."""
        closing = self._beside.get(event)
        if closing is None:
            raise ActError(f"there is no event {event[:40]} that can be closed")
        clock = closing.keeper.clock
        if (clock.runs or clock.holding) and not clock.over:
            raise ActError(f"the clock of {closing.name} runs: stop it first")
        shut = closing.keeper.record.closed
        closing.bulletin.publisher.gone()
        del self._beside[event]
        self._end(closing)
        self._takes_over(self.first, shut)
        if self._stores is None:
            return ""
        try:
            return str(self._stores.set_aside(event))
        except OSError as error:
            raise ActError(f"the file of the event can't be set aside: {error.strerror}") from None

    def _end(self, event: EventService) -> None:
        event.keeper.close()
        self._split.drop(event.id)
        event.changes.now()

    def hand_over(self) -> None:
        """Tables that are another event's since the last look: that one opens what was closed for
        the one before, and looks at who sits there."""
        listed = {} if self._split.is_whole else self._split.listed
        if listed is self._listed or listed == self._listed:
            return
        before, self._listed = self._listed, listed
        moved = {
            table
            for table in {*before, *listed}
            if before.get(table, FIRST) != listed.get(table, FIRST)
        }
        for event in self.all:
            left = tuple(t for t in event.keeper.record.closed if not event.tables.has(t))
            if left:
                kept = tuple(t for t in event.keeper.record.closed if t not in left)
                event.keeper.closes(kept)
                for table in left:
                    self._takes_over(self.of(table), (table,))
        for table in moved:
            now = self.of(table)
            for event in self.all:
                if event is not now:
                    event.seater.forget(table)
            now.hand(table, is_news=False)

    def _takes_over(self, event: EventService, shut: tuple[str, ...]) -> None:
        if shut:
            event.keeper.closes(tuple(sorted({*event.keeper.record.closed, *shut})))
