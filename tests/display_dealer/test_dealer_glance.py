"""What the dealer sees at a glance: what a call costs, whose seat it is, what waits, and in what
size of letters."""

from __future__ import annotations

from collections.abc import Callable

import pygame
import pytest
from msgspec.structs import replace

from controller.contract.picture import HouseNow
from controller.contract.routine import ROUTINE
from controller.contract.sight import Price
from controller.contract.view import LevelView, ReaderView, TableView, Told
from controller.library.books import Library
from display.dealer.arriving import arrived
from display.dealer.connection import Connection
from display.dealer.drawn.draw import paint
from display.dealer.geometry import CAPITAL
from display.dealer.layout import arrange
from display.dealer.looking import Looking
from display.dealer.model import build
from display.dealer.table_picture import MOVE_S, POT_S, TIP_S
from display.dealer.texts import Texts
from tests.display_dealer.bench import Bench
from tests.display_dealer.spoken import spoken
from tests.display_dealer.states import STATES
from tests.display_dealer.tapped_table import Table
from tests.display_dealer.test_dealer_floor import look, screen_of

ReadView = Callable[[str], TableView]
SIZES = {(1280, 800): 5.9, (800, 480): 5.247}  # px/mm
CAPITAL_MM = 5.1
IN_PLAY = ("prompt", "step", "title", "button", "strong")
LONGEST: dict[str, object] = {
    "seat": 10,
    "first": 9,
    "second": 10,
    "seats": "1, 2, 10",
    "seconds": 60,
    **dict.fromkeys(("small", "big", "ante", "to"), 25_000),
}
CAME = 605.7
EARLY = "deal 4; preflop; burn; board 3; wait 3; 1 check; burn; board; wait 3"


def says(table: Table, region: str, texts: Texts) -> str:
    labels = table.screen(texts).labels
    return next((one.text for one in labels if one.region == region), "")


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("state", STATES)
def test_all_that_is_read_in_play_has_capitals_of_five_millimetres(
    library: Library, state: str, language: str
) -> None:
    """What is read in play by its role, each seat's number and what is said of it."""
    screen = STATES[state].table(library).screen(spoken(language), STATES[state].link, ("en", "de"))
    roles = {one.region: one.role for one in screen.labels}
    roles |= {one.id: one.role for one in screen.buttons}
    for size, density in SIZES.items():
        drawn = paint(pygame.Surface(size), screen, arrange(*size, screen.frame))
        for one in drawn:
            of_a_seat = one.id.startswith("seat:") and one.id.endswith((".number", ".word"))
            if one.text and (roles.get(one.id) in IN_PLAY or of_a_seat):
                assert one.font_px * CAPITAL >= CAPITAL_MM * density, one


def test_beside_the_player_to_act_stands_what_it_costs(library: Library, texts: Texts) -> None:
    table = Table(library, "roberts", "deal 4; 3 raise 40; wait 1")
    assert says(table, "banner", texts) == "Seat 4 to act"
    assert says(table, "aside", texts) == "Call 40\nRaise to 70+"
    table.tell("4 fold; 1 fold; 2 call; wait 1; burn; board 3; wait 3")
    assert says(table, "aside", texts) == "May check\nBet 10+"


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("size", SIZES)
def test_each_pot_with_those_who_contest_it_is_read_in_play(
    library: Library, language: str, size: tuple[int, int]
) -> None:
    """Where they do not all fit in large letters, one after the other, the last side pot first."""
    table, seen = STATES["side-pots"].table(library), []
    for _ in range(3):
        screen = table.screen(spoken(language))
        drawn = paint(pygame.Surface(size), screen, arrange(*size, screen.frame))
        [aside] = [one for one in drawn if one.id == "aside"]
        assert aside.font_px * CAPITAL >= CAPITAL_MM * SIZES[size]
        seen.append("".join(filter(str.isdigit, aside.text)))
        table.t += POT_S
    assert set(seen) == {"20034", "450234", "22101234"}


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("size", SIZES)
def test_each_tip_is_read_from_the_chair_whole_or_in_parts(
    library: Library, language: str, size: tuple[int, int]
) -> None:
    """With the longest that stands in each: what has no room is read one part after the other."""
    table, texts = STATES["learner-round-over"].table(library), spoken(language)
    for name in ROUTINE:
        told = Told(name, LONGEST)
        view = replace(table.view, routine=(told,), price=None)
        read: dict[str, None] = {}  # in order
        looking = arrived(table.looking, table.view, view, CAME)
        for at in range(1, int(TIP_S), 2):  # a part stands for two seconds at least
            link, now = Connection(cause=""), CAME + at
            screen = build(view, looking, link, texts, now=now, languages={}, table_time=now)
            drawn = paint(pygame.Surface(size), screen, arrange(*size, screen.frame))
            [tip] = [one for one in drawn if one.id == "aside"]
            assert tip.font_px * CAPITAL >= CAPITAL_MM * SIZES[size], tip
            read[tip.text.replace("\u00a0", " ").strip("… ")] = None
        assert " ".join(read) == texts.told(told)


