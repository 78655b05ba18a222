"""The blinds screen as words and numbers: what the wall shows, without how it looks. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import shorten

from msgspec import Struct

from controller.contract import clock_why
from controller.contract.events import Blinds
from controller.contract.messages import RoomClock
from controller.room.view import RoomView, ShownState
from display.wall import news
from display.wall.said import Said
from display.wall.times import time_text
from display.wall.words import Words, players
from display.web.announcements import Line, announcements, race_off
from display.web.words import page_words

SHOWN_PRIZES = 100
SHOWN_PLAYING = 6
_LABELS = (
    "ante",
    "players",
    "average",
    "break-in",
    "unlinked",
    "runs-on",
    "unheard",
    "no-sound",
    "tap-for-sound",
    "sound",
    "full-screen",
    "theme",
    "language",
)
MOST_WHY = 80
"""Letters: two lines, beside which the clock keeps its size."""
_STATE_WORDS: Mapping[ShownState, str] = {
    "ready": "ready",
    "break": "break-word",
    "holding": "holding",
    "paused": "paused",
    "question": "question",
    "last-level": "final",
    "ended": "over",
}


def labels(words: Words) -> dict[str, str]:
    """The words that the page puts beside numbers, or says of itself, by their keys."""
    room = page_words("pages", words.language)["room"]
    return {"room": room, **{key: words.entries[key] for key in _LABELS}}


class ScreenMessage(Struct, frozen=True):
    """One message to the screen. Times are the room's in milliseconds, but `wall_ms`; an empty
    text or None is not shown.

    `session`, `lineage`, `revision` and `stands_by` order messages: an older one is passed over.
    `state` is the room's, `word` the same to be read, empty while a level simply runs; `entry` is
    another for each level and break. With
    `counts` the time of either `deadline_ms` or `remaining_ms` is shown; `to_break_ms` is from
    the end of what runs to the next break. `blinds` are those of the level that is played or,
    on a break, comes, and `heading` names it.

    `said` belongs to the state and is read before all else: `{left}` in it is the time left, and
    `{catch_up}` what would be left after catching up, which runs down from `catch_up_ms`.
    `announcements` go before `notices`. `alerts` are those of which the house tells here.
    """

    now_ms: int
    session: str
    lineage: str
    revision: int
    stands_by: bool
    version: str
    language: str
    words: Mapping[str, str]
    theme: str
    diagonal_inches: float
    logo: str
    name: str
    state: ShownState
    word: str
    entry: str
    heading: str
    blinds: str
    ante: str
    next_label: str
    next: str
    next_ante: str
    counts: bool
    deadline_ms: int | None
    remaining_ms: int | None
    duration_ms: int
    to_break_ms: int | None
    said: tuple[str, ...]
    catch_up_ms: int | None
    race_off: str
    players: str
    average: str
    prizes: tuple[Said, ...]
    announcements: tuple[Line, ...]
    notices: tuple[Line, ...]
    old_level: tuple[Said, ...]
    alerts: tuple[Said, ...]
    wall_ms: int
    utc_offset_s: int
    heard: bool
    banner: str


def screen(room: RoomView, words: Words) -> ScreenMessage:
    """What the screen shows of a room."""
    clock, state, about = room.clock, room.state, room.tournament
    over = state in ("last-level", "ended")
    shown = clock.next_blinds if clock.on_break else clock.blinds
    return ScreenMessage(
        now_ms=room.now_ms,
        session=clock.session,
        lineage=clock.lineage,
        revision=clock.revision,
        stands_by=room.stands_by,
        version=room.version,
        language=words.language,
        words=labels(words),
        theme=room.screen.theme,
        diagonal_inches=room.screen.diagonal_inches,
        logo="/logo" if room.screen.logo else "",
        name=about.name,
        state=state,
        word=words(_STATE_WORDS[state]) if state in _STATE_WORDS else "",
        entry=f"{clock.index} break" if clock.on_break else f"{clock.index}",
        heading=_heading(clock, state, words),
        blinds="" if state == "ended" else words.blinds(shown),
        ante="" if state == "ended" else words.ante(shown),
        next_label="" if over or clock.on_break else _next_label(clock, words),
        next="" if over or clock.on_break else _next(clock, words),
        next_ante="" if over or clock.on_break or clock.next_is_break else _next_ante(clock, words),
        counts=not over,
        deadline_ms=clock.deadline_ms,
        remaining_ms=clock.remaining_ms,
        duration_ms=clock.duration_ms,
        to_break_ms=None if over or clock.on_break else clock.to_break_ms,
        said=_said(room, words),
        catch_up_ms=None if room.catch_up is None else room.catch_up.left_ms,
        race_off=race_off(room, words),
        players=players(about.players_left, about.entries),
        average=_average(about.average_stack, shown, words),
        prizes=news.prizes(about.prizes[:SHOWN_PRIZES], words),
        announcements=announcements(room, words),
        notices=tuple(Line(each.text, until_ms=each.until_ms) for each in about.notices),
        old_level=(
            (news.at_tables("old-level", room.old_level, words),)
            if room.old_level and not over
            else ()
        ),
        alerts=news.alerts(about.alerts, words),
        wall_ms=room.wall_ms,
        utc_offset_s=room.utc_offset_s,
        heard=room.heard,
        banner=room.banner,
    )


def _heading(clock: RoomClock, state: ShownState, words: Words) -> str:
    if state == "ended":
        return ""
    if not clock.on_break:
        return words("level", level=clock.level)
    if clock.next_blinds is None:
        return words("break")
    coming = words("level", level=clock.level if clock.called else clock.level + 1)
    return f"{words('then')} {coming}"


def _next_label(clock: RoomClock, words: Words) -> str:
    known = clock.next_blinds is not None or clock.next_is_break
    return words("next") if known else words("last-level")


def _next(clock: RoomClock, words: Words) -> str:
    return words("break") if clock.next_is_break else words.blinds(clock.next_blinds)


def _next_ante(clock: RoomClock, words: Words) -> str:
    return words.ante(clock.next_blinds)


def _said(room: RoomView, words: Words) -> tuple[str, ...]:
    clock, why = room.clock, room.clock.why
    match room.state:
        case "question":
            return _question(room, words)
        case "holding" if room.playing:
            return (_playing(room.playing, words),)
        case "last-level":
            return (words("no-end"),)
        case "paused" | "ended" if why:
            return (shorten(clock_why.said(why, words), MOST_WHY, placeholder=" …"),)
        case "break" | "paused" | "holding" if clock.called and clock.level_left_ms is not None:
            return (words("goes-on", left=time_text(clock.level_left_ms)),)
    return ()


def _question(room: RoomView, words: Words) -> tuple[str, ...]:
    lines = [words("ask"), words("ask-resume", left="{left}")]
    if room.catch_up is not None:
        then = room.catch_up
        what = words("break") if then.on_break else words("level", level=then.level)
        lines.append(words("ask-catch-up", level=what, left="{catch_up}"))
    return tuple(lines)


def _average(average: int | None, blinds: Blinds | None, words: Words) -> str:
    if average is None:
        return ""
    if blinds is None or not blinds.big:
        return words.chips(average)
    in_blinds = average / blinds.big
    count = f"{in_blinds:.0f}" if in_blinds >= 10 else f"{in_blinds:.1f}"
    count = count.replace(".", words.entries["decimal"])
    return f"{words.chips(average)} · {words('big-blinds', count=count)}"


def _playing(tables: tuple[str, ...], words: Words) -> str:
    listed, others = ", ".join(tables[:SHOWN_PLAYING]), len(tables) - SHOWN_PLAYING
    if others > 0:
        listed = words("and-more", listed=listed, count=others)
    return words("playing" if len(tables) == 1 else "playing-many", tables=listed)
