"""The blinds screen as words and numbers: what the wall shows, without how it looks."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from controller.events import Blinds
from controller.messages import RoomClock
from controller.room.tables import OpenAlert
from controller.room.view import RoomView

SHOWN_ALERTS = 2

Mood = Literal["level", "paused", "break", "ended"]


class AlertLine(Struct, frozen=True):
    """One open finding in words; `stale`: its table can't be heard at the moment."""

    table: str
    what: str
    priority: int
    stale: bool


class Wall(Struct, frozen=True):
    """One message to the wall. Times are the room's, in milliseconds.

    Either `deadline_ms` or `remaining_ms` is given. `to_break_ms` counts from the end of
    what runs now. `alerts` are the first of the `alert_count` that are open.
    """

    now_ms: int
    mood: Mood
    on_break: bool
    heading: str
    blinds: str
    ante: str
    next_label: str
    next: str
    next_ante: str
    deadline_ms: int | None
    remaining_ms: int | None
    duration_ms: int
    to_break_ms: int | None
    alert_count: int
    alerts: tuple[AlertLine, ...]
    heard: bool
    banner: str


def wall(room: RoomView) -> Wall:
    """What the wall shows of a room."""
    clock = room.clock
    alerts = [each for each in room.alerts if not each.dismissed]
    shown = clock.next_blinds if clock.on_break else clock.blinds
    return Wall(
        now_ms=room.now_ms,
        mood=_mood(clock),
        on_break=clock.on_break,
        heading="Break" if clock.on_break else f"Level {clock.level}",
        blinds=_blinds(shown),
        ante=_ante(shown),
        next_label=_next_label(clock),
        next=_next(clock),
        next_ante="" if clock.on_break or clock.next_is_break else _ante(clock.next_blinds),
        deadline_ms=clock.deadline_ms,
        remaining_ms=clock.remaining_ms,
        duration_ms=clock.duration_ms,
        to_break_ms=None if clock.on_break or clock.next_is_break else clock.to_break_ms,
        alert_count=len(alerts),
        alerts=tuple(_line(each) for each in alerts[:SHOWN_ALERTS]),
        heard=room.heard,
        banner=room.banner,
    )


def chips(amount: int) -> str:
    """An amount as it is read aloud: 12,500 and 1.5M."""
    if amount >= 1_000_000 and amount % 10_000 == 0:
        return f"{amount / 1_000_000:.2f}".rstrip("0").rstrip(".") + "M"
    return f"{amount:,}"


def _mood(clock: RoomClock) -> Mood:
    if clock.ended:
        return "ended"
    if clock.deadline_ms is None:
        return "paused"
    return "break" if clock.on_break else "level"


def _blinds(blinds: Blinds | None) -> str:
    return f"{chips(blinds.small)} / {chips(blinds.big)}" if blinds else ""


def _ante(blinds: Blinds | None) -> str:
    return chips(blinds.ante) if blinds and blinds.ante else ""


def _next_label(clock: RoomClock) -> str:
    if clock.on_break:
        return "Then" if clock.next_blinds else ""
    return "Next" if clock.next_blinds or clock.next_is_break else "Last level"


def _next(clock: RoomClock) -> str:
    if clock.on_break:
        return f"Level {clock.level + 1}" if clock.next_blinds else ""
    if clock.next_is_break:
        return "Break"
    return _blinds(clock.next_blinds)


def _line(alert: OpenAlert) -> AlertLine:
    return AlertLine(f"Table {alert.table}", alert.title, alert.priority, alert.stale)