OVER = 600.0
ROOM_SAYS = {
    "dispute-left": LevelView(3, left=60.0, on_break=True, dispute=60.0),
    "deck-ready": LevelView(3, ends=OVER + 50, on_break=True, ready=OVER - 10),
    "no-push": LevelView(3, ends=OVER + 80, no_push=OVER - 10),
}


@pytest.mark.parametrize("said", ROOM_SAYS)
@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("size", SIZES)
def test_what_the_rooms_clock_says_between_hands_is_read_from_the_chair(
    read_view: ReadView, language: str, size: tuple[int, int], said: str
) -> None:
    view, texts = read_view("big_blind_to_act"), spoken(language)
    view = replace(view, phase="complete", level=ROOM_SAYS[said], next_button=None, awarded=OVER)
    read: dict[str, None] = {}
    for tenth in range(0, int(MOVE_S * 10), 8):
        link, at = Connection(cause=""), OVER + tenth / 10
        screen = build(view, Looking(), link, texts, now=at, languages={}, table_time=at)
        drawn = paint(pygame.Surface(size), screen, arrange(*size, screen.frame))
        [tip] = [one for one in drawn if one.id == "aside"]
        assert tip.font_px * CAPITAL >= CAPITAL_MM * SIZES[size], tip
        read[tip.text.replace("\u00a0", " ").strip("… ")] = None
    if said != "dispute-left":  # which counts down
        assert " ".join(read) == texts(said)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_chips_are_grouped_wherever_they_are_told(read_view: ReadView, language: str) -> None:
    texts, blinds = spoken(language), {"small": 100_000, "big": 200_000, "ante": 200_000}
    view = replace(read_view("flop_betting"), prompt_id="new-level-ante", prompt_args=blinds)
    said = (texts.prompt(view), texts.told(Told("say-bet", {"seat": 4, "to": 25_000})))
    for words, amount in zip(said, (200_000, 25_000), strict=True):
        assert texts.number(amount) in words
        assert str(amount) not in words


def test_a_seat_that_may_not_raise_is_offered_none(texts: Texts, read_view: ReadView) -> None:
    view = replace(read_view("flop_betting"), price=Price(9, 300, None))
    aside = next(one for one in screen_of(view, look(view), texts).labels if one.region == "aside")
    assert aside.text == "Call 300"


def test_the_least_raise_takes_three_taps(bench: Bench, read_view: ReadView) -> None:
    bench.show(replace(read_view("flop_betting"), price=Price(9, 200, 400)))
    for one in ("pick-seat:9", "did:raise", "usual:800"):
        assert bench.table.lines() == []
        bench.tap(one)
    made = {"kind": "press", "seat": 9, "button": "raise", "by": "dealer", "amount": 800}
    assert bench.table.lines() == [made]


def test_the_sheet_says_what_a_missing_press_counts_as(library: Library, texts: Texts) -> None:
    table = Table(library, "roberts", "deal 4; preflop; burn; board 3; wait 3; 2 check; wait 4")
    table.tap("pick-seat:1")
    assert says(table, "dialog-title", texts) == "Seat 1 · no press: counts as a check"


def test_a_remedy_that_waits_for_the_betting_gives_way_to_the_table_and_comes_back(
    library: Library, texts: Texts
) -> None:
    table = Table(library, "roberts", EARLY)
    table.tap("yes")
    while table.looking.opened is not None:
        assert table.next_step() != "finish-round"
        table.tap("done")
    screen = table.screen(texts)
    chip = next(one for one in screen.buttons if one.id == "note")
    assert (chip.label, chip.style) == ("Waiting\nTurn too soon", "warning")
    assert "round-closed" in screen.frame.large
    table.tap("note")
    assert table.next_step() == "finish-round", "it can be looked at"
    table.tap("to-table")
    table.tell("2 check; 3 check; 4 check; wait 1")
    assert table.looking.opened is not None
    assert {one.id: one.label for one in table.screen(texts).buttons}["done"] == "Betting done"
    table.tap("done")
    assert table.next_step() not in ("", "finish-round")


