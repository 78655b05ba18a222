"""An event of a room, put together from what it shares with the others."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.messages import Message
from controller.room.balancer import Balancer
from controller.room.bulletin import Bulletin
from controller.room.cashier import Cashier
from controller.room.changes import Changes
from controller.room.commander import Commander
from controller.room.event_service import EventService
from controller.room.floor_keeper import FloorKeeper
from controller.room.lead import Lead
from controller.room.levels import AGAIN_MS
from controller.room.other_room import OtherRoom
from controller.room.outs import Outs
from controller.room.pages import address_in
from controller.room.prize_board import PrizeBoard
from controller.room.publisher import EventPublisher, RoomRun
from controller.room.puck_watch import PuckWatch
from controller.room.record import Record
from controller.room.record_keeper import RecordKeeper
from controller.room.room_time import RoomClocks
from controller.room.rounds import Rounds
from controller.room.seater import Seater
from controller.room.seating import SeatsTold
from controller.room.shift import Shift
from controller.room.shown_room import Once, PageSettings, ShownRoom
from controller.room.store import RoomStore
from controller.room.table_rules import TableRules
from controller.room.table_split import EventTables, TableSplit
from controller.room.table_watch import TableWatch
from controller.room.teller import Teller
from controller.room.view import PhonesAddress, tables_shown


class Shared(Struct, frozen=True, kw_only=True):
    """What all events of a room have together. `whose` has who has which table, `others` are the
    tables that other events than the one of an id have, with their names. `commander` gives the
    desks' orders. What players did is kept for `keep_ms`, or without a limit."""

    run: RoomRun
    pages: PageSettings
    clocks: RoomClocks
    keep_ms: int | None
    publish: Callable[[Message], None]
    pocket: Callable[[], PhonesAddress]
    report: Callable[[str], None]
    lead: Lead
    changes: Changes
    floor: FloorKeeper
    watch: TableWatch
    whose: TableSplit
    rules: TableRules
    commander: Commander
    other: OtherRoom
    shift: Once[Shift]
    faults: Callable[[], tuple[str, ...]]
    others: Callable[[str], Mapping[str, str]]


def make_event(
    shared: Shared,
    event: str,
    begin: Record,
    store: RoomStore | None,
    *,
    store_fault: str = "",
    said: EventPublisher | None = None,
    clocks: RoomClocks | None = None,
) -> EventService:
    """The event of that id, which begins with `begin` where its store has nothing. It speaks
    through `said`, and looks at the machine's `clocks`; both are its own where they are not given.
    """
    clocks = clocks or shared.clocks.beside(None if store is None else store.beat)
    said = said or EventPublisher(shared.run.site, shared.lead, shared.publish, event)

    def changed() -> None:
        bulletin.say()
        shared.changes.now()

    keeper = RecordKeeper(
        begin,
        clocks,
        session=shared.run.session,
        store=store,
        store_fault=store_fault,
        keep_ms=shared.keep_ms,
        changed=changed,
        report=lambda line: shared.report(f"event {event}: {line}" if event else line),
    )
    shared.whose.add(event, lambda: keeper.record.register)
    tables = EventTables(shared.watch, shared.whose, event)
    board = PrizeBoard(keeper, shared.rules, shared.pages.marks)
    bulletin = Bulletin(
        session=shared.run.session,
        screen=shared.pages.screen,
        clocks=clocks,
        keeper=keeper,
        board=board,
        watch=tables,
        floor=shared.floor,
        publisher=said,
        show=event or shared.pages.screen.name,
        listed=bool(event),
    )
    return _with_parts(shared, event, clocks, bulletin)


def _with_parts(
    shared: Shared,
    event: str,
    clocks: RoomClocks,
    bulletin: Bulletin,
) -> EventService:
    keeper, tables, board = bulletin.keeper, bulletin.watch, bulletin.board
    changes, rules = shared.changes, shared.rules
    told: dict[str, SeatsTold] = {}
    outs = Outs(keeper, tables, changes, rules=rules, told=told, round_=lambda: rounds.now)
    balancer = Balancer(keeper, tables, changes, rules=rules, outs=outs)
    rounds = Rounds(
        keeper,
        tables,
        changes,
        rules=rules,
        halted=lambda: balancer.held,
        is_settled=lambda: not outs.proposed(),
    )
    teller = Teller(
        _quiet(shared),
        clocks,
        keeper,
        tables,
        changes,
        held=lambda: balancer.held | rounds.held,
    )
    seater = Seater(
        _quiet(shared), clocks, keeper, tables, changes, rules=rules, outs=outs, told=told
    )
    pucks = PuckWatch(shared.commander, tables, changes)
    shown = ShownRoom(
        event=event,
        run=shared.run,
        pages=shared.pages,
        clocks=clocks,
        pocket=lambda: _pocket(shared.pocket(), event),
        keeper=keeper,
        board=board,
        watch=tables,
        commander=shared.commander,
        seater=seater,
        outs=outs,
        balancer=balancer,
        rounds=rounds,
        pucks=pucks,
        rules=rules,
        lead=shared.lead,
        other=shared.other,
        bulletin=bulletin,
        tables=Once(lambda ms: tables_shown(tables.tables, teller.levels(), ms), changes),
        shift=shared.shift,
        faults=shared.faults,
    )
    return EventService(
        id=event,
        changes=changes,
        lead=shared.lead,
        tables=tables,
        keeper=keeper,
        bulletin=bulletin,
        board=board,
        teller=teller,
        seater=seater,
        balancer=balancer,
        rounds=rounds,
        pucks=pucks,
        cashier=Cashier(_quiet(shared), keeper, seater),
        rules=rules,
        shown=shown,
        others=lambda: shared.others(event),
        new_seed=_new_seed,
    )


def _quiet(shared: Shared) -> Commander:
    """One whose orders nobody looks at."""
    return Commander(
        shared.run.site,
        shared.run.session,
        publish=shared.publish,
        now_ms=shared.clocks.now_ms,
        new_id=new_id,
        keep_ms=AGAIN_MS,
    )


def _pocket(found: PhonesAddress, event: str) -> PhonesAddress:
    """Where phones find the page of this event."""
    if not event or not found.address:
        return found
    return replace(found, address=address_in(found.address, event))


def new_id() -> str:
    """One that nobody can guess."""
    return secrets.token_hex(16)


def _new_seed() -> str:
    return secrets.token_hex(8)
