"""The strip below the clock of `cutcard wall`: kept for what comes and goes, and whole."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

import pytest
from msgspec.structs import replace

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from controller.contract.messages import Notice, RoomClock, RoomTournament, WallAlert
from controller.files.settings import config_dir
from controller.library.languages import languages
from display.wall import theme
from display.wall.drawn.window import Look
from display.wall.heard import RoomAsHeard
from display.wall.layout import NOTICE_S
from display.wall.model import Picture, picture
from display.wall.placed import Arrangement, Text
from tests.wall.rooms import BREAK, LEVEL, LOUD_PARTY, PARTY, PAUSED, heard, hears, tournament
from tests.wall.spoken import spoken

SIZES = [(1920, 1080), (3840, 2160), (1280, 720), (1024, 768), (1080, 1920)]
MANY = tuple(f"{n}" for n in range(1, 31))
ALERTS = (
    WallAlert("call", MANY, 40),
    WallAlert("finding", ("8",), 1, "Four-card flop"),
    WallAlert("lost", ("3", "8", "12"), 3),
)
TAILS = "ÄÉ gjpqy"


def look(language: str = "en") -> Look:
    return Look(spoken(language), theme.load("dark", config_dir()), diagonal_in=55.0)


def shown(about: RoomTournament, clock: RoomClock = LEVEL, *, trouble: str = "") -> Picture:
    known = heard(clock, about=about)
    return replace(picture(known, 0.0, spoken("en"), local_time="21:47"), trouble=trouble)


def strip(placed: Arrangement) -> list[Text]:
    return [each for each in placed.texts if each.id in ("alert", "notice", "trouble")]


def turns(about: RoomTournament, count: int, size: tuple[int, int] = SIZES[0]) -> list[str]:
    """What is in the strip, turn by turn."""
    wall = look()
    placed = (wall.place(shown(about), size, turn * NOTICE_S) for turn in range(count))
    return [" ".join(text.words for text in strip(each)) for each in placed]


def contents() -> Iterable[Picture]:
    """The strip with nothing in it, and with one, three and forty of everything."""
    for clock in (LEVEL, PAUSED, BREAK):
        for count in (0, 1, 3):
            yield shown(replace(PARTY, alerts=ALERTS[:count]), clock)
            notices = tuple(Notice(n, f"{TAILS} {n}") for n in range(count))
            yield shown(replace(PARTY, alerts=ALERTS[:count], notices=notices), clock)
        yield shown(LOUD_PARTY, clock)
        yield shown(PARTY, clock, trouble="Room silent 0:14, clock keeps running")
        yield shown(replace(LOUD_PARTY, alerts=ALERTS), clock, trouble="No network 9:59")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_clock_is_as_large_whatever_is_in_the_strip(size: tuple[int, int]) -> None:
    wall = look()
    found: dict[str, set[tuple[float, float, float]]] = {}
    for each in contents():
        for t in (0.0, NOTICE_S, 2 * NOTICE_S):
            clock = next(text for text in wall.place(each, size, t).texts if text.id == "clock")
            found.setdefault(each.mood, set()).add((clock.cap, clock.x, clock.top))
    assert {mood: len(places) for mood, places in found.items()} == {
        "level": 1,
        "paused": 1,
        "break": 1,
    }


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("id", ["alert", "notice", "trouble"])
def test_tails_and_accents_are_whole(size: tuple[int, int], id: str) -> None:
    """The letters of the strip are on the screen as they are in the font, to the last pixel."""
    about = {
        "alert": replace(PARTY, alerts=(WallAlert("finding", ("gypq",), 1, TAILS),)),
        "notice": replace(PARTY, notices=(Notice(1, TAILS),)),
    }
    picture = shown(about.get(id, PARTY), trouble=TAILS if id == "trouble" else "")
    wall, surface = look(), pygame.Surface(size)
    placed = wall.place(picture, size, 0.0)
    wall.paint(surface, picture, placed)
    (fill,) = [each.rect for each in placed.fills if each.id == id]
    ground = surface.get_at((fill.x + 2, fill.y + 2))
    rows = [
        y
        for y in range(fill.y, fill.bottom)
        if any(surface.get_at((x, y)) != ground for x in range(size[0]))
    ]
    texts = strip(placed)
    assert "gjpqy" in " ".join(text.words for text in texts)
    # Barlow Condensed: an accent ends 0.912 of the font size above the line, a tail 0.206 below.
    top = min(text.top - 0.302 * text.cap for text in texts)
    bottom = max(text.top + 1.294 * text.cap for text in texts)
    assert rows[0] == pytest.approx(top, abs=3)
    assert rows[-1] == pytest.approx(bottom, abs=3)
    assert fill.y < rows[0]
    assert rows[-1] < fill.bottom - 1


def test_alerts_and_the_rest_take_turns_and_trouble_goes_before_both() -> None:
    about = replace(LOUD_PARTY, alerts=ALERTS[1:], prizes=("500 €",))
    pizza, prizes = "Pizza is here, next to the cashier", "Prizes: 1. 500 €"
    flop, lost = "Four-card flop: table 8", "3 tables offline: 3, 8, 12"
    assert turns(about, 6) == [flop, pizza, lost, prizes, flop, pizza]
    assert turns(replace(about, alerts=()), 3) == [pizza, prizes, pizza]
    assert turns(replace(PARTY, alerts=ALERTS[1:]), 3) == [flop, lost, flop]
    assert turns(PARTY, 1) == [""]
    placed = look().place(shown(about, trouble="No network 0:14"), SIZES[0], NOTICE_S)
    assert [text.words for text in strip(placed)] == ["No network 0:14"]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("language", languages(config_dir()))
def test_forty_tables_are_one_page_in_every_language(language: str, size: tuple[int, int]) -> None:
    wall = look(language)
    for alert in (ALERTS[0], replace(ALERTS[2], tables=MANY, count=40)):
        known = heard(about=replace(PARTY, alerts=(alert,)))
        said = picture(known, 0.0, wall.words)
        pages = {
            " ".join(text.words for text in strip(wall.place(said, size, turn * NOTICE_S)))
            for turn in range(3)
        }
        (page,) = pages
        numbers = [int(each) for each in re.findall("[0-9]+", page)]
        if alert.kind == "lost":
            assert numbers.pop(0) == 40
            assert page.endswith(" …")
        else:
            assert len(numbers) - 1 + numbers.pop() == 40
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= 2


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_page_of_a_long_list_and_a_long_notice_begins_with_its_label(
    size: tuple[int, int],
) -> None:
    prizes = tuple(f"{1_000 - n:,} € and a seat in the spring" for n in range(12))
    found = turns(replace(PARTY, prizes=prizes), 12, size)
    assert len(set(found)) > 3
    assert {page.startswith("Prizes: ") for page in found} == {True}
    notice = f"Dinner: {' '.join(['the kitchen is open until ten'] * 4)}"
    found = turns(replace(PARTY, notices=(Notice(1, notice),)), 6, size)
    assert len(set(found)) > 1
    assert {page.startswith("Dinner: ") for page in found} == {True}


def test_a_wall_hears_what_the_room_tells_and_nothing_of_a_room_that_tells_nothing() -> None:
    told = [{"kind": "call", "tables": ["8"], "count": 1}]
    known = hears(heard(), 1.0, tournament(alerts=told))
    assert [text.words for text in strip(look().place(_now(known), SIZES[0], 0.0))] == [
        "Floor to table 8"
    ]
    assert _now(hears(known, 2.0, tournament(players_left=9))).alerts == ()
    odd = hears(known, 3.0, tournament(alerts=[{"kind": "gossip", "tables": ["8"], "count": 1}]))
    assert (odd.unread, odd.tournament) == (1, known.tournament)


def _now(known: RoomAsHeard) -> Picture:
    return picture(known, 0.0, spoken("en"))
