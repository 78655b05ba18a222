"""What passes by itself, in words: a turn, a called clock, the level, a room that is silent.

Times are the table's, `t` its time now. All go by whole seconds of it, so they change together.
"""

from __future__ import annotations

from math import floor

from msgspec import Struct

from controller.contract.view import TableView
from display.dealer.connection import duration
from display.dealer.texts import Texts
from display.dealer.theme import StyleName

LAST = 10
"""So many seconds before its end a called clock is marked."""


def spent(since: float, t: float) -> str:
    """Return for how long something has been so."""
    return duration(max(0, floor(t) - floor(since)))


def remaining(until: float, t: float) -> int:
    """Return the seconds that are left, none less than 0."""
    return max(0, round(until) - floor(t))


def turn(view: TableView, t: float) -> str:
    """Return how long the seat has taken that is to act, or what its clock has left."""
    if view.clock is not None and view.clock.seat == view.to_act:
        return duration(remaining(view.clock.until, t))
    return "" if view.turn_since is None else spent(view.turn_since, t)


class Clock(Struct, frozen=True):
    """A called clock in words: whose, what it has left, and both in one `line`."""

    whose: str
    left: str
    line: str
    style: StyleName


def clock(view: TableView, t: float, texts: Texts) -> Clock | None:
    """Return the clock that runs; None while there is none."""
    if view.clock is None:
        return None
    seat, left = view.clock.seat, remaining(view.clock.until, t)
    if left <= LAST:
        line = texts("clock-end", seat=seat, left=left)
        return Clock(texts("clock-last", seat=seat), duration(left), line, "lost")
    whose = texts("clock-on", seat=seat)
    return Clock(whose, duration(left), f"{whose} · {duration(left)}", "clock")


def level(view: TableView, t: float, texts: Texts) -> tuple[str, str]:
    """Return the level with its time left, and the same in short; of a break, which needs no
    number, only the time. Empty where the room has told of none."""
    told = view.level
    if told is None:
        return "", ""
    parts = [] if told.on_break else [texts("level", level=told.level)]
    if told.ends is not None:
        parts.append(duration(remaining(told.ends, t)))
    else:
        parts.append(texts("paused"))
        if told.left is not None:
            parts.append(duration(told.left))
    return " · ".join(parts), " ".join(parts if told.on_break else parts[1:])


def room(view: TableView | None, t: float, texts: Texts) -> str:
    """Return for how long the room has not been heard; empty while it is."""
    if view is None or view.room_lost is None:
        return ""
    return texts("no-room", since=spent(view.room_lost, t))
