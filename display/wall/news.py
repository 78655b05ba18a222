"""What is new in the room, in lines for everyone: what hurries most comes first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from controller.contract import clock_why
from controller.contract.messages import (
    DeadButton,
    Finish,
    Move,
    Place,
    Racing,
    RoomClock,
    TimeCall,
    WallAlert,
)
from controller.room.calls import is_shown
from display.wall.heard import RoomAsHeard
from display.wall.said import HERE, Said
from display.wall.times import time_text
from display.wall.words import Words

FRESH_MS = 3 * 60_000
"""So long it is said who went out; who has won stays."""
_ALERTS = {"call": "floor-to", "finding": "wrong-at", "lost": "offline"}


def lines(heard: RoomAsHeard, t: float, words: Words) -> tuple[Said, ...]:
    """All that is to be read below the clock at `t`, but the alerts."""
    now_ms, clock, about = heard.now_ms(t), heard.clock, heard.tournament
    return (
        *map(Said, _asked(clock, words)),
        *map(Said, _called(heard, now_ms, words)),
        *([Said(clock_why.said(clock.why, words))] if clock is not None and clock.why else ()),
        *map(Said, hand_for_hand(about.round, words)),
        *(Said(moved(move, words)) for move in about.moves if _holds(move.until_ms, now_ms)),
        *(Said(notice.text) for notice in about.notices if _holds(notice.until_ms, now_ms)),
        *(
            Said(line)
            for at_ms, line in finished(about.finishes, words)
            if at_ms is None or _holds(at_ms + FRESH_MS, now_ms)
        ),
        *(
            []
            if clock is None
            else map(Said, raced_off(clock, about.race_off, about.racing, words))
        ),
        *buttons_dead(about.dead_buttons, words),
        *prizes(about.prizes, words),
    )


def hand_for_hand(round_: int | None, words: Words) -> tuple[str, ...]:
    """That all tables play one hand each and wait, and the how manyth it is."""
    return () if round_ is None else (words("hand-for-hand", round=round_),)


def alerts(told: Iterable[WallAlert], words: Words) -> tuple[Said, ...]:
    """What the room tells of its alerts, each of them on one page."""
    return tuple(
        at_tables(_ALERTS[each.kind], each.tables, words, count=each.count, title=each.title)
        for each in told
    )


def at_tables(
    key: str, tables: tuple[str, ...], words: Words, *, count: int = 0, **more: object
) -> Said:
    """A line about tables, of which there are `count`, or these. `key` is that of one table; that
    of several ends with `-many`."""
    count = max(count, len(tables))
    key = key if count == 1 else f"{key}-many"
    return _listing(words(key, tables=HERE, count=count, **more), tables, count, words)


def _listing(text: str, parts: tuple[str, ...], count: int, words: Words) -> Said:
    is_counted = text.startswith(f"{count} ")
    more = f"{HERE} …" if is_counted else words("and-more", listed=HERE, count="{n}")
    return Said(text, parts, count=count, more=more)


def _holds(until_ms: int | None, now_ms: float | None) -> bool:
    return until_ms is None or now_ms is None or now_ms < until_ms


def _asked(clock: RoomClock | None, words: Words) -> tuple[str, ...]:
    question = clock.question if clock is not None else None
    if question is None:
        return ()
    return (words("asks", away=time_text(max(0, question.back_ms - question.stopped_ms))),)


def _called(heard: RoomAsHeard, now_ms: float | None, words: Words) -> tuple[str, ...]:
    if now_ms is None:
        return ()
    return tuple(
        called(call, time_text(max(0.0, call.until_ms - now_ms)), words)
        for call in heard.tournament.calls
        if is_shown(call.until_ms, now_ms)
    )


def called(call: TimeCall, left: str, words: Words) -> str:
    """A clock that was called on a player, who has so much time `left`."""
    return words("call", table=call.table, seat=call.seat, left=left)


def moved(move: Move, words: Words) -> str:
    """Who goes from where to where."""
    here = words("at-table", table=move.from_.table)
    return words("move", player=move.player, here=here, there=_at(move.to, words))


def _at(place: Place, words: Words) -> str:
    if place.seat is None:
        return words("at-table", table=place.table)
    return words("at-seat", table=place.table, seat=place.seat)


def buttons_dead(buttons: tuple[DeadButton, ...], words: Words) -> tuple[Said, ...]:
    """Where nobody has the button: one line, however many there are."""
    if len(buttons) < 2:
        return tuple(
            Said(words("dead-button", table=each.table, seat=each.seat)) for each in buttons
        )
    places = tuple(words("dead-place", table=each.table, seat=each.seat) for each in buttons)
    return (_listing(words("dead-button-many", places=HERE), places, len(places), words),)


def finished(finishes: Iterable[Finish], words: Words) -> tuple[tuple[int | None, str], ...]:
    """Who went out, and when; of the winner, who stays, no time. One line for each place, or
    places that are shared."""
    together = (tuple(group) for _, group in groupby(finishes, key=lambda each: each.place))
    return tuple(
        (None if group[0].place == 1 else max(each.at_ms for each in group), line)
        for group in together
        if (line := _finish(group, words))
    )


def _finish(group: tuple[Finish, ...], words: Words) -> str:
    first = group[0]
    names = ", ".join(each.player for each in group if each.player)
    if not names and not first.prize:
        return ""
    place = words("place", place=first.place)
    if first.place == 1:
        place = words("winner")
    elif first.shared > 1:
        place = words("places", first=first.place, last=first.place + first.shared - 1)
    return " · ".join(part for part in (place, names, first.prize) if part)


def raced_off(
    clock: RoomClock, coming: tuple[int, ...], racing: tuple[Racing, ...], words: Words
) -> tuple[str, ...]:
    """The chips that are taken in, on the break itself and while it is what comes next, or at once
    (UK-23B)."""
    now = tuple(each.goes for each in racing if not each.on_break)
    chips = now or coming
    if clock.ended or not chips:
        return ()
    if now:
        key = "race-off-now"
    elif clock.on_break and not clock.called:
        key = "race-off"
    elif clock.next_is_break:
        key = "race-off-next"
    else:
        return ()
    return (words(key, chips=", ".join(map(words.chips, chips))),)


def prizes(told: tuple[str, ...], words: Words) -> tuple[Said, ...]:
    """All the prizes."""
    if not told:
        return ()
    parts = tuple(f"{place}. {prize}" for place, prize in enumerate(told, 1))
    return (Said(words("prizes", prizes=HERE), parts, " · "),)
