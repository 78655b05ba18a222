"""What is drawn is measured: the ink of every text, in millimetres and in its place."""

from __future__ import annotations

import os
from itertools import combinations

import pytest
from msgspec.structs import replace

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from controller.contract.events import Blinds
from controller.contract.messages import ClockQuestion, DeadButton, Move, Notice, Place, TimeCall
from controller.files.settings import config_dir
from controller.library.languages import languages
from display.drawing.rect import Rect
from display.wall.drawn import fonts
from display.wall.heard import RoomAsHeard
from display.wall.layout import arrange
from display.wall.model import Picture, picture
from display.wall.placed import Arrangement, Text
from display.wall.sizes import LOUD_MM, PLAIN_MM, sizes
from tests.wall.rooms import BREAK, FINAL, LEVEL, LOUD_PARTY, PARTY, PAUSED, heard
from tests.wall.spoken import spoken, whole

SCREENS = (
    (1920, 1080, 55.0),
    (3840, 2160, 55.0),
    (1280, 720, 55.0),
    (1080, 1920, 55.0),
    (2160, 3840, 75.0),
    (1920, 1080, 75.0),
    (1366, 768, 32.0),
    (1024, 768, 20.0),
    (3440, 1440, 34.0),
    (800, 480, 7.0),
)
RICH = replace(
    LEVEL,
    level=24,
    blinds=Blinds(1_250_500, 2_501_000, 2_501_000),
    next_blinds=Blinds(2_250_500, 4_501_000, 4_501_000),
    deadline_ms=3_754_000,
)
CROWD = replace(
    PARTY,
    entries=1200,
    players_left=1024,
    average_stack=1_285_700,
    notices=(Notice(1, "The final table begins after the break, all players come to the stage"),),
)
USUAL: dict[str, tuple[RoomAsHeard, float]] = {
    "level": (heard(), 0.0),
    "last": (heard(replace(LEVEL, deadline_ms=42_000)), 0.0),
    "notice": (heard(about=LOUD_PARTY), 0.0),
    "alone": (heard(about=LOUD_PARTY, linked=False), 14.0),
    "paused": (heard(PAUSED), 0.0),
    "holding": (heard(PAUSED, state="holding"), 0.0),
    "break": (heard(BREAK), 0.0),
    "final": (heard(FINAL), 0.0),
    "over": (heard(FINAL, state="ended"), 0.0),
    "waiting": (heard(None), 9.0),
}
ASKS = ClockQuestion("power", 0, 12_754_000, 99)
EXTREME: dict[str, tuple[RoomAsHeard, float]] = {
    "question": (heard(replace(PAUSED, question=ASKS), state="question"), 0.0),
    "call": (heard(about=replace(PARTY, calls=(TimeCall("Stage", 10, 60_000),))), 1.0),
    "rich": (heard(RICH, about=CROWD), 0.0),
    "rich break": (heard(replace(RICH, on_break=True), about=CROWD), 10.0),
    "rich pause": (
        heard(
            replace(RICH, deadline_ms=None, remaining_ms=3_754_000),
            state="paused",
            why="Seat change at table 3",
            about=CROWD,
        ),
        10.0,
    ),
}
LOGO = (1500, 150)


def lay(state: str, screen: tuple[int, int, float], language: str, *, logo: bool) -> Arrangement:
    known, t = (USUAL | EXTREME)[state]
    width, height, diagonal = screen
    shown = picture(known, t, spoken(language), local_time="21:47")
    size = sizes(width, height, diagonal)
    return arrange(shown, width, height, size, fonts.measure, logo=LOGO if logo else None)


def ink(text: Text) -> Rect:
    """Where the letters really are; each figure of a clock stands in the middle of its cell."""
    picture, capitals = fonts.render(text.words, text.cap, (255, 255, 255))
    found = picture.get_bounding_rect()
    x, y = round(text.x), round(text.top) - capitals
    if text.fixed:
        return Rect(x, y + found.y, round(text.width), found.h)
    return Rect(x + found.x, y + found.y, found.w, found.h)


@pytest.mark.parametrize("screen", SCREENS, ids=str)
@pytest.mark.parametrize("state", USUAL | EXTREME)
def test_nothing_is_clipped_or_covered(state: str, screen: tuple[int, int, float]) -> None:
    width, height, _ = screen
    for number, language in enumerate(languages(config_dir())):
        placed = lay(state, screen, language, logo=number % 2 == 0)
        inks = [(text, ink(text)) for text in placed.texts]
        for text, rect in inks:
            assert rect.x >= 0, text
            assert rect.y >= 0, text
            assert rect.right <= width, text
            assert rect.bottom <= height, text
            place = text.rect.inset(-1)
            assert place.x <= rect.x, text
            assert place.right >= rect.right, text
            assert place.y <= rect.y, text
            assert place.bottom >= rect.bottom, text
            assert not rect.inset(1).overlaps(placed.logo), text
        for (one, its), (other, others) in combinations(inks, 2):
            assert not its.inset(1).overlaps(others.inset(1)), (one, other)


