"""The floor's side of the view, put together from what is kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from controller.room.alerts import RoomAlert
from controller.room.escalation import calls, escalation, in_sections
from controller.room.figures import counts, groups, people, raised_of_late
from controller.room.floor_keeper import FloorKeeper
from controller.room.ntfy import Telephones
from controller.room.room_time import RoomClocks
from controller.room.shift import Counts, RunningMute, Shift, Trouble
from controller.room.table_watch import TableWatch
from controller.room.tables import Tables

_COUNT_AGAIN_MS = 2_000
_CHEAP = 500


class ShownShift:
    """Makes a `Shift` of the floor as it is kept; what is dear is not made anew every time."""

    def __init__(
        self,
        clocks: RoomClocks,
        floor: FloorKeeper,
        watch: TableWatch,
        trouble: Callable[[], tuple[Trouble, ...]],
        telephones: Telephones,
    ) -> None:
        self._clocks = clocks
        self._floor = floor
        self._watch = watch
        self._trouble = trouble
        self._telephones = telephones
        self._counts = Counts()
        self._counted: tuple[int, int, int] | None = None

    def view(self) -> Shift:
        """The floor as it stands."""
        floor, now_ms = self._floor, self._clocks.now_ms()
        record, limits = floor.record, floor.limits
        open_ = tuple(
            sorted((each for each in record.alerts.values() if each.closed_ms is None), key=_order)
        )
        late = raised_of_late(floor.history.lines, now_ms)
        near = {
            table: in_sections(table, record.duty, record.sections)
            for table in {each.table for each in open_}
        }
        due = {each.key: escalation(each, now_ms, limits).next_ms for each in open_}
        return Shift(
            alerts=open_,
            ruled=tuple(each for each in record.alerts.values() if each.amendable),
            calls={each.key: calls(each, record.duty, record.sections) for each in open_},
            in_sections={each.key: near[each.table] for each in open_},
            escalates_ms={key: at_ms for key, at_ms in due.items() if at_ms is not None},
            people=people(record, late, limits),
            sections=record.sections,
            notes=record.notes,
            mutes=mutes(self._watch.tables, floor.muted),
            groups=groups(open_),
            flood=sum(late.values()) >= limits.flood,
            counts=self._count(record.duty, now_ms),
            news=floor.history.news(),
            trouble=self._trouble(),
            pushes=self._telephones.pushes,
            limits=limits,
            heard=floor.heard,
        )

    def _count(self, duty: Collection[str], now_ms: int) -> Counts:
        history = self._floor.history.lines
        newest = history[0].n if history else 0
        had = self._counted
        is_old = had is None or now_ms - had[2] >= _COUNT_AGAIN_MS
        if is_old or (len(history) < _CHEAP and had is not None and had[:2] != (newest, len(duty))):
            self._counts = counts(reversed(history), len(duty), now_ms)
            self._counted = (newest, len(duty), now_ms)
        return self._counts


def mutes(
    tables: Tables, asked: Mapping[tuple[str, str, str], tuple[str, str]]
) -> tuple[RunningMute, ...]:
    """What the tables that are heard say to be for the record only."""
    found = []
    for table in sorted(tables):
        hand = tables[table].hand
        if hand is None or not tables[table].live:
            continue
        for each in hand.view.silent:
            by, reason = asked.get((table, each.code or "", each.zone or ""), ("", ""))
            left = None if each.until is None else max(0, each.until - hand.view.hand + 1)
            found.append(
                RunningMute(table, each.code or "", each.zone or "", each.until, left, by, reason)
            )
    return tuple(found)


def _order(alert: RoomAlert) -> tuple[object, ...]:
    return (alert.dismissed is not None, alert.priority, alert.at, alert.table, alert.key)
