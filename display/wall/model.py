"""What the wall shows, as words: no pixels, no colours, no pygame."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from controller.contract.events import Blinds
from controller.contract.messages import RoomClock
from display.wall import news
from display.wall.heard import RoomAsHeard
from display.wall.said import Said
from display.wall.times import time_text
from display.wall.words import Words, players

SILENT_S = 3.5
"""The room tells its time every second."""
LAST_MS = 60_000
_BAR_STEPS = 600

Mood = Literal["waiting", "level", "last", "break", "paused", "final", "over"]
"""`last`: the last minute. `paused`: no time passes. `final`: the last level has no end."""

_WORDS = {
    "ready": "ready",
    "holding": "holding",
    "question": "question",
}  # the room's word for the clock → ours


class Pair(Struct, frozen=True):
    """A value with its label."""

    label: str
    value: str


class Picture(Struct, frozen=True):
    """What is to be read; empty or None is not shown.

    `word` stands large in its own box: PAUSED. `clock` is empty where no time is to be told.
    `left` is how much of the level is left, of 1. `trouble` is said as loudly as anything.
    It has the strip below the clock to itself, which `notices` and `alerts` share.
    """

    mood: Mood
    on_break: bool = False
    heading: str = ""
    word: str = ""
    clock: str = ""
    left: float = 0.0
    blinds: str = ""
    ante: Pair | None = None
    next: Pair | None = None
    next_ante: Pair | None = None
    to_break: Pair | None = None
    players: Pair | None = None
    average: Pair | None = None
    local_time: str = ""
    notices: tuple[Said, ...] = ()
    alerts: tuple[Said, ...] = ()
    trouble: str = ""
    note: str = ""


def picture(
    heard: RoomAsHeard, t: float, words: Words, *, local_time: str = "", note: str = ""
) -> Picture:
    """What the wall shows at `t`. `local_time` is the time of day, `note` what is wrong here."""
    trouble = _trouble(heard, t, words)
    clock, left_ms = heard.clock, heard.left_ms(t)
    if clock is None:
        return Picture(
            "waiting", word=words("waiting"), trouble=trouble, local_time=local_time, note=note
        )
    mood = _mood(heard, left_ms)
    shown = clock.next_blinds if clock.on_break else clock.blinds
    about = heard.tournament
    return Picture(
        mood,
        on_break=clock.on_break,
        heading=_heading(clock, words),
        word=_word(heard, mood, words),
        clock="" if mood in ("final", "over") else _time(left_ms),
        left=_share(clock, left_ms),
        blinds="" if mood == "over" else words.blinds(shown),
        ante=None if mood == "over" else _ante(shown, words),
        next=None if mood in ("final", "over") else _next(clock, words),
        next_ante=None if mood == "over" else _next_ante(clock, words),
        to_break=None if mood in ("final", "over") else _to_break(clock, left_ms, words),
        players=_players(about.players_left, about.entries, words),
        average=(
            Pair(words("average"), words.chips(about.average_stack))
            if about.average_stack is not None
            else None
        ),
        local_time=local_time,
        notices=news.lines(heard, t, words),
        alerts=news.alerts(about.alerts, words),
        trouble=trouble,
        note=note,
    )


def _mood(heard: RoomAsHeard, left_ms: float | None) -> Mood:
    clock = heard.clock
    if clock is None:
        return "waiting"
    if clock.state == "ended":
        return "over"
    if clock.ended:
        return "final"
    if clock.deadline_ms is None:
        return "paused"
    if clock.on_break:
        return "break"
    return "last" if left_ms is not None and left_ms <= LAST_MS else "level"


def _word(heard: RoomAsHeard, mood: Mood, words: Words) -> str:
    if mood == "paused":
        state = heard.clock.state if heard.clock else ""
        return words(state if state in _WORDS else "paused")
    return words(mood) if mood in ("final", "over") else ""


def _heading(clock: RoomClock, words: Words) -> str:
    return words("break") if clock.on_break else words("level", level=clock.level)


def _time(left_ms: float | None) -> str:
    return "–:–" if left_ms is None else time_text(left_ms)


def _share(clock: RoomClock, left_ms: float | None) -> float:
    if left_ms is None or clock.duration_ms <= 0:
        return 0.0
    return round(min(1.0, left_ms / clock.duration_ms) * _BAR_STEPS) / _BAR_STEPS


def _ante(blinds: Blinds | None, words: Words) -> Pair | None:
    if blinds is None or not blinds.ante:
        return None
    return Pair(words("ante"), words.ante(blinds))


def _next(clock: RoomClock, words: Words) -> Pair | None:
    if clock.on_break:
        if clock.next_blinds is None:
            return None
        level = clock.level if clock.called else clock.level + 1
        return Pair(words("then"), words("level", level=level))
    if clock.next_is_break:
        return Pair(words("next"), words("break"))
    if clock.next_blinds is None:
        return Pair(words("last-level"), "")
    return Pair(words("next"), words.blinds(clock.next_blinds))


def _next_ante(clock: RoomClock, words: Words) -> Pair | None:
    if clock.on_break or clock.next_is_break:
        return None
    return _ante(clock.next_blinds, words)


def _to_break(clock: RoomClock, left_ms: float | None, words: Words) -> Pair | None:
    if clock.on_break or clock.next_is_break or clock.to_break_ms is None or left_ms is None:
        return None
    return Pair(words("break-in"), time_text(left_ms + clock.to_break_ms))


def _players(left: int | None, entries: int | None, words: Words) -> Pair | None:
    if left is None:
        return None
    return Pair(words("players"), players(left, entries))


def _trouble(heard: RoomAsHeard, t: float, words: Words) -> str:
    since = heard.began if heard.heard_at is None else heard.heard_at
    silence = t - since
    if not heard.gone and silence <= SILENT_S:
        return ""
    key = "unlinked" if not heard.linked else "gone" if heard.gone else "silent"
    minutes, seconds = divmod(int(silence), 60)
    said = words(key, age=f"{minutes}:{seconds:02}")
    runs = heard.clock is not None and heard.clock.deadline_ms is not None and heard.left_ms(t)
    return f"{said}, {words('runs-on')}" if runs else said
