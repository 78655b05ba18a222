"""The floor's side of the view, put together from its desk."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from controller.room.alerts import RoomAlert
from controller.room.escalation import calls, in_sections, standing
from controller.room.figures import counts, groups, people, raised_of_late
from controller.room.floor_desk import FloorDesk
from controller.room.shift import Counts, Pushes, RunningMute, Shift, Trouble
from controller.room.tables import Tables

_COUNT_AGAIN_MS = 2_000
_CHEAP = 500


class ShownShift:
    """Makes a `Shift` of a desk; what is dear is not made anew every time."""

    def __init__(self, desk: FloorDesk) -> None:
        self._desk = desk
        self._counts = Counts()
        self._counted: tuple[int, int, int] | None = None

    def view(
        self, tables: Tables, now_ms: int, trouble: tuple[Trouble, ...], pushes: Pushes
    ) -> Shift:
        """The floor as it stands."""
        desk = self._desk
        record, limits = desk.record, desk.limits
        open_ = tuple(
            sorted((each for each in record.alerts.values() if each.closed_ms is None), key=_order)
        )
        late = raised_of_late(desk.history.lines, now_ms)
        near = {
            table: in_sections(table, record.duty, record.sections)
            for table in {each.table for each in open_}
        }
        due = {each.key: standing(each, now_ms, limits).next_ms for each in open_}
        return Shift(
            alerts=open_,
            ruled=tuple(each for each in record.alerts.values() if each.amendable),
            calls={each.key: calls(each, record.duty, record.sections) for each in open_},
            in_sections={each.key: near[each.table] for each in open_},
            escalates_ms={key: at_ms for key, at_ms in due.items() if at_ms is not None},
            people=people(record, late, limits),
            sections=record.sections,
            notes=record.notes,
            mutes=mutes(tables, desk.muted),
            groups=groups(open_),
            flood=sum(late.values()) >= limits.flood,
            counts=self._count(record.duty, now_ms),
            news=desk.history.news(),
            trouble=trouble,
            pushes=pushes,
            limits=limits,
            heard=desk.heard,
        )

    def _count(self, duty: Collection[str], now_ms: int) -> Counts:
        history = self._desk.history.lines
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
