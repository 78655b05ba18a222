"""A room, put together from its settings."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec import Struct

from controller.broker.client import to_stderr
from controller.contract.messages import Message
from controller.room.balancer import Balancer
from controller.room.bulletin import Bulletin
from controller.room.cashier import Cashier
from controller.room.changes import Changes
from controller.room.checkup import Checkup
from controller.room.commander import Commander
from controller.room.faults import RoomFaults, damaged_store
from controller.room.floor_keeper import FloorKeeper
from controller.room.hearing import Hearing
from controller.room.inbox import Inbox
from controller.room.lead import LISTEN_MS, Lead
from controller.room.levels import AGAIN_MS
from controller.room.ntfy import Ntfy, Telephones
from controller.room.other_room import OtherRoom
from controller.room.outs import Outs
from controller.room.prize_board import PrizeBoard
from controller.room.publisher import RoomPublisher, RoomRun
from controller.room.puck_watch import PuckWatch
from controller.room.record import Record
from controller.room.record_keeper import RecordKeeper
from controller.room.room_time import Beat, RoomClocks
from controller.room.rounds import Rounds
from controller.room.seater import Seater
from controller.room.seating import SeatsTold
from controller.room.service import RoomService
from controller.room.shift import Limits
from controller.room.shown_room import PageSettings, ShownRoom, ShownTables
from controller.room.shown_shift import ShownShift
from controller.room.store import RoomStore
from controller.room.succession import Succession
from controller.room.table_rules import TableRules
from controller.room.table_watch import TableWatch
from controller.room.teller import Teller
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
    """Where a room keeps what it has to remember. Without a `store` nothing outlives the process,
    and `fault` is why there is none where there should be."""

    store: RoomStore | None = None
    fault: str = ""

    @property
    def beat(self) -> Beat | None:
        """When a room was last there with this store."""
        return self.store.beat if self.store is not None else None


class Around(Struct, frozen=True, kw_only=True):
    """What is around a room in its process, asked each time. `pocket` finds out where phones find
    their page, `history` how the room's history is, and `faults` what else the pages have to say.
    `ntfy` sends to telephones what stops a table and what nobody takes. `rules` are a book's, by
    its id, for players and their seats."""

    pocket: Callable[[], PhonesAddress] = PhonesAddress
    history: Callable[[], HistorySeen | None] = lambda: None
    faults: Callable[[], tuple[str, ...]] = tuple
    ntfy: Ntfy | None = None
    rules: Callable[[str], TournamentRules] = lambda _book: TournamentRules()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Kept:
    """What is kept of a room, and what is said of that."""

    lead: Lead
    changes: Changes
    telephones: Telephones
    floor: FloorKeeper
    keeper: RecordKeeper
    watch: TableWatch
    rules: TableRules
    board: PrizeBoard
    publisher: RoomPublisher
    bulletin: Bulletin


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Heard:
    """What is asked of the tables, and what is heard of them and of other rooms."""

    commander: Commander
    teller: Teller
    seater: Seater
    outs: Outs
    balancer: Balancer
    rounds: Rounds
    pucks: PuckWatch
    cashier: Cashier
    other: OtherRoom
    inbox: Inbox


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
    """A room that begins with `begin` where nothing is stored. It talks through `publish`; `clocks`
    keep its time, and `report` is told a line of what goes wrong."""
    storage, around = storage or Storage(), around or Around()
    damaged = storage.store.damaged if storage.store is not None else ""
    kept = _kept(
        run,
        begin,
        settings,
        clocks=clocks,
        publish=publish,
        storage=storage,
        around=around,
        report=report,
    )
    heard = _heard(run, settings, clocks, publish, kept)
    keeper, lead = kept.keeper, kept.lead
    faults = _faults(damaged, around, kept)
    room = RoomService(
        clocks,
        kept.changes,
        keeper=keeper,
        floor=kept.floor,
        watch=kept.watch,
        lead=lead,
        succession=Succession(lead, heard.other, keeper, storage.beat),
        bulletin=kept.bulletin,
        commander=heard.commander,
        teller=heard.teller,
        seater=heard.seater,
        balancer=heard.balancer,
        rounds=heard.rounds,
        pucks=heard.pucks,
        cashier=heard.cashier,
        rules=kept.rules,
        board=kept.board,
        inbox=heard.inbox,
        shown=_shown(
            run,
            settings,
            clocks=clocks,
            around=around,
            kept=kept,
            heard=heard,
            faults=faults,
        ),
        checkup=_checkup(clocks, around, kept, heard, faults),
        tell_tables=settings.tell_tables,
        new_seed=_new_seed,
    )
    if damaged:
        report(damaged_store(damaged))
    if settings.start and not keeper.touched:
        keeper.act("start", {"actor": "cutcard room --start"})
    return room


def _kept(
    run: RoomRun,
    begin: Record,
    settings: RoomSettings,
    *,
    clocks: RoomClocks,
    publish: Callable[[Message], None],
    storage: Storage,
    around: Around,
    report: Callable[[str], None],
) -> _Kept:
    def changed() -> None:
        bulletin.say()
        changes.now()

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
    keeper = RecordKeeper(
        begin,
        clocks,
        session=run.session,
        store=storage.store,
        store_fault=storage.fault,
        keep_ms=settings.keep_players_ms,
        changed=changed,
        report=report,
    )
    watch = TableWatch(clocks, floor, changes)
    rules = TableRules(watch, around.rules)
    board = PrizeBoard(keeper, rules, settings.pages.marks)
    publisher = RoomPublisher(run, lead, publish)
    bulletin = Bulletin(
        session=run.session,
        screen=settings.pages.screen,
        clocks=clocks,
        keeper=keeper,
        board=board,
        watch=watch,
        floor=floor,
        publisher=publisher,
    )
    return _Kept(lead, changes, telephones, floor, keeper, watch, rules, board, publisher, bulletin)


def _heard(
    run: RoomRun,
    settings: RoomSettings,
    clocks: RoomClocks,
    publish: Callable[[Message], None],
    kept: _Kept,
) -> _Heard:
    commander = Commander(
        run.site,
        run.session,
        publish=publish,
        now_ms=clocks.now_ms,
        new_id=_new_id,
        changed=kept.changes.now,
        settled=kept.floor.answered,
    )

    def quiet() -> Commander:
        """One whose orders nobody looks at."""
        return Commander(
            run.site,
            run.session,
            publish=publish,
            now_ms=clocks.now_ms,
            new_id=_new_id,
            keep_ms=AGAIN_MS,
        )

    rules = kept.rules
    told: dict[str, SeatsTold] = {}
    outs = Outs(
        kept.keeper, kept.watch, kept.changes, rules=rules, told=told, round_=lambda: rounds.now
    )
    balancer = Balancer(kept.keeper, kept.watch, kept.changes, rules=rules, outs=outs)
    rounds = Rounds(
        kept.keeper,
        kept.watch,
        kept.changes,
        rules=rules,
        halted=lambda: balancer.held,
        is_settled=lambda: not outs.proposed(),
    )
    teller = Teller(
        quiet(),
        clocks,
        kept.keeper,
        kept.watch,
        kept.changes,
        held=lambda: balancer.held | rounds.held,
    )
    seater = Seater(
        quiet(), clocks, kept.keeper, kept.watch, kept.changes, rules=rules, outs=outs, told=told
    )
    pucks = PuckWatch(commander, kept.watch, kept.changes)
    cashier = Cashier(quiet(), kept.keeper, seater)
    other = OtherRoom(run.session, kept.lead, kept.publisher, kept.changes, clocks.now_ms)
    hearing = Hearing(
        watch=kept.watch,
        floor=kept.floor,
        keeper=kept.keeper,
        commander=commander,
        teller=teller,
        seater=seater,
        pucks=pucks,
        cashier=cashier,
        bulletin=kept.bulletin,
        changes=kept.changes,
        walls=settings.pages.screen.alerts,
    )
    inbox = Inbox(run.site, commander.answers, clocks.now_ms, hearing, other)
    return _Heard(commander, teller, seater, outs, balancer, rounds, pucks, cashier, other, inbox)


def _shown(
    run: RoomRun,
    settings: RoomSettings,
    *,
    clocks: RoomClocks,
    around: Around,
    kept: _Kept,
    heard: _Heard,
    faults: RoomFaults,
) -> ShownRoom:
    watch = kept.watch
    shift = ShownShift(clocks, kept.floor, watch, heard.inbox, kept.telephones)
    return ShownRoom(
        run=run,
        pages=settings.pages,
        clocks=clocks,
        pocket=around.pocket,
        keeper=kept.keeper,
        board=kept.board,
        watch=watch,
        commander=heard.commander,
        seater=heard.seater,
        outs=heard.outs,
        balancer=heard.balancer,
        rounds=heard.rounds,
        pucks=heard.pucks,
        rules=kept.rules,
        lead=kept.lead,
        other=heard.other,
        bulletin=kept.bulletin,
        shown=ShownTables(watch, heard.teller, shift, kept.changes),
        faults=faults,
    )


def _faults(damaged: str, around: Around, kept: _Kept) -> RoomFaults:
    return RoomFaults(
        keeper=kept.keeper,
        floor=kept.floor,
        lead=kept.lead,
        damaged=damaged,
        history=around.history,
        more=around.faults,
    )


def _checkup(
    clocks: RoomClocks, around: Around, kept: _Kept, heard: _Heard, faults: RoomFaults
) -> Checkup:
    return Checkup(
        clocks=clocks,
        keeper=kept.keeper,
        watch=kept.watch,
        lead=kept.lead,
        bulletin=kept.bulletin,
        inbox=heard.inbox,
        telephones=kept.telephones,
        faults=faults,
        history=around.history,
    )


def _new_id() -> str:
    return secrets.token_hex(16)


def _new_seed() -> str:
    return secrets.token_hex(8)
