"""What the blinds screen says of a room."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from controller.contract.clock_why import ONE_LEFT
from controller.contract.events import Blinds
from controller.contract.messages import (
    ClockQuestion,
    DeadButton,
    Finish,
    Move,
    Notice,
    Place,
    RoomClock,
    RoomTournament,
    TimeCall,
    WallAlert,
)
from controller.files.settings import config_dir
from controller.room.alerts import RoomAlert
from controller.room.shift import Shift
from controller.room.tables import OpenAlert
from controller.room.view import CatchUp, RoomView, ShownState
from display.wall.said import Said
from display.wall.words import load
from display.web.announcements import Line
from display.web.screen import ScreenMessage, screen
from tests.wall.spoken import whole

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
STANDS = replace(LEVEL, deadline_ms=None, remaining_ms=9_000)
BREAK = replace(LEVEL, on_break=True)
WORDS = load("en", config_dir())


def shown(clock: RoomClock = LEVEL, state: ShownState = "running", **rest: object) -> ScreenMessage:
    room = RoomView("hall", "Standard", 1_000, clock, (), (), heard=True, banner="", state=state)
    return screen(replace(room, **rest), WORDS)


def test_a_level_in_words() -> None:
    told = shown()
    assert (told.state, told.word, told.heading) == ("running", "", "Level 4")
    assert (told.blinds, told.ante) == ("100 / 200", "200")
    assert (told.next_label, told.next, told.next_ante) == ("Next", "1,500 / 3,000", "3,000")
    assert (told.now_ms, told.deadline_ms, told.to_break_ms) == (1_000, 5_000, 60_000)


def test_no_ante_is_no_word() -> None:
    assert shown(replace(LEVEL, blinds=Blinds(25, 50))).ante == ""


@pytest.mark.parametrize(
    ("state", "word"),
    [
        ("ready", "READY"),
        ("break", "BREAK"),
        ("holding", "LAST HAND"),
        ("paused", "PAUSED"),
        ("question", "STOPPED"),
        ("last-level", "LAST LEVEL"),
        ("ended", "GAME OVER"),
        ("last-minute", ""),
    ],
)
def test_every_state_that_is_not_play_is_a_word(state: ShownState, word: str) -> None:
    assert shown(STANDS, state).word == word


def test_before_and_during_a_break() -> None:
    before = shown(replace(LEVEL, next_is_break=True, to_break_ms=0))
    assert (before.next, before.next_ante, before.to_break_ms) == ("Break", "", 0)
    during = shown(BREAK, "break")
    assert (during.heading, during.blinds, during.ante) == (
        "Then Level 5",
        "1,500 / 3,000",
        "3,000",
    )
    assert (during.next_label, during.to_break_ms) == ("", None)
    assert during.entry != shown(replace(LEVEL, called=True)).entry


def test_after_a_called_break_the_level_goes_on() -> None:
    told = shown(replace(BREAK, called=True, level_left_ms=304_001), "break")
    assert told.heading == "Then Level 4"
    assert told.said == ("Level resumes with 05:05",)


def test_chips_leave_play_on_a_break() -> None:
    told = "race off the 25, 1,000 chips"
    assert shown(BREAK, "break", race_off=(25, 1000)).race_off == f"This break: {told}"
    assert shown(replace(BREAK, called=True), "break", race_off=(25, 1000)).race_off == ""
    assert shown(LEVEL, race_off=(25, 1000)).race_off == ""
    coming = replace(LEVEL, next_is_break=True)
    assert shown(coming, race_off=(25, 1000)).race_off == f"Next break: {told}"


def test_what_is_new_is_announced() -> None:
    told = shown(
        calls=(TimeCall("3", 5, 61_000),),
        moves=(Move(1, "Anna", Place("3"), Place("1", 2), 9_000),),
        dead_buttons=(DeadButton("2", 4),),
        tournament=RoomTournament(
            finishes=(
                Finish(3, 1, "Eva", at_ms=900),
                Finish(2, 2, "Bob", at_ms=900, prize="300"),
                Finish(1, 9, "Old", at_ms=-200_000),
            )
        ),
    )
    assert told.announcements == (
        Line("Clock on table 3, seat 5:", deadline_ms=61_000),
        Line("Anna: from table 3 to table 1, seat 2", until_ms=9_000),
        Line("Winner · Eva"),
        Line("Place 2 · Bob · 300", until_ms=180_900),
        Line("Table 2: dead button at seat 4"),
    )


def test_a_question_tells_what_both_answers_give() -> None:
    asks = replace(STANDS, question=ClockQuestion("restart", 0, 1, 2))
    told = shown(asks, "question", catch_up=CatchUp(4, 5, on_break=False, left_ms=61_000))
    assert told.said == (
        "The clock desk has to answer:",
        "resume with {left}",
        "or catch up: Level 5, {catch_up}",
    )
    assert told.catch_up_ms == 61_000


def test_why_it_is_paused_and_who_still_plays() -> None:
    assert shown(replace(STANDS, why="Fire alarm"), "paused").said == ("Fire alarm",)
    assert shown(STANDS, "paused").said == ()
    holds = replace(STANDS, on_break=True)
    assert shown(holds, "holding", playing=("3",)).said == ("Still playing: table 3",)
    assert shown(holds, "holding", playing=("3", "7")).said == ("Still playing: tables 3, 7",)
    many = shown(holds, "holding", playing=tuple(f"{n}" for n in range(1, 41)))
    assert many.said == ("Still playing: tables 1, 2, 3, 4, 5, 6 and 34 more",)


def test_the_end_is_said_in_the_rooms_language() -> None:
    over = replace(STANDS, ended=True, why=ONE_LEFT, remaining_ms=0)
    told = shown(over, "ended")
    assert (told.said, told.blinds, told.counts, told.next_label) == (
        ("One player left",),
        "",
        False,
        "",
    )
    room = RoomView("hall", "x", 0, over, (), (), heard=True, banner="", state="ended")
    assert screen(room, load("de", config_dir())).said == ("Noch ein Spieler",)


def test_the_last_level_has_no_end() -> None:
    last = replace(LEVEL, next_blinds=None, to_break_ms=None)
    assert (shown(last).next_label, shown(last).next) == ("Last level", "")
    told = shown(replace(last, ended=True, deadline_ms=None, remaining_ms=0), "last-level")
    assert (told.counts, told.said, told.blinds) == (False, ("This level has no end",), "100 / 200")


@pytest.mark.parametrize(
    ("average", "said"), [(26_666, "26,666 · 133 BB"), (1_900, "1,900 · 9.5 BB"), (None, "")]
)
def test_the_average_is_told_in_big_blinds_too(average: int | None, said: str) -> None:
    assert shown(tournament=RoomTournament(average_stack=average)).average == said


def test_what_is_known_of_the_tournament() -> None:
    about = RoomTournament(
        name="Friday",
        entries=120,
        players_left=45,
        prizes=("500", "300"),
        notices=(Notice(1, "Dinner", 9), Notice(2, "Bar")),
    )
    told = shown(tournament=about)
    assert (told.name, told.players) == ("Friday", "45 / 120")
    assert told.prizes == (Said("Prizes: {}", ("1. 500", "2. 300"), " · "),)
    assert told.notices == (Line("Dinner", until_ms=9), Line("Bar"))
    assert shown(tournament=replace(about, entries=None)).players == "45"


def test_tables_with_the_old_level_are_told_quietly() -> None:
    (said,) = shown(old_level=("3", "7")).old_level
    assert whole(said) == "Old blinds: tables 3, 7"
    (said,) = shown(old_level=("3",)).old_level
    assert whole(said) == "Still the old blinds: table 3"
    assert shown().old_level == ()


def test_alerts_are_told_as_far_as_the_house_tells_them() -> None:
    alerts = (
        WallAlert("call", ("T1", "T3"), 2),
        WallAlert("finding", ("T1",), 1, "Four-card flop"),
    )
    told = shown(tournament=RoomTournament(alerts=alerts))
    assert [whole(each) for each in told.alerts] == [
        "Floor to tables T1, T3",
        "Four-card flop: table T1",
    ]


def test_what_the_room_knows_of_alerts_itself_is_not_told() -> None:
    alert = OpenAlert("T1", "1", "Four-card flop", 1, 5, stale=False)
    about = RoomAlert(key="T1/1", table="T1", kind="finding", at=5, priority=1, title=alert.title)
    told = shown(alerts=(alert,), shift=Shift(alerts=(about,)))
    assert b"flop" not in msgspec.json.encode(told)


def test_many_dead_buttons_are_one_line() -> None:
    told = shown(dead_buttons=tuple(DeadButton(f"{n}", 4) for n in range(1, 21)))
    (line,) = told.announcements
    assert line.text == "Dead buttons: {}"
    assert line.parts[:2] == ("table 1, seat 4", "table 2, seat 4")
    assert line.count == 20
