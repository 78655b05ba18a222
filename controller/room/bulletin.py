"""What a room has to say of an event's clock and tournament, put together from what it knows."""

from __future__ import annotations

from dataclasses import dataclass

from controller.contract.messages import RoomClock, RoomTournament
from controller.room import clock_message, races, tables, tournament
from controller.room.floor_keeper import FloorKeeper
from controller.room.prize_board import PrizeBoard
from controller.room.publisher import EventPublisher
from controller.room.record_keeper import RecordKeeper
from controller.room.room_time import RoomClocks
from controller.room.structure import raced_off
from controller.room.table_split import EventTables
from controller.room.view import ScreenSetup
from controller.room.walls import for_walls


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Bulletin:
    """`session` is the room's; `screen` is what walls show of it. `show` is the event's name
    where it was given none, and it says which tables are `listed` for it."""

    session: str
    screen: ScreenSetup
    clocks: RoomClocks
    keeper: RecordKeeper
    board: PrizeBoard
    watch: EventTables
    floor: FloorKeeper
    publisher: EventPublisher
    show: str
    listed: bool

    def clock(self) -> RoomClock:
        """What there is to say of the clock."""
        record = self.keeper.record
        return clock_message.payload(
            record.clock,
            self.clocks.now_ms(),
            session=self.session,
            lineage=record.lineage,
            revision=record.revision,
        )

    def tournament(self) -> RoomTournament:
        """What there is to say of the tournament."""
        record, clock, seen = self.keeper.record, self.keeper.clock, self.watch.tables
        told = self.board.told()
        alerts = (e for e in self.floor.record.alerts.values() if self.watch.has(e.table))
        return tournament.payload(
            record.tournament,
            tournament.players_seen(seen.values()),
            clock.structure.stack,
            prizes=told.prizes,
            finishes=told.finishes,
            session=self.session,
            show=self.show,
            calls=tables.time_calls(seen, self.clocks.now_ms()),
            dead_buttons=tables.dead_buttons(seen),
            race_off=raced_off(clock.structure, clock.index),
            racing=races.now(record.races, clock, races.sitting(record.register) or tuple(seen)),
            alerts=for_walls(alerts, self.screen.alerts),
            round_=None if record.together is None else record.together.round,
            tables=tuple(e.table for e in record.register.tables) if self.listed else (),
        )

    def anew(self) -> None:
        """The room is there: all of it is said."""
        self.publisher.anew()
        self.say()

    def say(self) -> None:
        """Publish both, as far as they are news."""
        self.publisher.clock(self.clock())
        self.say_tournament()

    def say_tournament(self) -> None:
        """Publish what there is to say of the tournament, if it is news."""
        self.publisher.tournament(self.tournament())