def test_seats_that_a_finding_is_about_are_marked(library: Library, texts: Texts) -> None:
    table = Table(library, "roberts", "deal 9; exposed 4 1; wait 2")
    marked = {one.number for one in table.screen(texts).plates if one.marked}
    assert marked == {4}
    table.tap("to-table")
    assert not any(one.marked for one in table.screen(texts).plates)


@pytest.mark.parametrize(
    ("log", "region"),
    [
        ("deal 9; preflop; board 3; wait 3", "pot"),  # where the burns are counted
        ("deal 9; preflop; burn; board 2; wait 20", "board"),
        ("deal 9; exposed 4 1; wait 2", ""),
    ],
)
def test_the_zone_that_a_finding_is_about_is_outlined(
    library: Library, texts: Texts, log: str, region: str
) -> None:
    table = Table(library, "roberts", log)
    assert table.looking.opened is not None
    assert table.screen(texts).outlined == ((region,) if region else ())


def test_the_readers_panel_lists_each_and_what_to_do(texts: Texts, read_view: ReadView) -> None:
    readers = (ReaderView("pico", "up"), ReaderView("board", "closed"))
    view = replace(
        read_view("flop_betting"),
        readers=readers,
        links=("board: no such device",),
        lost_zones=("seat/3",),
    )
    screen = screen_of(view, Looking(asking="links"), texts)
    text = next(one.text for one in screen.labels if one.region == "dialog-text")
    assert text.splitlines() == [
        "board: no such device",
        "✓ pico",
        "board: not connected. Check its cable.",
        "Seat 3: antenna not heard. Ask the floor to check it.",
    ]


@pytest.mark.parametrize("state", [name for name in STATES if "table-lost" in name])
def test_with_the_table_lost_the_words_what_to_do_stay_whatever_is_open(
    library: Library, texts: Texts, state: str
) -> None:
    screen = STATES[state].table(library).screen(texts, STATES[state].link)
    regions = ("banner", "alarm")
    said = " ".join(one.text for one in screen.labels if one.region in regions)
    assert texts("lost-help") in said


def test_with_all_steps_ticked_the_card_says_what_was_not_seen(
    library: Library, texts: Texts
) -> None:
    table = Table(library, "roberts", "deal 9; preflop; burn; board 4; wait 3")
    for _ in range(9):
        if table.next_step():
            table.tap("done")
    assert says(table, "step", texts).startswith("Not seen yet: ")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_a_seat_that_is_all_in_is_not_told_by_its_colour_alone(
    library: Library, language: str, size: tuple[int, int]
) -> None:
    table, texts = Table(library, "roberts", "deal 6; 3 all-in 300; wait 1"), spoken(language)
    for more in ("", "; exposed 4 1"):
        table.tell(f"wait 1{more}; wait 1")
        screen = table.screen(texts)
        assert (screen.frame.mode == "finding") == bool(more)
        drawn = paint(pygame.Surface(size), screen, arrange(*size, screen.frame))
        words = {one.text.split()[0] for one in drawn if one.id == "seat:3.word"}
        assert words & {texts("all-in"), texts("all-in-short")}


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("state", [name for name in STATES if "asked" in name or "forgot" in name])
def test_no_answer_is_written_larger_than_another(
    library: Library, state: str, language: str
) -> None:
    screen = STATES[state].table(library).screen(spoken(language), STATES[state].link, ("en", "de"))
    answers = {one.id for one in screen.buttons if one.style == "answer"}
    assert len(answers) > 1
    for size in SIZES:
        drawn = paint(pygame.Surface(size), screen, arrange(*size, screen.frame))
        assert len({one.font_px for one in drawn if one.id in answers and one.text}) == 1


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("size", SIZES)
def test_a_finding_under_a_book_that_nobody_has_verified_says_so(
    library: Library, language: str, size: tuple[int, int]
) -> None:
    table = Table(library, "tda-2024", "deal 4; preflop; burn; board 4; wait 2")
    texts = spoken(language)
    for unverified in (True, False):
        table.house(HouseNow(dealer_misdeals=True, unverified=unverified))
        screen = table.screen(texts)
        drawn = paint(pygame.Surface(size), screen, arrange(*size, screen.frame))
        [why] = [one.text for one in drawn if one.id == "why" and one.text]
        assert (texts("unverified") in why.replace("\n", " ")) == unverified
