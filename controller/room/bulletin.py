"""What a room has to say of its time, clock and tournament, put together from what it knows."""

from __future__ import annotations

from controller.contract.messages import RoomClock, RoomTournament
from controller.room import clock_message, tables, tournament
from controller.room.floor_keeper import FloorKeeper
from controller.room.publisher import RoomPublisher
from controller.room.record_keeper import RecordKeeper
from controller.room.room_time import RoomClocks
from controller.room.structure import raced_off
from controller.room.table_watch import TableWatch
from controller.room.view import ScreenSetup
from controller.room.walls import for_walls


class Bulletin:
    """`session` is the room's; `screen` is what walls show of it."""

    def __init__(
        self,
        session: str,
        screen: ScreenSetup,
        clocks: RoomClocks,
        *,
        keeper: RecordKeeper,
        watch: TableWatch,
        floor: FloorKeeper,
        publisher: RoomPublisher,
    ) -> None:
        self._session = session
        self._screen = screen
        self._clocks = clocks
        self._keeper = keeper
        self._watch = watch
        self._floor = floor
        self._publisher = publisher

    def clock(self) -> RoomClock:
        """What there is to say of the clock."""
        record = self._keeper.record
        return clock_message.payload(
            record.clock,
            self._clocks.now_ms(),
            session=self._session,
            lineage=record.lineage,
            revision=record.revision,
        )

    def tournament(self) -> RoomTournament:
        """What there is to say of the tournament."""
        record, clock, seen = self._keeper.record, self._keeper.clock, self._watch.tables
        return tournament.payload(
            record.tournament,
            tournament.players_seen(seen.values()),
            clock.structure.stack,
            session=self._session,
            show=self._screen.name,
            calls=tables.time_calls(seen, self._clocks.now_ms()),
            dead_buttons=tables.dead_buttons(seen),
            race_off=raced_off(clock.structure, clock.index),
            alerts=for_walls(self._floor.record.alerts.values(), self._screen.alerts),
        )

    def anew(self) -> None:
        """The room is there, and says all of it."""
        self._publisher.anew()
        self.say()

    def say(self) -> None:
        """Publish both, as far as they are news."""
        self._publisher.clock(self.clock())
        self.say_tournament()

    def say_time(self) -> None:
        """Publish the room's time."""
        self._publisher.time(self._clocks.now_ms())

    def say_tournament(self) -> None:
        """Publish what there is to say of the tournament, if it is news."""
        self._publisher.tournament(self.tournament())
