"""What is new in the room, on the wall's line."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from controller.contract.messages import (
    ClockQuestion,
    DeadButton,
    Finish,
    Move,
    Notice,
    Place,
    Racing,
    RoomTournament,
    TimeCall,
)
from controller.files.settings import config_dir
from controller.library.languages import languages
from display.wall.heard import RoomAsHeard
from display.wall.model import picture
from display.wall.said import Said
from tests.wall.rooms import BREAK, FINAL, LEVEL, MINUTE, PARTY, PAUSED, heard, hears, tournament
from tests.wall.spoken import spoken, whole

EN = spoken("en")
MOVE = Move(1, "Anna", Place("3", 2), Place("1", 5), 5 * MINUTE)
CALLED = replace(PARTY, calls=(TimeCall("3", 5, 47_000, "Dora"),))
RACE = replace(PARTY, race_off=(25, 1_000))
BOB = Finish(2, 9, "Bob", at_ms=0, prize="80 €")


def news(known: RoomAsHeard, t: float = 0.0, language: str = "en") -> list[str]:
    return [whole(said) for said in picture(known, t, spoken(language)).notices]


def test_a_move_is_said_until_its_time_is_over() -> None:
    known = heard(about=replace(PARTY, moves=(MOVE,)))
    assert news(known) == ["Anna: from table 3 to table 1, seat 5"]
    assert news(known, 299.9) != []
    assert news(known, 300.0) == []
    anywhere = replace(MOVE, from_=Place("3"), to=Place("Stage"))
    assert news(heard(about=replace(PARTY, moves=(anywhere,)))) == [
        "Anna: from table 3 to table Stage"
    ]


def test_a_clock_on_a_player_counts_down_and_stays_for_five_seconds() -> None:
    known = heard(about=CALLED)
    assert news(known) == ["Clock on table 3, seat 5: 00:47"]
    assert news(known, 1.5) == ["Clock on table 3, seat 5: 00:46"]
    assert news(known, 51.9) == ["Clock on table 3, seat 5: 00:00"]
    assert news(known, 52.0) == []
    assert news(replace(known, offsets=())) == []


def test_a_dead_button_is_said_with_its_table() -> None:
    known = heard(about=replace(PARTY, dead_buttons=(DeadButton("3", 4),)))
    assert news(known) == ["Table 3: dead button at seat 4"]


def test_chips_that_go_at_once_are_announced_in_the_level() -> None:
    """UK-23B: discretionary colour-ups are announced."""
    racing = (Racing(25, 100, ("T1",), on_break=False),)
    about = replace(PARTY, race_off=(100,), racing=racing)
    assert news(heard(LEVEL, about=about)) == ["Now: race off the 25 chips"]


def test_chips_are_taken_in_on_a_break_and_that_is_said_in_the_level_before_it() -> None:
    before = replace(LEVEL, next_is_break=True, to_break_ms=0)
    assert news(heard(before, about=RACE)) == ["Next break: race off the 25, 1,000 chips"]
    assert news(heard(BREAK, about=RACE)) == ["This break: race off the 25, 1,000 chips"]
    assert news(heard(LEVEL, about=RACE)) == []
    assert news(heard(BREAK, called=True, about=RACE)) == []
    assert news(heard(replace(before, ended=True), about=RACE)) == []


def test_who_went_out_is_said_for_three_minutes() -> None:
    nobody = Finish(1, 10, at_ms=0)
    known = heard(about=replace(PARTY, finishes=(BOB, nobody)))
    assert news(known, 179.9) == ["Place 9 · Bob · 80 €"]
    assert news(known, 180.0) == []


def test_who_shares_a_place_stands_on_one_line() -> None:
    both = tuple(
        Finish(number, 9, name, at_ms=0, shared=2, prize="80 € + 70 €")
        for number, name in ((1, "Bob"), (2, "Cy"))
    )
    known = heard(about=replace(PARTY, finishes=both))
    assert news(known) == ["Places 9 to 10 · Bob, Cy · 80 € + 70 €"]


def test_the_winner_stays() -> None:
    won = (Finish(9, 1, "Dora", at_ms=0, prize="500 €"), Finish(8, 2, "Bob", at_ms=0))
    known = heard(FINAL, state="ended", about=replace(PARTY, finishes=won))
    assert news(known, 900.0) == ["Winner · Dora · 500 €"]


def test_the_question_after_a_restart_is_put_to_the_room() -> None:
    question = ClockQuestion("power", 1_000, 1_000 + 754_000, 99)
    known = heard(replace(PAUSED, question=question), state="question")
    shown = picture(known, 0.0, EN)
    assert shown.word == "STOPPED"
    assert shown.notices == (Said("Down for 12:34: resume, or catch up?"),)


def everything() -> RoomAsHeard:
    about = replace(
        PARTY,
        moves=(MOVE,),
        calls=CALLED.calls,
        dead_buttons=(DeadButton("3", 4),),
        race_off=(25,),
        finishes=(Finish(3, 1, "Eve", at_ms=0), replace(BOB, shared=2), replace(BOB, place=12)),
        notices=(Notice(1, "Dinner"),),
        prizes=("500 €",),
    )
    question = ClockQuestion("power", 0, 754_000, 99)
    return heard(replace(BREAK, question=question), state="question", why="drill", about=about)


def test_what_hurries_most_comes_first() -> None:
    said = news(everything())
    assert [line.split()[0] for line in said] == [
        "Down",
        "Clock",
        "drill",
        "Anna:",
        "Dinner",
        "Winner",
        "Places",
        "Place",
        "This",
        "Table",
        "Prizes:",
    ]


@pytest.mark.parametrize("language", languages(config_dir()))
def test_every_language_says_all_of_it(language: str) -> None:
    english, said = news(everything()), news(everything(), language=language)
    assert len(said) == len(english)
    same = {line for line in said if line in english}
    others = {"drill", "Dinner"}
    assert same == (set(english) if language == "en" else others)


def test_it_is_taken_where_it_is_said_on_the_wire() -> None:
    about = replace(CALLED, moves=(MOVE,), finishes=(BOB,), race_off=(25,))
    told = msgspec.json.decode(msgspec.json.encode(about))
    assert told["moves"][0]["from"] == {"table": "3", "seat": 2}
    assert hears(heard(), 1.0, tournament(**told)).tournament == about
    before = RoomTournament(players_left=9)  # as a room says it that knows nothing of this
    assert hears(heard(), 1.0, tournament(players_left=9)).tournament == before
