"""A room, put together from its settings."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from controller.broker.client import to_stderr
from controller.contract.messages import Message
from controller.room.changes import Changes
from controller.room.checkup import Checkup
from controller.room.commander import Commander
from controller.room.event_composition import Shared, make_event, new_id
from controller.room.event_stores import EventStores
from controller.room.events import Events
from controller.room.faults import RoomFaults, damaged_store
from controller.room.floor_keeper import FloorKeeper
from controller.room.hearing import Hearing
from controller.room.inbox import Inbox
from controller.room.lead import LISTEN_MS, Lead
from controller.room.ntfy import Ntfy, Telephones
from controller.room.other_room import OtherRoom
from controller.room.publisher import EventPublisher, RoomPublisher, RoomRun
from controller.room.record import Record
from controller.room.room_time import Beat, RoomClocks
from controller.room.service import RoomService
from controller.room.shift import Limits
from controller.room.shown_room import Once, PageSettings
from controller.room.shown_shift import ShownShift
from controller.room.store import RoomStore
from controller.room.succession import Succession
from controller.room.table_rules import TableRules
from controller.room.table_split import FIRST, TableSplit
from controller.room.table_watch import TableWatch
from controller.room.view import HistorySeen, PhonesAddress
from controller.rules.tournament_rules import TournamentRules


class RoomSettings(Struct, frozen=True, kw_only=True):
    """What a room is set to. With `start` a clock that was never touched is started, and what a
    room before has published is of no interest. It leads once it has listened for `listen_ms` and
    heard no other. `tell_tables`: it tells the tables their level and their breaks. `limits` and
    `sections` are the floor's. What players
    did is kept for `keep_players_ms`, or without a limit."""

    pages: PageSettings = PageSettings()
    start: bool = False
    listen_ms: int = LISTEN_MS
    tell_tables: bool = True
    limits: Limits = Limits()
    sections: Mapping[str, tuple[str, ...]] = {}
    keep_players_ms: int | None = None


class Storage(Struct, frozen=True):
    """Where a room keeps what it has to remember, and beside that its further events. Without a
    `store` nothing outlives the process, and `fault` is why there is none where there should be.
    """

    store: RoomStore | None = None
    fault: str = ""

    @property
    def events(self) -> EventStores | None:
        """The stores of the further events."""
        return None if self.store is None else EventStores(self.store.path)

    @property
    def beat(self) -> Beat | None:
        """When a room was last there with this store or one of its events'."""
        if self.store is None:
            return None
        beats = (self.store.beat, EventStores(self.store.path).last_beat)
        known = [each for each in beats if each is not None]
        return max(known, key=lambda each: each.room_ms, default=None)


class Around(Struct, frozen=True, kw_only=True):
    """What is around a room in its process, asked each time. `pocket` finds out where phones find
    their page, `history` how the room's history is, and `faults` what else the pages have to say.
    `ntfy` sends to telephones what stops a table and what nobody takes. `rules` are a book's, by
    its id, for players and their seats. `barred` says why nobody can sign in, if so."""

    pocket: Callable[[], PhonesAddress] = PhonesAddress
    history: Callable[[], HistorySeen | None] = lambda: None
    faults: Callable[[], tuple[str, ...]] = tuple
    ntfy: Ntfy | None = None
    rules: Callable[[str], TournamentRules] = lambda _book: TournamentRules()
    barred: str = ""


def make_room(
    run: RoomRun,
    begin: Record,
    settings: RoomSettings,
    *,
    clocks: RoomClocks,
    publish: Callable[[Message], None],
    storage: Storage | None = None,
    around: Around | None = None,
    report: Callable[[str], None] = to_stderr,
) -> RoomService:
    """A room whose first event begins with `begin` where nothing is stored, as others do that begin
    from nothing. It talks through `publish`; `clocks` keep its time, and `report` is told a line of
    what goes wrong."""
    storage, around = storage or Storage(), around or Around()
    before = "" if storage.beat is None else storage.beat.session
    changes, lead = Changes(clocks.now_ms), Lead(run.session, settings.listen_ms, before)
    telephones = Telephones(around.ntfy, lead)
    floor = FloorKeeper(
        clocks,
        store=storage.store,
        limits=settings.limits,
        sections=settings.sections,
        changes=changes,
        push=telephones.push,
        report=report,
    )
    watch = TableWatch(clocks, floor, changes)
    publisher, said = RoomPublisher(run, lead, publish), EventPublisher(run.site, lead, publish)
    other = OtherRoom(run.session, lead, (publisher, said), changes, clocks.now_ms)
    commander = Commander(
        run.site,
        run.session,
        publish=publish,
        now_ms=clocks.now_ms,
        new_id=new_id,
        changed=changes.now,
        settled=floor.answered,
    )

    def said_faults() -> tuple[str, ...]:
        return faults.now()

    def tables_of_others(event: str) -> Mapping[str, str]:
        return events.others(event)

    shift = ShownShift(clocks, floor, watch, lambda: inbox.trouble, telephones)
    shared = Shared(
        run=run,
        pages=settings.pages,
        clocks=clocks,
        keep_ms=settings.keep_players_ms,
        publish=publish,
        pocket=around.pocket,
        report=report,
        lead=lead,
        changes=changes,
        floor=floor,
        watch=watch,
        whose=TableSplit(),
        rules=TableRules(watch, around.rules),
        commander=commander,
        other=other,
        shift=Once(lambda _now_ms: shift.view(), changes),
        faults=said_faults,
        others=tables_of_others,
    )
    first = make_event(
        shared, FIRST, begin, storage.store, store_fault=storage.fault, said=said, clocks=clocks
    )
    events = Events(
        first,
        shared.whose,
        lambda event, record, store: make_event(shared, event, record, store),
        begin=lambda: replace(begin, lineage=_new_seed()),
        stores=storage.events,
    )
    damaged = storage.store.damaged if storage.store is not None else ""
    lines = (damaged_store(damaged),) if damaged else ()
    faults = RoomFaults(
        keeper=first.keeper,
        floor=floor,
        lead=lead,
        others=lambda: ((each.id, each.keeper) for each in events.beside),
        damaged=lambda: (*lines, *events.faults),
        history=around.history,
        more=around.faults,
    )
    hearing = Hearing(
        watch=watch,
        floor=floor,
        commander=commander,
        events=events,
        changes=changes,
        walls=settings.pages.screen.alerts,
    )
    inbox = Inbox(run.site, commander.answers, clocks.now_ms, hearing, other)
    for line in faults.damaged():
        report(line)
    if settings.start and not first.keeper.touched:
        first.keeper.act("start", {"actor": "cutcard room --start"})
    return RoomService(
        clocks,
        changes,
        events=events,
        floor=floor,
        watch=watch,
        lead=lead,
        other=other,
        succession=Succession(lead, other, first.keeper, storage.beat),
        publisher=publisher,
        commander=commander,
        inbox=inbox,
        checkup=Checkup(
            clocks=clocks,
            events=events,
            watch=watch,
            lead=lead,
            inbox=inbox,
            telephones=telephones,
            faults=faults,
            history=around.history,
            barred=around.barred,
        ),
        tell_tables=settings.tell_tables,
    )


def _new_seed() -> str:
    return secrets.token_hex(8)
