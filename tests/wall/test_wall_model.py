from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.contract.events import Blinds
from controller.contract.messages import Notice
from controller.files.settings import config_dir
from controller.library.languages import languages
from display.wall.cues import Cues
from display.wall.heard import RoomAsHeard
from display.wall.model import Mood, Pair, Picture, picture
from display.wall.times import time_text
from display.wall.words import Words
from tests.wall.rooms import BREAK, FINAL, LEVEL, MINUTE, PARTY, PAUSED, heard
from tests.wall.spoken import spoken, whole

EN = spoken("en")


def seen(known: RoomAsHeard, t: float = 0.0, words: Words = EN) -> Picture:
    return picture(known, t, words, local_time="21:47")


def test_a_level() -> None:
    shown = seen(heard())
    assert (shown.mood, shown.heading, shown.clock, shown.word) == ("level", "Level 5", "12:34", "")
    assert (shown.blinds, shown.ante) == ("150 / 300", Pair("Ante", "300"))
    assert (shown.next, shown.next_ante) == (Pair("Next", "200 / 400"), Pair("Ante", "400"))
    assert shown.to_break == Pair("Break in", "32:34")
    assert (shown.players, shown.average) == (Pair("Players", "14 / 24"), Pair("Average", "12,857"))
    assert (shown.local_time, shown.trouble, shown.notices) == ("21:47", "", ())
    assert shown.left == pytest.approx(754 / 1200, abs=0.001)


def test_the_time_is_that_of_the_deadline() -> None:
    assert seen(heard(), 2.0).clock == "12:32"
    assert seen(heard(), 2.0001).clock == "12:32"
    assert seen(heard(), 1.999).clock == "12:33"


@pytest.mark.parametrize(
    ("ms", "said"),
    [(0, "00:00"), (1, "00:01"), (59_999, "01:00"), (3_599_000, "59:59"), (3_600_000, "1:00:00")],
)
def test_times(ms: float, said: str) -> None:
    assert time_text(ms) == said


def test_a_break_shows_what_is_played_after_it() -> None:
    shown = seen(heard(BREAK))
    assert (shown.mood, shown.heading, shown.blinds) == ("break", "Break", "200 / 400")
    assert (shown.next, shown.next_ante) == (Pair("Then", "Level 6"), None)
    assert (shown.ante, shown.to_break) == (Pair("Ante", "400"), None)


def test_after_a_break_that_was_called_its_level_is_played_on() -> None:
    called = replace(BREAK, next_blinds=LEVEL.blinds)
    shown = seen(heard(called, called=True))
    assert (shown.next, shown.blinds) == (Pair("Then", "Level 5"), "150 / 300")


def test_when_it_is_over_nothing_is_to_come() -> None:
    over = replace(LEVEL, ended=True, deadline_ms=None, remaining_ms=0)
    shown = seen(heard(over, state="ended"))
    assert (shown.blinds, shown.ante, shown.next) == ("", None, None)
    assert (shown.next_ante, shown.to_break, shown.clock) == (None, None, "")


@pytest.mark.parametrize(
    ("known", "mood", "word", "clock"),
    [
        (heard(PAUSED), "paused", "PAUSED", "12:34"),
        (heard(PAUSED, state="ready"), "paused", "READY", "12:34"),
        (heard(PAUSED, state="holding"), "paused", "LAST HAND", "12:34"),
        (heard(PAUSED, state="question"), "paused", "STOPPED", "12:34"),
        (heard(replace(BREAK, deadline_ms=None, remaining_ms=9)), "paused", "PAUSED", "00:01"),
        (heard(FINAL), "final", "LAST LEVEL", ""),
        (heard(FINAL, state="last-level"), "final", "LAST LEVEL", ""),
        (heard(FINAL, state="ended"), "over", "GAME OVER", ""),
        (heard(None), "waiting", "Waiting for the room", ""),
        (heard(replace(LEVEL, deadline_ms=60_000)), "last", "", "01:00"),
        (heard(replace(LEVEL, deadline_ms=60_001)), "level", "", "01:01"),
        (replace(heard(), offsets=()), "level", "", "–:–"),
    ],
)
def test_how_the_clock_is(known: RoomAsHeard, mood: Mood, word: str, clock: str) -> None:
    shown = seen(known)
    assert (shown.mood, shown.word, shown.clock) == (mood, word, clock)


