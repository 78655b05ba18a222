"""Whom an alert calls, and how that widens while nothing happens: pure.

Nobody takes it: level 1 calls everyone on duty, level 2 the directors too. The same befalls one
whose owner went off duty, and one that was taken and not ruled.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from controller.room.alerts import FloorRecord, Happened, OnDuty, RoomAlert, Why
from controller.room.life import Noted, line, with_alert
from controller.room.shift import Limits

HIGHEST = 2
_S = 1_000


class Escalation(Struct, frozen=True):
    """How far an alert has escalated, why, and when it does next."""

    level: int
    why: Why
    next_ms: int | None


def escalation(alert: RoomAlert, now_ms: int, limits: Limits) -> Escalation:
    """Where it stands at this moment."""
    since = _since(alert, limits)
    if since is None:
        return Escalation(0, "", None)
    why, from_ms, step_ms = since
    level = min(HIGHEST, max(0, now_ms - from_ms) // step_ms)
    next_ms = from_ms + (level + 1) * step_ms if level < HIGHEST else None
    return Escalation(level, why if level else "", next_ms)


def _since(alert: RoomAlert, limits: Limits) -> tuple[Why, int, int] | None:
    """Why it would escalate, from when on, and how long a level takes; None where it does not."""
    is_grave = alert.priority == 1 and alert.dismissed is None
    calm = alert.priority > 2 or alert.kind == "test" or alert.shelf is not None
    if calm or alert.closed_ms is not None or alert.made is not None:
        return None
    to_take_ms = (limits.take_1_s if is_grave else limits.take_2_s) * _S
    if not alert.owner:
        return "not-taken", alert.at if alert.alone_ms is None else alert.alone_ms, to_take_ms
    if alert.alone_ms is not None:
        return "owner-away", alert.alone_ms, to_take_ms
    if alert.kind not in ("finding", "call") or alert.taken_ms is None:
        return None
    return "not-ruled", alert.taken_ms, limits.rule_s * _S


def escalate(record: FloorRecord, now_ms: int, limits: Limits) -> Noted:
    """Note each level that is reached, once."""
    told: tuple[Happened, ...] = ()
    for alert in record.alerts.values():
        now = escalation(alert, now_ms, limits)
        if (now.level, now.why) != (alert.level, alert.why):
            if now.level > alert.level:
                words = f"{now.level} {now.why}"
                told += (line(alert, "escalated", now_ms, words=words, to=alert.owner),)
            record = with_alert(record, replace(alert, level=now.level, why=now.why))
    return record, told


def in_sections(
    table: str, duty: Mapping[str, OnDuty], sections: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """Who on duty has the table in a section of theirs, or has them all."""
    return tuple(
        name
        for name, each in duty.items()
        if (not each.sections and not each.director)
        or any(table in sections.get(section, ()) for section in each.sections)
    )


def calls(
    alert: RoomAlert, duty: Mapping[str, OnDuty], sections: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """Whom it calls now, by name; nobody named is everybody."""
    if alert.level == 0 and alert.owner and alert.alone_ms is None:
        return (alert.owner,)
    if alert.level == 0 and (near := in_sections(alert.table, duty, sections)):
        return near
    everyone = tuple(name for name, each in duty.items() if alert.level > 1 or not each.director)
    return everyone or tuple(duty)
