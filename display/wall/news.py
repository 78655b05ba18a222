"""What is new in the room, in lines for everyone: what hurries most comes first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from controller.messages import DeadButton, Finish, Move, Place, RoomClock, TimeCall
from controller.room.calls import is_shown
from display.wall.heard import Heard
from display.wall.times import time_text
from display.wall.words import Words

FRESH_MS = 3 * 60_000
"""So long it is said who went out; who has won stays."""


def lines(heard: Heard, t: float, words: Words) -> tuple[str, ...]:
    """All that is to be read below the clock at `t`."""
    now_ms, clock, about = heard.now_ms(t), heard.clock, heard.tournament
    return (
        *_asked(clock, words),
        *_called(heard, now_ms, words),
        *([clock.why] if clock is not None and clock.why else ()),
        *(moved(move, words) for move in about.moves if _holds(move.until_ms, now_ms)),
        *(notice.text for notice in about.notices if _holds(notice.until_ms, now_ms)),
        *(
            line
            for at_ms, line in finished(about.finishes, words)
            if at_ms is None or _holds(at_ms + FRESH_MS, now_ms)
        ),
        *([] if clock is None else raced_off(clock, about.race_off, words)),
        *(button_dead(dead, words) for dead in about.dead_buttons),
        *_prizes(about.prizes),
    )


def _holds(until_ms: int | None, now_ms: float | None) -> bool:
    return until_ms is None or now_ms is None or now_ms < until_ms


def _asked(clock: RoomClock | None, words: Words) -> tuple[str, ...]:
    question = clock.question if clock is not None else None
    if question is None:
        return ()
    return (words("asks", away=time_text(max(0, question.back_ms - question.stopped_ms))),)


def _called(heard: Heard, now_ms: float | None, words: Words) -> tuple[str, ...]:
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


def button_dead(button: DeadButton, words: Words) -> str:
    """Where nobody has the button."""
    return words("dead-button", table=button.table, seat=button.seat)


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


def raced_off(clock: RoomClock, chips: tuple[int, ...], words: Words) -> tuple[str, ...]:
    """The chips that are taken in, on the break itself and while it is what comes next."""
    if clock.ended or not chips:
        return ()
    if clock.on_break and not clock.called:
        key = "race-off"
    elif clock.next_is_break:
        key = "race-off-next"
    else:
        return ()
    return (words(key, chips=", ".join(map(words.chips, chips))),)


def _prizes(prizes: tuple[str, ...]) -> tuple[str, ...]:
    if not prizes:
        return ()
    return (" · ".join(f"{place}. {prize}" for place, prize in enumerate(prizes, 1)),)