@pytest.mark.parametrize("screen", SCREENS[:6], ids=str)
@pytest.mark.parametrize("state", USUAL)
def test_it_can_be_read_from_ten_metres(state: str, screen: tuple[int, int, float]) -> None:
    width, height, diagonal = screen
    per_mm = sizes(width, height, diagonal).px_per_mm
    for language in languages(config_dir()):
        for text in lay(state, screen, language, logo=False).texts:
            capital = fonts.render("H", text.cap, (0, 0, 0))[0].get_bounding_rect().h
            least = LOUD_MM if text.id in ("clock", "blinds", "ante", "word") else PLAIN_MM
            assert capital / per_mm >= least - 1 / per_mm, text


def test_a_larger_screen_has_more_room_for_the_clock_not_larger_small_print() -> None:
    near, far = (lay("level", (1920, 1080, inch), "en", logo=False) for inch in (55.0, 85.0))
    one, other = ({text.id: text.cap for text in each.texts} for each in (near, far))
    assert other["players"] < one["players"]
    assert other["clock"] > one["clock"]


def test_a_screen_that_is_too_small_says_from_where_it_can_be_read() -> None:
    assert sizes(1920, 1080, 55).metres >= 10
    small = sizes(1920, 1080, 27)
    assert small.metres == pytest.approx(10 * small.plain / small.px_per_mm / PLAIN_MM)
    assert 4 < small.metres < 6
    assert sizes(1920, 1080, 27, 4.0).metres >= 4


def test_a_long_notice_is_read_page_by_page() -> None:
    known, _ = EXTREME["rich"]
    shown = picture(known, 0.0, spoken("en"))
    size = sizes(1920, 1080, 55)
    read = []
    for t in (0.0, 7.0, 14.0):
        placed = arrange(shown, 1920, 1080, size, fonts.measure, t=t)
        read.append(next(text.words for text in placed.texts if text.id == "notice"))
    assert " ".join(read[:2]) == shown.notices[0].text
    assert read[2] == read[0]


@pytest.mark.parametrize("language", languages(config_dir()))
def test_what_the_room_says_itself_is_read_at_once(language: str) -> None:
    about = replace(
        PARTY,
        moves=(Move(1, "Anna", Place("3", 10), Place("12", 5), 60_000),),
        calls=(TimeCall("12", 10, 47_000),),
        dead_buttons=(DeadButton("12", 10),),
        race_off=(100, 500),
    )
    known = heard(replace(BREAK, question=ASKS), state="question", about=about)
    lines = picture(known, 0.0, spoken(language)).notices
    assert len(lines) == 5
    size = sizes(1920, 1080, 55)
    for line in lines:
        placed = arrange(Picture("level", notices=(line,)), 1920, 1080, size, fonts.measure)
        (shown,) = [each.words for each in placed.texts if each.id == "notice"]
        assert shown.split() == whole(line).split()


def test_paused_is_another_layout() -> None:
    running = lay("level", SCREENS[0], "en", logo=False)
    paused = lay("paused", SCREENS[0], "en", logo=False)
    assert {fill.id for fill in paused.fills} - {fill.id for fill in running.fills} == {"word"}
    boxes = [next(text for text in each.texts if text.id == "clock") for each in (running, paused)]
    assert boxes[0].x + boxes[0].width / 2 == pytest.approx(960)
    assert boxes[1].x > 960


def test_letters_that_the_narrow_font_lacks_are_there_all_the_same() -> None:
    picture, _ = fonts.render("♠ Шах", 100, (255, 255, 255))
    wide = fonts.measure("Äé–€ñ♠", 100) - fonts.measure("♠", 100)
    assert fonts.measure("Äé–€ñ", 100) < 0.8 * wide
    spade, heart = (fonts.render(sign, 100, (9, 9, 9))[0] for sign in "♠♥")
    assert pygame.image.tobytes(spade, "RGBA") != pygame.image.tobytes(heart, "RGBA")
    assert fonts.measure("♠ Шах", 100) == pytest.approx(picture.get_width(), rel=0.03)
