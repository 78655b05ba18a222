from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.events import Blinds
from controller.messages import RoomClock
from controller.room.tables import OpenAlert
from controller.room.view import RoomView
from display.web.wall import SHOWN_ALERTS, chips, wall

LEVEL = RoomClock(
    index=3,
    level=4,
    on_break=False,
    blinds=Blinds(100, 200, 200),
    next_blinds=Blinds(1500, 3000, 3000),
    next_is_break=False,
    duration_ms=1_200_000,
    deadline_ms=5_000,
    to_break_ms=60_000,
)


def room(clock: RoomClock, alerts: tuple[OpenAlert, ...] = ()) -> RoomView:
    return RoomView("hall", "Standard", 1_000, clock, (), alerts, heard=True, banner="")


def test_a_level_in_words() -> None:
    shown = wall(room(LEVEL))
    assert (shown.mood, shown.heading) == ("level", "Level 4")
    assert (shown.blinds, shown.ante) == ("100 / 200", "200")
    assert (shown.next_label, shown.next, shown.next_ante) == ("Next", "1,500 / 3,000", "3,000")
    assert (shown.now_ms, shown.deadline_ms, shown.to_break_ms) == (1_000, 5_000, 60_000)


def test_no_ante_is_no_word() -> None:
    assert wall(room(replace(LEVEL, blinds=Blinds(25, 50)))).ante == ""


def test_a_pause_is_a_mood_of_its_own() -> None:
    paused = wall(room(replace(LEVEL, deadline_ms=None, remaining_ms=9)))
    assert (paused.mood, paused.remaining_ms) == ("paused", 9)


def test_before_and_during_a_break() -> None:
    before = wall(room(replace(LEVEL, next_is_break=True, to_break_ms=0)))
    assert (before.next, before.next_ante, before.to_break_ms) == ("Break", "", None)
    during = wall(room(replace(LEVEL, on_break=True)))
    assert (during.mood, during.heading, during.on_break) == ("break", "Break", True)
    assert (during.blinds, during.ante) == ("1,500 / 3,000", "3,000")
    assert (during.next_label, during.next) == ("Then", "Level 5")


def test_the_last_level_and_its_end() -> None:
    last = replace(LEVEL, next_blinds=None, to_break_ms=None)
    assert (wall(room(last)).next_label, wall(room(last)).next) == ("Last level", "")
    ended = replace(last, ended=True, deadline_ms=None, remaining_ms=0)
    assert wall(room(ended)).mood == "ended"


def test_alerts_are_table_and_what_and_a_count() -> None:
    alerts = tuple(
        OpenAlert(f"T{number}", "1", "Four-card flop", 1, 5, stale=number == 2)
        for number in range(1, 6)
    )
    alerts += (OpenAlert("T6", "1", "Four-card flop", 1, 5, stale=False, dismissed=True),)
    shown = wall(room(LEVEL, alerts))
    assert shown.alert_count == 5
    assert len(shown.alerts) == SHOWN_ALERTS
    assert (shown.alerts[0].table, shown.alerts[0].what) == ("Table T1", "Four-card flop")
    assert [each.stale for each in shown.alerts] == [False, True]


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        (25, "25"),
        (12_500, "12,500"),
        (1_000_000, "1M"),
        (1_250_000, "1.25M"),
        (1_234_567, "1,234,567"),
        (20_000_000, "20M"),
    ],
)
def test_chips_as_they_are_read(amount: int, said: str) -> None:
    assert chips(amount) == said
