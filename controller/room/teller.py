"""Tells the tables what the clock makes of them: their level, and when there is a break."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import msgspec
from msgspec.structs import replace

from controller.contract.events import Blinds
from controller.contract.messages import Answer
from controller.room.changes import Changes
from controller.room.clock_message import wanted_blinds
from controller.room.commander import Commander
from controller.room.levels import (
    AGAIN_MS,
    REFUSED_AGAIN_MS,
    LevelTold,
    TableLevel,
    level_of,
    plays,
    to_close,
    to_open,
    to_tell,
)
from controller.room.record_keeper import RecordKeeper
from controller.room.room_time import RoomClocks
from controller.room.table_split import EventTables
from controller.room.tables import Tables, TableSeen, in_order

ACTOR = "the room's clock"
MOST_AT_ONCE = 100
PAUSE_AGAIN_MS = 7_000


class Teller:
    """Gives the tables orders with a `commander` of its own, and wakes the pages when a table has
    taken something or has not. Which tables the room has closed is kept before they are."""

    def __init__(
        self,
        commander: Commander,
        clocks: RoomClocks,
        keeper: RecordKeeper,
        watch: EventTables,
        changes: Changes,
        *,
        held: Callable[[], Collection[str]],
    ) -> None:
        """The tables that are `held` finish their hand and are closed, break or not."""
        self._commander = commander
        self._clocks = clocks
        self._keeper = keeper
        self._watch = watch
        self._changes = changes
        self._held = held
        self._told: Mapping[str, LevelTold] = {}
        self._levels: dict[str, tuple[TableSeen, LevelTold | None, Blinds | None, TableLevel]] = {}
        self._pauses: dict[str, tuple[bool, int]] = {}

    def answered(self, answer: Answer, correlation: bytes | None) -> None:
        """A table has answered."""
        self._commander.answered(answer, correlation)
        self._look()

    def levels(self) -> tuple[TableLevel, ...]:
        """What each table plays, by its name; looked at anew where something has changed."""
        tables, wanted = self._watch.tables, wanted_blinds(self._keeper.clock)
        before, self._levels = self._levels, {}
        for id_ in in_order(tables):
            table, told = tables[id_], self._told.get(id_)
            known = before.get(id_)
            if known is None or known[0] is not table or known[1:3] != (told, wanted):
                known = (table, told, wanted, level_of(table, wanted, told))
            self._levels[id_] = known
        return tuple(known[3] for known in self._levels.values())

    def tick(self) -> None:
        """Tell each table what it does not know yet, and again what it has not taken."""
        tables, clock = self._watch.tables, self._keeper.clock
        self._commander.tick()
        self._look()
        now_ms = self._clocks.now_ms()
        self._told = {id_: each for id_, each in self._told.items() if id_ in tables}
        wanted = wanted_blinds(clock)
        if wanted is not None:
            for table in to_tell(tables.values(), wanted, self._told, now_ms)[:MOST_AT_ONCE]:
                self._tell_level(table, wanted)
        is_break = clock.begun and clock.on_break and not clock.over
        self._close(tables.keys() if is_break else tables.keys() & self._held(), now_ms)

    def _close(self, shut: Collection[str], now_ms: int) -> None:
        """These tables are to be closed, and of those that the room has closed no others."""
        tables, closed = self._watch.tables, self._keeper.record.closed
        due = [
            each
            for each in to_close(tables[id_] for id_ in in_order(tables) if id_ in shut)
            if self._is_due(each, True, now_ms)
        ]
        over = [id_ for id_ in closed if id_ not in shut]
        for table in to_open(tables.values(), over)[:MOST_AT_ONCE]:
            if self._is_due(table, False, now_ms):
                self._tell_pause(table, False)
        opened = {
            id_
            for id_ in over
            if not (self._is_closing(id_, now_ms) or _may_be_shut(tables.get(id_)))
        }
        left = tuple(sorted({*closed, *(each.id for each in due)} - opened))
        if left != closed:
            self._keeper.closes(left)
        for table in due[:MOST_AT_ONCE]:
            self._tell_pause(table, True)

    def _tell_level(self, table: TableSeen, wanted: Blinds) -> None:
        fields = msgspec.to_builtins(wanted)
        id_ = self._give(table, "level", fields)
        if id_ and table.hand is not None:
            last = self._told.get(table.id)
            told = LevelTold(table.hand.session, table.hand.view.hand, wanted, id_)
            if last is not None and last.blinds == wanted:
                told = replace(told, trouble=last.trouble, unanswered=last.unanswered)
            self._told = {**self._told, table.id: told}

    def _tell_pause(self, table: TableSeen, paused: bool) -> None:
        fields: dict[str, object] = {"paused": paused}
        if paused and table.hand is not None:
            fields["hand"] = table.hand.view.hand  # none that has begun meanwhile is cut short
        if self._give(table, "pause", fields):
            self._pauses[table.id] = (paused, self._clocks.now_ms() + PAUSE_AGAIN_MS)

    def _is_due(self, table: TableSeen, paused: bool, now_ms: int) -> bool:
        last = self._pauses.get(table.id)
        return last is None or last[0] is not paused or now_ms >= last[1]

    def _is_closing(self, table: str, now_ms: int) -> bool:
        """Whether it was told to close so lately that it may be about to."""
        paused, again_ms = self._pauses.get(table, (False, 0))
        return paused and now_ms < again_ms

    def _give(self, table: TableSeen, name: str, fields: Mapping[str, object]) -> str:
        """The id of what was sent; empty where nothing can be sent now."""
        session = table.hand.session if table.hand is not None else ""
        given = {**fields, "actor": ACTOR, "session": session}
        order = self._commander.try_give(table.id, name, given)
        return "" if order is None else order.command.id

    def _look(self) -> None:
        """What has become of what the tables were told."""
        orders, now_ms = self._commander.orders, self._clocks.now_ms()
        after = dict(self._told)
        for id_, told in self._told.items():
            order = orders.get(told.id)
            if order is None or told.taken:
                continue
            if order.status == "confirmed":
                after[id_] = replace(told, taken=True, trouble="", unanswered=False)
            elif order.status != "sent" and told.again_ms is None:
                refused = order.status == "refused"
                after[id_] = replace(
                    told,
                    again_ms=now_ms + (REFUSED_AGAIN_MS if refused else AGAIN_MS),
                    trouble=order.words if refused else "",
                    unanswered=not refused,
                )
        if after != self._told:
            self._told = after
            self._changes.now()


def _may_be_shut(table: TableSeen | None) -> bool:
    """Whether a table that was closed may still be; one that can't be heard may."""
    if table is None or not table.live or table.hand is None:
        return True
    return not table.hand.view.is_open


def still_playing(tables: Tables) -> tuple[str, ...]:
    """The tables at which a hand is under way."""
    return tuple(id_ for id_ in sorted(tables) if plays(tables[id_]))
