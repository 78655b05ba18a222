"""The pages of an event: the room as it stands for that, put together from its parts."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from msgspec import Struct

from controller.room import races
from controller.room.away import Stage, overdue
from controller.room.balancer import Balancer
from controller.room.bulletin import Bulletin
from controller.room.changes import Changes
from controller.room.commander import Commander
from controller.room.lead import Lead
from controller.room.other_room import OtherRoom
from controller.room.outs import Outs
from controller.room.prize_board import Marks, PrizeBoard
from controller.room.publisher import RoomRun
from controller.room.puck_watch import PuckWatch
from controller.room.record_keeper import RecordKeeper
from controller.room.room_time import RoomClocks
from controller.room.rounds import Rounds
from controller.room.seater import Seater
from controller.room.shift import Shift
from controller.room.structure import raced_off
from controller.room.table_rules import TableRules
from controller.room.table_split import EventTables
from controller.room.tournament import following
from controller.room.view import (
    PhonesAddress,
    RoomView,
    ScreenSetup,
    TablesShown,
    catch_up,
    left_ms,
    next_break_ms,
    shown_state,
)
from controller.rules.chip_race import USUAL

_SECOND_MS = 1_000


class PageSettings(Struct, frozen=True, kw_only=True):
    """What pages are told of themselves. `language` is the house's; `banner` is what every page
    has to say, for instance that the broker is unprotected. `marks` are those of its amounts."""

    screen: ScreenSetup = ScreenSetup()
    language: str = "en"
    marks: Marks = Marks()
    banner: str = ""


S = TypeVar("S")


class Once(Generic[S]):
    """What `show` makes at a time, for all screens that are woken by one change: put together once,
    and anew after a second where only time has passed."""

    def __init__(self, show: Callable[[int], S], changes: Changes) -> None:
        self._show = show
        self._changes = changes
        self._shown: tuple[tuple[int, int], S] | None = None

    def at(self, now_ms: int) -> S:
        """As it is now."""
        key = (self._changes.count, now_ms // _SECOND_MS)
        if self._shown is None or self._shown[0] != key:
            self._shown = (key, self._show(now_ms))
        return self._shown[1]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class ShownRoom:
    """Makes the view of an event, by its `event` id. `pocket` finds out where phones find their
    page."""

    event: str
    run: RoomRun
    pages: PageSettings
    clocks: RoomClocks
    pocket: Callable[[], PhonesAddress]
    keeper: RecordKeeper
    board: PrizeBoard
    watch: EventTables
    commander: Commander
    seater: Seater
    outs: Outs
    balancer: Balancer
    rounds: Rounds
    pucks: PuckWatch
    rules: TableRules
    lead: Lead
    other: OtherRoom
    bulletin: Bulletin
    tables: Once[TablesShown]
    shift: Once[Shift]
    faults: Callable[[], tuple[str, ...]]

    def view(self) -> RoomView:
        """The room at this moment. While another one leads, the clock is that one's."""
        now_ms, clock = self.clocks.now_ms(), self.bulletin.clock()
        if not self.event and self.lead.stands_by and self.other.clock is not None:
            now_ms, clock = now_ms + self.other.ahead_ms, self.other.clock
        record, wall_ms = self.keeper.record, self.clocks.wall_ms()
        structure, told = record.clock.structure, record.tournament
        shown, shift = self.tables.at(now_ms), self.shift.at(now_ms)
        to_race = self._to_race()
        stage = Stage(self.clocks.now_ms(), record.clock.level, record.clock.over)
        return RoomView(
            site=self.run.site,
            version=self.run.version,
            structure=structure.name,
            now_ms=now_ms,
            clock=clock,
            tables=shown.tables,
            alerts=shown.alerts,
            heard=self.watch.heard,
            banner=self.pages.banner,
            orders=tuple(o for o in self.commander.orders.values() if self.watch.has(o.table)),
            coming=self.commander.coming,
            ruled=self.commander.ruled,
            state=shown_state(clock, now_ms),
            left_ms=left_ms(clock, now_ms),
            next_break_ms=next_break_ms(clock, now_ms),
            catch_up=catch_up(record, now_ms),
            entries=structure.entries,
            schedule=structure,
            told=told,
            follows=following(told, shown.players_seen, structure.stack),
            hold_for_hands=record.clock.hold_for_hands,
            pause_on_dispute=record.clock.pause_on_dispute,
            levels=shown.levels,
            old_level=shown.old_level,
            playing=shown.playing,
            tournament=self.bulletin.tournament(),
            players_seen=shown.players_seen,
            wall_ms=wall_ms,
            utc_offset_s=time.localtime(wall_ms / 1_000).tm_gmtoff,
            history=self.keeper.history,
            faults=self.faults(),
            stands_by=self.lead.stands_by,
            screen=self.pages.screen,
            language=self.pages.language,
            moves=told.moves,
            finishes=self.board.told().finishes,
            calls=shown.calls,
            dead_buttons=shown.dead_buttons,
            race_off=raced_off(structure, record.clock.index),
            pocket=self.pocket(),
            shift=shift,
            money=record.money,
            register=record.register,
            conduct=record.conduct,
            seen=record.seen,
            shared=record.shared,
            seating=self.seater.seating(),
            proposed=self.outs.proposed(),
            to_break=self.balancer.breaks,
            to_move=self.balancer.moves,
            halted=self.balancer.halted,
            together=self.rounds.now,
            pucks=tuple(
                differs
                for each in record.register.tables
                if (differs := self.pucks.differs(each.table)) is not None
            ),
            races=record.races,
            to_race=to_race,
            race_ways={t: self.rules.race(t) or USUAL for each in to_race for t in each.tables},
            overdue=overdue(record.register, self.rules.at, stage),
            in_minutes=self.rules.in_minutes(each.table for each in record.register.tables),
            chips=self.seater.chips(),
        )

    def _to_race(self) -> tuple[races.Due, ...]:
        record, clock = self.keeper.record, self.keeper.clock
        if not clock.begun or clock.over:
            return ()
        there = races.sitting(record.register)
        return races.to_do(record.races, clock.structure, clock.index, there)
