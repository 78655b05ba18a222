"""What a small plate and a small card still show: beside a finding, and on the smaller screen."""

from __future__ import annotations

import pygame
import pytest
from msgspec.structs import replace

from controller.library.books import Library
from display.dealer.drawn.canvas import Element
from display.dealer.drawn.draw import paint
from display.dealer.geometry import OUTLINE, metrics
from display.dealer.layout import Frame, arrange
from display.dealer.screen import Plate, Screen
from tests.display_dealer.spoken import spoken
from tests.display_dealer.states import STATES
from tests.display_dealer.tapped_table import Table

SIZES = ((1280, 800), (800, 480))
LANGUAGES = ("en", "de", "fr", "es")


def drawn(screen: Screen, size: tuple[int, int]) -> tuple[Element, ...]:
    return paint(pygame.Surface(size), screen, arrange(*size, screen.frame))


def beside_a_finding(library: Library, language: str, seats: int) -> Screen:
    table = Table(library, "roberts", f"deal {seats}; 3 all-in 300; wait 1; exposed 4 1; wait 2")
    screen = table.screen(spoken(language))
    assert screen.frame.mode == "finding"
    return screen


def like(plate: Plate, screen: Screen) -> Screen:
    """Every seat as this one."""
    plates = (replace(plate, number=one.number, region=one.region) for one in screen.plates)
    return replace(screen, plates=tuple(plates))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [6, 8, 9, 10])
def test_wherever_the_all_in_seat_and_the_button_are_the_word_has_room(
    library: Library, seats: int, language: str, size: tuple[int, int]
) -> None:
    screen = beside_a_finding(library, language, seats)
    all_in = next(one for one in screen.plates if one.number == 3)
    for marks in ({"puck": "D"}, {"puck": "D", "blind": "SB"}, {"blind": "BB"}):
        every = like(replace(all_in, puck="", blind=""), screen)
        every = like(replace(every.plates[0], **marks), screen)
        said = {one.id for one in drawn(every, size) if one.text in (all_in.short, all_in.word)}
        assert said == {f"{one.region}.word" for one in every.plates}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [6, 8, 9, 10])
def test_card_backs_are_shown_beside_the_button_too(
    library: Library, seats: int, size: tuple[int, int]
) -> None:
    screen = beside_a_finding(library, "en", seats)
    dealt = next(one for one in screen.plates if one.number == 5)
    for marks in ({}, {"puck": "D"}, {"puck": "D", "blind": "SB"}):
        every = like(replace(dealt, bet="", **marks), screen)
        backs = {one.id for one in drawn(every, size) if ".back:" in one.id}
        assert backs == {f"{one.region}.back:{n}" for one in every.plates for n in (1, 2)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", range(6, 11))
def test_the_outline_of_the_board_leaves_its_cards_whole(seats: int, size: tuple[int, int]) -> None:
    places = arrange(*size, Frame(mode="finding", seats=seats))
    inside = places["board"].inset(OUTLINE)
    for number in range(1, 6):
        card = places[f"board:{number}"]
        assert (card.x, card.y) >= (inside.x, inside.y)
        assert card.y >= inside.y
        assert card.right <= inside.right
        assert card.bottom <= inside.bottom
    assert not any(
        place.overlaps(places["board"]) for name, place in places.items() if name[:5] == "seat:"
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "state", ["flop", "all-in", "learner-round-over", "side-pots", "preflop", "table-lost"]
)
def test_a_seats_word_is_large_where_names_have_room_and_always_inside_its_plate(
    library: Library, state: str, language: str
) -> None:
    screen = STATES[state].table(library).screen(spoken(language), STATES[state].link)
    for size in SIZES:
        m, places = metrics(*size), arrange(*size, screen.frame)
        for one in drawn(screen, size):
            if one.id.endswith(".word") and one.text:
                plate = places[one.id.removesuffix(".word")]
                assert one.font_px >= m.strong[1], one
                assert one.rect.right <= plate.right - m.gap, one
