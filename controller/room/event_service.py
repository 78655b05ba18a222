"""One event of a room: its clock, its tournament with its players and its money, and its tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from controller.contract.events import Phase, Start
from controller.contract.messages import Answer, TableEvent
from controller.room.acts import ActError
from controller.room.arrivals import Arrive, DrawButton, LeaveButton, SetButton
from controller.room.balancer import Balancer
from controller.room.bulletin import Bulletin
from controller.room.cashier import Cashier
from controller.room.changes import Changes
from controller.room.conduct import HandOf
from controller.room.known import at_tables
from controller.room.lead import Lead
from controller.room.prize_board import PrizeBoard
from controller.room.puck_watch import PuckWatch
from controller.room.record_keeper import RecordKeeper
from controller.room.register_acts import TellSeats
from controller.room.rounds import Rounds
from controller.room.seater import Seater
from controller.room.shown_room import ShownRoom
from controller.room.table_rules import TableRules
from controller.room.table_split import EventTables
from controller.room.teller import Teller, still_playing
from controller.room.view import RoomView


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class EventService:
    """`event_composition` makes it; `id` is empty for the event that is always there. Its pages
    follow it as one follows a room: it has one's `turn`, `changed` and `view`.

    `others` are by their names the events that have the tables which this one has not. `new_seed`
    is what seats are drawn by where nobody gives a seed."""

    id: str
    changes: Changes
    lead: Lead
    tables: EventTables
    keeper: RecordKeeper
    bulletin: Bulletin
    board: PrizeBoard
    teller: Teller
    seater: Seater
    balancer: Balancer
    rounds: Rounds
    pucks: PuckWatch
    cashier: Cashier
    rules: TableRules
    shown: ShownRoom
    others: Callable[[], Mapping[str, str]]
    new_seed: Callable[[], str]

    @property
    def name(self) -> str:
        """How people call it."""
        return self.keeper.record.tournament.name or self.bulletin.show

    def act(self, name: str, fields: Mapping[str, object]) -> None:
        """Do something with the clock or the tournament: see `record.asked` for names and fields.

        Raises ActError with the reason where it can't be done.
        """
        if self.lead.stands_by:
            raise ActError("another room is in charge of this site; ask there")
        if self.keeper.closed:
            raise ActError("this event is closed")
        if name in ("draw", "redraw", "draw-button"):
            fields = {"seed": self.new_seed(), **fields}
        if name == "hand-for-hand":
            fields = {**self.rounds.by_book(), **fields}
        known = replace(
            at_tables(self.tables.tables),
            chips=self.seater.known(),
            race=self.rules.race,
            others=self.others(),
        )
        match self.keeper.act(name, fields, known=known):
            case TellSeats(table=table):
                self.seater.again(table)
            case SetButton(table=table, seat=seat, actor=actor):
                self.pucks.set(table, seat, actor)
            case DrawButton(table=table, actor=actor):
                self.pucks.set(table, self.keeper.record.register.buttons[-1].seat, actor)
            case Arrive(player=player, chips=int(chips)):
                self.seater.brings(player, chips)
            case LeaveButton(table=table):
                self.pucks.agree(table)

    # time

    def keep_time(self) -> None:
        """Once a second: time passes, and what commands of this machine ask is done."""
        self.keeper.tick()
        for asked in self.keeper.asked():
            try:
                self.act(asked.name, asked.fields)
            except ActError as error:
                self.keeper.answer(asked, str(error))
            else:
                self.keeper.answer(asked, "")

    def settle(self) -> None:
        """After that: what the tables show now."""
        if self.tables.knows and not still_playing(self.tables.tables):
            self.keeper.hands_over()
        if self.lead.leads:
            self.board.tick()

    def tell_tables(self) -> None:
        """Tell them what they do not know yet."""
        self.balancer.tick()
        self.rounds.tick()
        self.teller.tick()
        self.seater.tick()
        self.cashier.tick(self.tables.tables)

    # what its tables say

    def hand(self, table: str, *, is_news: bool) -> None:
        """A table's hand was heard, and it may be news for everybody."""
        if is_news:
            self.bulletin.say_tournament()
        self.seater.hand(table)
        self.pucks.hand(table)

    def event(self, table: str, event: TableEvent, *, is_new: bool) -> None:
        """Something happened at a table, and it may have told that before."""
        if is_new:
            self.keeper.saw(table, event.session, event.event)
        self.seater.event(table, event)
        match event.event:
            case Start(hand=hand, redeal_of=first):
                began = HandOf(table, event.session, hand)
                self.keeper.hand_begins(began, redeal=first is not None)
            case Phase(hand=hand, phase="complete"):
                self.keeper.hand_ends(HandOf(table, event.session, hand))

    def answered(self, answer: Answer, correlation: bytes | None) -> None:
        """A table has answered a command, which may be one of this event."""
        self.teller.answered(answer, correlation)
        self.seater.answered(answer, correlation)
        self.cashier.answered(answer, correlation)

    # its pages

    @property
    def turn(self) -> int:
        """Counts with every change that the pages are woken for."""
        return self.changes.turn

    @property
    def closed(self) -> bool:
        """Whether the room has ended, or this event is closed."""
        return self.changes.closed or self.keeper.closed

    def view(self) -> RoomView:
        """The event at this moment."""
        return self.shown.view()

    async def changed(self) -> None:
        """Return at the next change, or when the room is closed."""
        await self.changes.next()
