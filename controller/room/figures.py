"""How the shift goes in numbers, and how a flood of alerts is put together: pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from controller.room.alerts import FloorRecord, Happened, RoomAlert
from controller.room.shift import Counts, Group, Limits, PersonOnDuty

FLOOD_MS = 600_000
SHIFT_MS = 12 * 3_600_000
_RATE_MS = 3_600_000
_PRIORITIES = (1, 2, 3)


def counts(history: Iterable[Happened], on_duty: int, now_ms: int) -> Counts:
    """Of the last twelve hours; `on_duty` floorpersons share what came in the last one."""
    lines = [each for each in history if now_ms - each.at_ms <= SHIFT_MS and each.code != "test"]
    if not lines:
        return Counts(since_ms=now_ms)
    raised = [each for each in lines if each.what == "raised"]
    by_priority = tuple(sum(each.priority == p for each in raised) for p in _PRIORITIES)
    since_ms = max(lines[0].at_ms, now_ms - _RATE_MS)
    tens = max(1.0, (now_ms - since_ms) / FLOOD_MS) * max(1, on_duty)
    late = [each for each in raised if each.at_ms >= now_ms - _RATE_MS]
    first: dict[tuple[str, int], int] = {}
    for each in lines:
        if each.act in ("take", "hand-over") and not each.refused and each.age_ms is not None:
            first.setdefault((each.key, each.at_ms - each.age_ms), each.age_ms)
    closed = [e.age_ms for e in lines if e.what == "closed" and e.age_ms is not None]
    return Counts(
        since_ms=lines[0].at_ms,
        raised=(by_priority[0], by_priority[1], by_priority[2]),
        shares=shares(by_priority),
        rate=round(len(late) / tens, 2),
        rate_urgent=round(sum(each.priority < 3 for each in late) / tens, 2),
        to_take_ms=_middle_and_longest(list(first.values())),
        to_close_ms=_middle_and_longest(closed),
        escalated=len({each.key for each in lines if each.what == "escalated"}),
        dismissed=sum(each.what == "dismissed" for each in lines),
    )


def shares(numbers: Sequence[int]) -> tuple[int, int, int]:
    """In percent, which together make a hundred where there is anything."""
    total = sum(numbers)
    if not total:
        return (0, 0, 0)
    whole = [number * 100 // total for number in numbers]
    rests = sorted(range(3), key=lambda i: (numbers[i] * 100 % total, i), reverse=True)
    for i in rests[: 100 - sum(whole)]:
        whole[i] += 1
    return (whole[0], whole[1], whole[2])


def _middle_and_longest(values: Sequence[int]) -> tuple[int, int] | None:
    return (int(median(values)), max(values)) if values else None


def raised_of_late(history: Iterable[Happened], now_ms: int) -> dict[str, int]:
    """How many alerts each table has raised in the last ten minutes. `history`: newest first."""
    found: dict[str, int] = {}
    for each in history:
        if now_ms - each.at_ms > FLOOD_MS:
            break
        if each.what == "raised":
            found[each.table] = found.get(each.table, 0) + 1
    return found


def groups(alerts: Iterable[RoomAlert]) -> tuple[Group, ...]:
    """Alerts by table and cause; two at least make one. Priority 1 never stands inside."""
    by: dict[tuple[str, str], list[RoomAlert]] = {}
    for alert in alerts:
        if alert.closed_ms is None and alert.shelf is None:
            by.setdefault((alert.table, alert.code), []).append(alert)
    found = []
    for (table, cause), those in by.items():
        inside = tuple(each.key for each in those if each.priority > 1)
        if len(inside) > 1:
            found.append(
                Group(
                    table=table,
                    cause=cause,
                    title=those[-1].title,
                    count=len(those),
                    worst=min(each.priority for each in those),
                    since_ms=min(each.at for each in those),
                    keys=inside,
                )
            )
    return tuple(sorted(found, key=lambda each: (each.worst, each.since_ms, each.table)))


def people(
    record: FloorRecord, late: Mapping[str, int], limits: Limits
) -> tuple[PersonOnDuty, ...]:
    """Everyone on duty, by name; `late` are the alerts of the last ten minutes by table."""
    found = []
    for name in sorted(record.duty):
        each = record.duty[name]
        tables = tuple(
            dict.fromkeys(
                table for section in each.sections for table in record.sections.get(section, ())
            )
        )
        everything = not each.sections
        raised = sum(n for table, n in late.items() if everything or table in tables)
        found.append(
            PersonOnDuty(
                name=name,
                since_ms=each.since_ms,
                director=each.director,
                sections=each.sections,
                tables=tables,
                everything=everything,
                open=sum(
                    one.owner == name and one.closed_ms is None for one in record.alerts.values()
                ),
                raised=raised,
                flood=raised >= limits.flood,
            )
        )
    return tuple(found)