def test_the_last_level_and_a_break_are_said_before_they_come() -> None:
    assert seen(heard(replace(LEVEL, next_blinds=None))).next == Pair("Last level", "")
    before_break = seen(heard(replace(LEVEL, next_is_break=True, to_break_ms=0)))
    assert before_break.next == Pair("Next", "Break")
    assert (before_break.next_ante, before_break.to_break) == (None, None)


def test_silence_is_told_with_its_age_within_five_seconds_and_the_clock_runs_on() -> None:
    assert seen(heard(), 3.5).trouble == ""
    shown = seen(heard(), 4.0)
    assert (shown.trouble, shown.clock) == ("Room offline 0:04, clock keeps running", "12:30")
    assert seen(heard(linked=False), 75.0).trouble == "No network 1:15, clock keeps running"
    gone = replace(heard(), gone=True)
    assert seen(gone, 0.5).trouble == "Room stopped 0:00, clock keeps running"
    assert seen(heard(PAUSED), 4.0).trouble == "Room offline 0:04"
    assert seen(heard(), 754.0).trouble == "Room offline 12:34"  # the level is over
    assert seen(RoomAsHeard(10.0, linked=False), 14.0).trouble == "No network 0:04"
    assert seen(RoomAsHeard(10.0, linked=False), 12.0).trouble == ""


def test_notices_are_shown_as_long_as_they_hold() -> None:
    about = replace(
        PARTY, notices=(Notice(1, "Dinner", 5_000), Notice(2, "Hello")), prizes=("500 €", "300 €")
    )
    known = heard(PAUSED, state="paused", why="Seat change", about=about)
    prizes = "Prizes: 1. 500 € · 2. 300 €"
    said = ["Seat change", "Dinner", "Hello", prizes]
    assert [whole(each) for each in seen(known, 4.9).notices] == said
    said.remove("Dinner")
    assert [whole(each) for each in seen(known, 5.0).notices] == said


def test_large_amounts_are_said_as_they_are_read() -> None:
    rich = replace(LEVEL, blinds=Blinds(750_000, 1_500_000))
    assert seen(heard(rich)).blinds == "750,000 / 1.5M"
    assert seen(heard(rich), words=spoken("de")).blinds == "750.000 / 1,5M"


@pytest.mark.parametrize("language", languages(config_dir()))
def test_every_language_has_its_own_words(language: str) -> None:
    words = spoken(language)
    shown = seen(heard(PAUSED), 9.0, words)
    assert shown.heading.endswith(" 5")
    if language != "en":
        english = seen(heard(PAUSED), 9.0)
        assert shown.word != english.word
        assert shown.trouble != english.trouble


def test_the_sounds_of_a_level() -> None:
    cues, known = Cues(), heard(replace(LEVEL, deadline_ms=62_000))
    after = replace(known, clock=replace(LEVEL, index=5, deadline_ms=62_000 + 20 * MINUTE))
    assert [cues.look(known, t) for t in (0.0, 1.9, 2.0, 3.0)] == [None, None, "minute", None]
    for t in range(4, 62):
        assert cues.look(known, t) is None
    assert cues.look(known, 62.0) == "change"
    assert cues.look(known, 62.1) is None
    assert cues.look(after, 62.2) is None


def test_a_level_that_the_desk_changes_sounds_once() -> None:
    cues = Cues()
    assert cues.look(heard(), 0.0) is None
    assert cues.look(heard(replace(LEVEL, index=5)), 0.2) == "change"
    assert cues.look(heard(replace(LEVEL, index=5)), 0.4) is None
    assert cues.look(heard(replace(LEVEL, index=5, on_break=True)), 0.6) == "change"


def test_no_sound_for_what_was_slept_through_or_moved_while_it_stood() -> None:
    cues = Cues()
    cues.look(heard(), 0.0)
    assert cues.look(heard(replace(LEVEL, index=6)), 60.0) is None
    cues.look(heard(PAUSED), 60.1)
    assert cues.look(heard(replace(PAUSED, index=7)), 60.2) is None


def test_the_end_of_the_last_level_sounds_once() -> None:
    cues = Cues()
    last = heard(replace(LEVEL, deadline_ms=1_000))
    assert [cues.look(last, 0.5), cues.look(heard(FINAL), 1.0)] == [None, "change"]
    assert cues.look(heard(FINAL), 1.2) is None
