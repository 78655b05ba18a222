"""The events of a room as a list: what each one's clock shows, and its tables. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from controller.room.pages import below
from controller.room.view import EventShown, RoomView
from display.wall.times import time_text


class EventLine(Struct, frozen=True):
    """One of them: `base` is what the addresses of its pages begin with; it `may_close` where it is
    not the first one and its clock stands."""

    id: str
    name: str
    base: str
    clock: str
    tables: str
    may_close: bool


def event_lines(
    room: RoomView, pages: Mapping[str, str], desk: Mapping[str, str]
) -> list[EventLine]:
    """All of them, the first one first, in the words of the pages and of the clock's desk."""
    return [
        EventLine(
            id=each.id,
            name=each.name or pages["first-event"],
            base=below(each.id),
            clock=_clock(each, desk),
            tables=", ".join(each.tables),
            may_close=bool(each.id) and each.state in ("ready", "paused", "question", "ended"),
        )
        for each in room.events
    ]


def _clock(event: EventShown, desk: Mapping[str, str]) -> str:
    state = desk[f"state-{event.state}"]
    if event.state in ("ended", "last-level"):
        return state
    level = "" if event.on_break else desk["level"].format(level=event.level)
    return " · ".join(filter(None, (state, level, time_text(event.left_ms))))
