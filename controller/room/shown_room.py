"""The room's pages: the room as it stands, put together from its parts."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from controller.room.bulletin import Bulletin
from controller.room.changes import Changes
from controller.room.commander import Commander
from controller.room.faults import RoomFaults
from controller.room.lead import Lead
from controller.room.other_room import OtherRoom
from controller.room.publisher import RoomRun
from controller.room.record_keeper import RecordKeeper
from controller.room.room_time import RoomClocks
from controller.room.shift import Shift
from controller.room.shown_shift import ShownShift
from controller.room.table_watch import TableWatch
from controller.room.teller import Teller
from controller.room.view import (
    PhonesAddress,
    RoomView,
    ScreenSetup,
    TablesShown,
    room_view,
    tables_shown,
)

_SECOND_MS = 1_000


class PageSettings(Struct, frozen=True, kw_only=True):
    """What pages are told of themselves. `language` is the house's; `banner` is what every page
    has to say, for instance that the broker is unprotected."""

    screen: ScreenSetup = ScreenSetup()
    language: str = "en"
    banner: str = ""


class ShownTables:
    """The tables and the floor for all screens that are woken by one change: put together once.
    `shift` is the floor's side."""

    def __init__(
        self, watch: TableWatch, teller: Teller, shift: ShownShift, changes: Changes
    ) -> None:
        self._watch = watch
        self._teller = teller
        self._changes = changes
        self._shift = shift
        self._shown: tuple[tuple[int, int], TablesShown, Shift] | None = None

    def at(self, now_ms: int) -> tuple[TablesShown, Shift]:
        """As they are now, and to the second where only time has passed."""
        key = (self._changes.count, now_ms // _SECOND_MS)
        if self._shown is None or self._shown[0] != key:
            shown = tables_shown(self._watch.tables, self._teller.levels(), now_ms)
            self._shown = (key, shown, self._shift.view())
        return self._shown[1:]


class ShownRoom:
    """Makes the view of a room. `pocket` finds out where phones find their page."""

    def __init__(
        self,
        run: RoomRun,
        pages: PageSettings,
        clocks: RoomClocks,
        *,
        pocket: Callable[[], PhonesAddress],
        keeper: RecordKeeper,
        watch: TableWatch,
        commander: Commander,
        lead: Lead,
        other: OtherRoom,
        bulletin: Bulletin,
        shown: ShownTables,
        faults: RoomFaults,
    ) -> None:
        self._run = run
        self._pages = pages
        self._pocket = pocket
        self._clocks = clocks
        self._keeper = keeper
        self._watch = watch
        self._commander = commander
        self._lead = lead
        self._other = other
        self._bulletin = bulletin
        self._shown = shown
        self._faults = faults

    def view(self) -> RoomView:
        """The room at this moment. While another one leads, the clock is that one's."""
        now_ms, clock = self._clocks.now_ms(), self._bulletin.clock()
        if self._lead.stands_by and self._other.clock is not None:
            now_ms, clock = now_ms + self._other.ahead_ms, self._other.clock
        shown, shift = self._shown.at(now_ms)
        return room_view(
            self._keeper.record,
            clock,
            now_ms,
            self._clocks.wall_ms(),
            shown,
            site=self._run.site,
            heard=self._watch.heard,
            banner=self._pages.banner,
            orders=tuple(self._commander.orders.values()),
            coming=self._commander.coming,
            ruled=self._commander.ruled,
            history=self._keeper.history,
            tournament=self._bulletin.tournament(),
            faults=self._faults.now(),
            stands_by=self._lead.stands_by,
            screen=self._pages.screen,
            language=self._pages.language,
            pocket=self._pocket(),
            version=self._run.version,
            shift=shift,
        )
