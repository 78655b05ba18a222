"""Colours can be read and told apart, by everyone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import get_args

import pygame
import pytest
from msgspec.structs import replace

from controller.contract.view import TableView
from display.dealer.arriving import arrived
from display.dealer.connection import Connection
from display.dealer.drawn import draw
from display.dealer.layout import arrange
from display.dealer.looking import Looking
from display.dealer.model import build
from display.dealer.theme import FELT, GROUND, HATCH, STYLES, SUIT_SIGNS, SUITS, WHITE, StyleName
from display.drawing.colour import Colour, contrast
from tests.display_dealer.colours import DEFICIENCIES, Deficiency, difference, seen
from tests.display_dealer.paper import NAMES
from tests.display_dealer.spoken import spoken

ReadView = Callable[[str], TableView]


def test_contrast_and_difference_are_computed_as_their_authors_do() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)
    for one, other, known in (
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ):
        assert difference(one, other) == pytest.approx(known, abs=1e-4)
    assert seen((255, 0, 0), None) == pytest.approx((53.24, 80.09, 67.20), abs=0.02)


def test_every_text_has_seven_to_one_and_every_border_three() -> None:
    assert set(STYLES) == set(get_args(StyleName))
    for name, style in STYLES.items():
        assert contrast(style.text, style.fill) >= 7, name
        assert contrast(style.border, style.on) >= 3, name
    for ground in (FELT, GROUND, WHITE):
        assert contrast(HATCH, ground) >= 3, ground


@pytest.mark.parametrize("number", SUITS)
@pytest.mark.parametrize("deficiency", [None, *DEFICIENCIES])
def test_colours_of_suits_are_told_apart_by_every_eye(
    number: str, deficiency: Deficiency | None
) -> None:
    colours = set(SUITS[number].values())
    assert len(colours) == {"four": 4, "two": 2}[number]
    for one, other in combinations(colours, 2):
        assert difference(seen(one, deficiency), seen(other, deficiency)) >= 20, (one, other)
    for colour in colours:
        assert contrast(colour, WHITE) >= 7, colour


@pytest.mark.parametrize("number", SUITS)
@pytest.mark.parametrize("size", [(1280, 800), (800, 480)], ids=["large", "small"])
@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_a_suit_is_shape_and_letter_and_colour(
    number: str, size: tuple[int, int], language: str, read_view: ReadView
) -> None:
    view, suits = read_view("showdown"), SUITS[number]
    seats = tuple(replace(seat, tabled=("Td", "Kh")) for seat in view.seats)
    texts = spoken(language)
    view = replace(view, seats=seats, board=("As", "Kc"))
    looking = arrived(Looking(), None, view, 0.0)
    screen = build(view, looking, Connection(""), texts, now=0.0, languages=NAMES)
    regions, surface = arrange(*size, screen.frame), pygame.Surface(size)
    drawn = {one.id: one for one in draw.paint(surface, screen, regions, suits=suits)}
    expected = {"board:1": "s", "board:2": "c"}
    for seat in seats:
        expected |= {f"seat:{seat.seat}.card:1": "d", f"seat:{seat.seat}.card:2": "h"}
    for name, suit in expected.items():
        assert SUIT_SIGNS[suit] in drawn[name].text
        assert drawn[f"{name}.letter"].text == texts.named("suit", suit)
        assert drawn[name].fg == drawn[f"{name}.letter"].fg == code(suits, suit)


def code(suits: Mapping[str, Colour], suit: str) -> str:
    red, green, blue = suits[suit]
    return f"#{red:02X}{green:02X}{blue:02X}"
