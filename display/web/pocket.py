"""The room in a player's hand: what everybody may know of the tournament, in words.

Nothing of the desk's comes here: neither who did what, nor faults, alerts or tables.
"""

from __future__ import annotations

from functools import cache
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from controller.contract import clock_why
from controller.contract.messages import Line, RoomClock
from controller.files.settings import config_dir
from controller.library.languages import languages, section
from controller.room.structure import Entry
from controller.room.view import RoomView, ShownState
from display.wall.news import moved
from display.wall.words import Words, load, players

MINUTE_MS = 60_000
SECTION = "pocket"
_WORDS: dict[ShownState, str] = {
    "ready": "ready",
    "break": "break",
    "holding": "holding",
    "paused": "paused",
    "question": "question",
    "last-level": "final",
    "ended": "over",
}
"""The states for which the wall has a word; the others are in our own section."""


class ComingLine(Struct, frozen=True):
    """A level or a break that comes, and how long it takes."""

    heading: str
    blinds: str
    ante: str
    length: str
    is_break: bool


class PocketView(Struct, frozen=True):
    """What is to be read; empty is not shown.

    Either `deadline_ms` or `remaining_ms` is given. `to_break_ms` counts from the end of what
    runs now. `blinds` are those of the next level while there is a break. `notices` are the desk's,
    after who has to move.
    """

    state: ShownState
    name: str
    word: str
    why: str
    heading: str
    on_break: bool
    blinds: str
    ante: str
    next_label: str
    next: str
    next_ante: str
    deadline_ms: int | None
    remaining_ms: int | None
    duration_ms: int
    to_break_ms: int | None
    players: str
    average: str
    prizes: tuple[str, ...]
    notices: tuple[Line, ...]
    coming: tuple[ComingLine, ...]
    banner: str


class Pocket(Struct, frozen=True):
    """One message to a phone. `now_ms` is the room's time and `wall_ms` the wall clock's.

    `told` is None where it is what was told before. The rest orders the messages.
    """

    now_ms: int
    wall_ms: int
    utc_offset_s: int
    session: str
    lineage: str
    revision: int
    stands_by: bool
    told: PocketView | None


def pocket(room: RoomView, words: Words) -> Pocket:
    """What a phone shows of a room; `words` are those of `words_of`."""
    clock = room.clock
    return Pocket(
        now_ms=room.now_ms,
        wall_ms=room.wall_ms,
        utc_offset_s=room.utc_offset_s,
        session=clock.session,
        lineage=clock.lineage,
        revision=clock.revision,
        stands_by=room.stands_by,
        told=_told(room, words),
    )


def pulse(message: Pocket) -> Pocket:
    """The same with the time alone, for phones that know the rest."""
    return replace(message, told=None)


@cache
def words_of(language: str) -> Words:
    """The wall's words and those that only a phone needs. Raises ConfigError."""
    wall = load(language, config_dir())
    own = section(config_dir(), language, SECTION)
    return replace(wall, entries={**wall.entries, **own})


@cache
def names_of_languages() -> dict[str, str]:
    """All languages by what each calls itself."""
    config = config_dir()
    return {each: section(config, each, "screen")["language"] for each in languages(config)}


def _told(room: RoomView, words: Words) -> PocketView:
    clock, about = room.clock, room.tournament
    over = room.state == "ended"
    shown = None if over else clock.next_blinds if clock.on_break else clock.blinds
    label, following = ("", "") if over else _next(clock, words)
    after = None if over or clock.on_break or clock.next_is_break else clock.next_blinds
    return PocketView(
        state=room.state,
        name=about.name,
        word=words(_WORDS.get(room.state, room.state)),
        why=clock_why.said(clock.why, words),
        heading=_heading(room, words),
        on_break=clock.on_break and not over,
        blinds=words.blinds(shown),
        ante=words.ante(shown),
        next_label=label,
        next=following,
        next_ante=words.ante(after),
        deadline_ms=clock.deadline_ms,
        remaining_ms=clock.remaining_ms,
        duration_ms=clock.duration_ms,
        to_break_ms=None if clock.on_break or clock.ended else clock.to_break_ms,
        players=players(about.players_left, about.entries),
        average="" if about.average_stack is None else words.chips(about.average_stack),
        prizes=about.prizes,
        notices=(
            *(moved(each, words) for each in room.moves),
            *(each.text for each in about.notices),
        ),
        coming=() if clock.ended else _coming(room, words),
        banner=room.banner,
    )


def _heading(room: RoomView, words: Words) -> str:
    if room.state == "ended":
        return words("over")
    return words("break") if room.clock.on_break else words("level", level=room.clock.level)


def _next(clock: RoomClock, words: Words) -> tuple[str, str]:
    if clock.on_break:
        level = clock.level if clock.called else clock.level + 1
        return (words("then"), words("level", level=level)) if clock.next_blinds else ("", "")
    if clock.next_is_break:
        return words("next"), words("break")
    if clock.next_blinds is None:
        return "", "" if clock.ended else words("last-level")
    return words("next"), words.blinds(clock.next_blinds)


def _coming(room: RoomView, words: Words) -> tuple[ComingLine, ...]:
    clock, level = room.clock, room.clock.level
    lines: list[ComingLine] = []
    if clock.called and clock.level_left_ms is not None:
        rest = Entry(clock.level_left_ms, clock.blinds)
        lines.append(_line(rest, level, words))
    for entry in room.entries[clock.index + 1 :]:
        level += entry.blinds is not None
        lines.append(_line(entry, level, words))
    return tuple(lines)


def _line(entry: Entry, level: int, words: Words) -> ComingLine:
    is_break = entry.blinds is None
    return ComingLine(
        heading=words("break") if is_break else words("level", level=level),
        blinds=words.blinds(entry.blinds),
        ante=words.ante(entry.blinds),
        length=f"{ceil(entry.duration_ms / MINUTE_MS)} min",
        is_break=is_break,
    )
