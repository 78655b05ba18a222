"""The room service: keeps the room's time and clock, and listens to the tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress

from msgspec.structs import replace

from controller.broker.client import Incoming
from controller.contract.observations import nearest
from controller.room.acts import ActError
from controller.room.alerts import Happened, RoomAlert
from controller.room.arrivals import Arrive, DrawButton, LeaveButton, SetButton
from controller.room.balancer import Balancer
from controller.room.bulletin import Bulletin
from controller.room.cashier import Cashier
from controller.room.changes import Changes
from controller.room.checkup import Checkup
from controller.room.commander import Commander, Order, OrderError
from controller.room.floor_keeper import FloorKeeper
from controller.room.inbox import Inbox
from controller.room.known import at_tables
from controller.room.lead import Lead
from controller.room.prize_board import PrizeBoard
from controller.room.puck_watch import PuckWatch
from controller.room.record_keeper import RecordKeeper
from controller.room.register_acts import TellSeats
from controller.room.room_time import RoomClocks
from controller.room.rounds import Rounds
from controller.room.seater import Seater
from controller.room.shown_room import ShownRoom
from controller.room.succession import Succession
from controller.room.table_rules import TableRules
from controller.room.table_watch import TableWatch
from controller.room.teller import Teller, still_playing
from controller.room.view import Ignored, RoomHealth, RoomView

_SECOND_MS = 1_000
_STANDS_MS = 5_000


class RoomService:
    """One room; `make_room` makes it. It hears through `received` and `link`, and knows neither
    the broker nor the web. `tell_tables`: it tells the tables their level and their breaks.
    `new_seed` is what seats are drawn by where nobody gives a seed."""

    def __init__(
        self,
        clocks: RoomClocks,
        changes: Changes,
        *,
        keeper: RecordKeeper,
        floor: FloorKeeper,
        watch: TableWatch,
        lead: Lead,
        succession: Succession,
        bulletin: Bulletin,
        commander: Commander,
        teller: Teller,
        seater: Seater,
        balancer: Balancer,
        rounds: Rounds,
        pucks: PuckWatch,
        cashier: Cashier,
        rules: TableRules,
        board: PrizeBoard,
        inbox: Inbox,
        shown: ShownRoom,
        checkup: Checkup,
        tell_tables: bool,
        new_seed: Callable[[], str],
    ) -> None:
        self._clocks = clocks
        self._changes = changes
        self._keeper = keeper
        self._floor = floor
        self._watch = watch
        self._lead = lead
        self._succession = succession
        self._bulletin = bulletin
        self._commander = commander
        self._teller = teller
        self._seater = seater
        self._balancer = balancer
        self._rounds = rounds
        self._pucks = pucks
        self._cashier = cashier
        self._rules = rules
        self._board = board
        self._inbox = inbox
        self._shown = shown
        self._checkup = checkup
        self._tell_tables = tell_tables
        self._new_seed = new_seed
        self._ticked_ms = clocks.now_ms()

    # the clock

    def start(self) -> None:
        """Say that the room is there, and what its clock shows, if it leads already."""
        self._bulletin.anew()
        self._changes.now()

    def act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with the clock or the tournament: see `record.asked` for names and fields.

        Raises ActError with the reason where it can't be done.
        """
        self._check_leads()
        if name in ("draw", "redraw", "draw-button"):
            fields = {"seed": self._new_seed(), **fields}
        if name == "hand-for-hand":
            fields = {**self._rounds.by_book(), **fields}
        known = replace(
            at_tables(self._watch.tables), chips=self._seater.known(), race=self._rules.race
        )
        match self._keeper.act(name, fields, known=known):
            case TellSeats(table=table):
                self._seater.again(table)
            case SetButton(table=table, seat=seat, actor=actor):
                self._pucks.set(table, seat, actor)
            case DrawButton(table=table, actor=actor):
                self._pucks.set(table, self._keeper.record.register.buttons[-1].seat, actor)
            case Arrive(player=player, chips=int(chips)):
                self._seater.brings(player, chips)
            case LeaveButton(table=table):
                self._pucks.agree(table)

    def tick(self) -> None:
        """Once a second: say the time, begin the level that is due."""
        now_ms = self._clocks.now_ms()
        self._ticked_ms = now_ms
        self._take_lead()
        self._keeper.tick()
        self._answer_commands()
        self._inbox.drain()
        self._watch.settle()
        self._commander.tick()
        self._floor.tick()
        if self._watch.knows and not still_playing(self._watch.tables):
            self._keeper.hands_over()
        if self._lead.leads:
            self._board.tick()
        self._bulletin.say_time()
        self._bulletin.say_tournament()
        if self._lead.leads and self._tell_tables and self._watch.heard:
            self._balancer.tick()
            self._rounds.tick()
            self._teller.tick()
            self._seater.tick()
            self._cashier.tick(self._watch.tables)

    def _answer_commands(self) -> None:
        for asked in self._keeper.asked():
            try:
                self.act(asked.name, asked.fields)
            except ActError as error:
                self._keeper.answer(asked, str(error))
            else:
                self._keeper.answer(asked, "")

    def _take_lead(self) -> None:
        if self._succession.tick(self._clocks.now_ms()):
            self.start()

    async def run(self) -> None:
        """Tick on every full second of the room's time, at a level's end and a minute before it,
        until closed."""
        while not self.closed:
            self.tick()
            now_ms = self._clocks.now_ms()
            due_ms = (now_ms // _SECOND_MS + 1) * _SECOND_MS
            deadline_ms = self._keeper.clock.deadline_ms
            if deadline_ms is not None and now_ms < deadline_ms < due_ms:
                due_ms = deadline_ms
            await asyncio.sleep((due_ms - now_ms) / _SECOND_MS)

    @property
    def ticks(self) -> bool:
        """Whether the room's clock moves on."""
        return self._clocks.now_ms() - self._ticked_ms < _STANDS_MS

    # what comes in

    @property
    def filters(self) -> tuple[str, ...]:
        """What is to be subscribed to at the broker."""
        return self._inbox.filters

    @property
    def ignored(self) -> Ignored:
        """What came in and could not be used."""
        return self._inbox.ignored

    def received(self, incoming: Incoming) -> None:
        """Take in what a table or another room has said. What cannot be used is counted in
        `ignored`, and of tables one by one; one that says too much at once has to wait."""
        self._inbox.received(incoming)
        self._take_lead()

    def link(self, up: bool) -> None:
        """The broker was reached, or is lost."""
        self._lead.link(up, self._clocks.now_ms())
        self._watch.link(up)

    # what is asked of the tables

    def order(self, table: str, name: str, fields: Mapping[str, object], *, role: str) -> Order:
        """Send a command to a table; see `Commander.give`.

        Raises OrderError, also for a table that can't be heard: what it is told now would
        reach it late or never.
        """
        tables = self._watch.tables
        seen = tables.get(table)
        if seen is None:
            raise OrderError(f"there is no table '{table[:40]}'{nearest(table[:40], tables)}")
        if not self._watch.heard or not seen.live:
            raise OrderError(f"table {table} cannot be reached now")
        given = dict(fields)
        self._floor.check(table, name, given, self._commander.orders)
        return self._commander.give(table, name, given, role=role)

    def floor_act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with an alert or with who is on duty: see `alert_acts` for names and
        fields. Taking one tells its table that somebody comes, if it can be told.

        Raises ActError with the reason where it can't be done.
        """
        self._check_leads()
        alert = self._floor.act(name, fields)
        if name == "take" and alert is not None and self._is_to_hear(alert):
            self._come(alert)

    def _is_to_hear(self, alert: RoomAlert) -> bool:
        """Whether its table waits for somebody to come, and does not know who does."""
        seen = self._watch.tables.get(alert.table)
        if alert.priority > 2 or alert.dismissed is not None or seen is None or not seen.live:
            return False
        view = seen.hand.view if seen.hand is not None else None
        knows = view is None or (view.floor, view.floor_by) == ("coming", alert.owner)
        return alert.kind in ("finding", "call") and not knows

    def _come(self, alert: RoomAlert) -> None:
        finding = {"finding": int(alert.finding)} if alert.finding.isdecimal() else {}
        fields = {"actor": alert.owner, "session": alert.session, "hand": alert.hand, **finding}
        with suppress(OrderError):
            self.order(alert.table, "coming", fields, role="floor")

    def _check_leads(self) -> None:
        if self._lead.stands_by:
            raise ActError("another room is in charge of this site; ask there")

    # the pages

    @property
    def turn(self) -> int:
        """Counts with every change that the pages are woken for."""
        return self._changes.turn

    @property
    def closed(self) -> bool:
        """Whether the room has ended."""
        return self._changes.closed

    def view(self) -> RoomView:
        """The room at this moment."""
        return self._shown.view()

    def health(self) -> RoomHealth:
        """How the room is; tries whether its store can be written."""
        return self._checkup.health(ticks=self.ticks)

    def since(self, at_ms: int) -> tuple[bool, tuple[Happened, ...]]:
        """What happened on the floor from that time on, the oldest first; whether there was
        more before it."""
        return self._floor.history.since(at_ms)

    async def changed(self) -> None:
        """Return at the next change, or when the room is closed."""
        await self._changes.next()

    def close(self) -> None:
        """Wake everyone who waits; `run` ends at its next tick."""
        if not self.closed:
            self._floor.close()
            self._keeper.close()
            self._changes.close()
