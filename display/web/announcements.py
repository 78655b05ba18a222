"""What is new in the room, as lines for its pages; the words are those of the wall."""

from __future__ import annotations

from msgspec.structs import astuple

from controller.room.view import RoomView
from display.wall import news
from display.wall.said import Said
from display.wall.words import Words


class Line(Said, frozen=True):
    """A line for everyone. One with `deadline_ms` counts down to that time of the room and is
    over then; one with `until_ms` is over then and does not count."""

    deadline_ms: int | None = None
    until_ms: int | None = None


def announcements(room: RoomView, words: Words) -> tuple[Line, ...]:
    """What is to be read beside the desk's notices: what hurries most comes first."""
    return (
        *(
            Line(news.called(call, "", words).rstrip(), deadline_ms=call.until_ms)
            for call in room.calls
        ),
        *map(Line, news.hand_for_hand(room.tournament.round, words)),
        *(Line(news.moved(move, words), until_ms=move.until_ms) for move in room.moves),
        *(
            Line(line, until_ms=None if at_ms is None else at_ms + news.FRESH_MS)
            for at_ms, line in news.finished(room.tournament.finishes, words)
            if at_ms is None or at_ms + news.FRESH_MS > room.now_ms
        ),
        *(Line(*astuple(said)) for said in news.buttons_dead(room.dead_buttons, words)),
    )


def race_off(room: RoomView, words: Words) -> str:
    """The chips that are taken in on this break, or on the next where that comes first."""
    return "".join(news.raced_off(room.clock, room.race_off, room.tournament.racing, words))
