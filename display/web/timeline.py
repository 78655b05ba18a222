"""What happened in the hand of an alert, in poker's words.

It is told from the events that the table has published, which know no card that lies face down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from msgspec import Struct

from controller.contract.events import Finding, Start
from controller.contract.messages import TableEvent
from controller.files.settings import config_dir
from controller.library.books import open_library
from controller.library.languages import path_of
from controller.replay.account import Account
from controller.replay.words import read_words
from controller.room.shift import LastEvents
from controller.room.view import RoomView

GAP = "…"
"""Stands where events are missing."""


class Timeline(Struct, frozen=True):
    """The hand in lines of text; `missing`: not all of it was heard."""

    key: str
    hand: int
    lines: tuple[str, ...]
    missing: bool


class Timelines:
    """Tells the hands of a room's alerts, each anew only when there is more of it."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[tuple[object, ...], Timeline | None]] = {}

    def of(self, room: RoomView, key: str) -> Timeline | None:
        """The hand of the alert `key`, open or ruled; None where nothing of it is known."""
        alert = next(
            (each for each in (*room.shift.alerts, *room.shift.ruled) if each.key == key), None
        )
        heard = room.shift.heard.get(alert.table) if alert is not None else None
        if alert is None or heard is None:
            return None
        number = _hand_of(heard.events, alert.finding)
        hand = alert.hand if number is None else number
        state = (heard.last, hand, room.language)
        if key not in self._kept or self._kept[key][0] != state:
            self._kept.pop(key, None)
            for oldest in list(self._kept)[: -_MOST + 1]:
                del self._kept[oldest]
            told = None if hand is None else tell(key, hand, heard, lambda: _account(room.language))
            self._kept[key] = (state, told)
        return self._kept[key][1]


_MOST = 200


def tell(key: str, hand: int, heard: LastEvents, account: Callable[[], Account]) -> Timeline | None:
    """A hand in lines; None where none of its events are known."""
    events = [each for each in heard.events if each.event.hand == hand]
    if not events:
        return None
    teller, lines = account(), []
    begun = any(isinstance(each.event, Start) for each in events)
    gaps = 0 if begun else 1
    if not begun:
        lines.append(GAP)
    for each in events:
        if (each.session, each.seq) in heard.gaps and each is not events[0]:
            gaps += 1
            lines.append(GAP)
        lines += teller.tell_one(each.event)
    while lines and not lines[-1]:
        lines.pop()
    return Timeline(key, hand, tuple(lines), missing=gaps > 0)


def _hand_of(events: Sequence[TableEvent], finding: str) -> int | None:
    for each in reversed(events):
        if isinstance(each.event, Finding) and str(each.event.id) == finding:
            return each.event.hand
    return None


@cache
def _told_in(language: str) -> Callable[[], Account]:
    library = open_library(config_dir(), language)
    words = read_words(path_of(config_dir(), language))
    return lambda: Account(library, words)


def _account(language: str) -> Account:
    return _told_in(language)()
