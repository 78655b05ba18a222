"""A sample of whole nights with people who forget (`python -m tests.sweep nights` for more)."""

from __future__ import annotations

import pytest

from controller.library.books import Library
from tests.sweep.nights.antennas import never_read, not_watched, readers_lost
from tests.sweep.nights.counting import Count, play
from tests.sweep.nights.counting import count as count_of
from tests.sweep.nights.evening import night
from tests.sweep.nights.felt import (
    BESIDE_THE_DEALER,
    MIDDLE,
    burns_laid_on_another,
    flown_past,
    gathered_across,
    shuffled_on,
)
from tests.sweep.nights.measuring import PEOPLE, SLIPS, measure, measure_errors
from tests.sweep.nights.people import Habit, no_press, riffles_unseen
from tests.sweep.nights.tables import log_of
from tests.sweep.telling import Line

HANDS = 100
MOST_ASKED = {
    "2 % of presses missing": 0.09,
    "people who think, 2 % missing": 0.12,
    "3 % pressed just after the next": 0.03,
    "5 % of amounts not told": 0.01,
    "no chips told": 0.01,
    "no chips, busts not recorded": 0.03,
    "no buttons, busts not recorded": 0.03,
    "who comes is told amid the next hand": 0.12,
    "stacks mistyped": 0.01,
    "award entered late": 0.0,
    "award entered twice": 0.0,
    "tabled entered late": 0.0,
    "New hand pressed late": 0.02,
    "New hand pressed twice": 0.0,
    "all at once": 0.15,
    "all at once, no shuffle seen": 0.15,
}
"""Of the hands, for what people do; none where it is not said."""
RIGHT = (
    "nothing wrong",
    "10 % of presses twice",
    "a press when no action is open",
    "award forgotten",
    "tabled forgotten",
    "no shuffle seen",
    "no shuffle seen, no award entered",
    "cards looked at as they come",
    "cards looked at as they come, no shuffle seen",
)


def counted(library: Library, people: str, first: int = 20, nights: int = 1) -> Count:
    return measure(library, PEOPLE[people], range(first, first + nights), HANDS)


@pytest.mark.parametrize("people", RIGHT)
def test_where_nothing_that_matters_is_forgotten_nothing_is_said(
    library: Library, people: str
) -> None:
    count = counted(library, people)
    assert (count.claims, count.questions) == (0, 0), count.codes
    assert (count.hands, count.wrong) == (HANDS, 0)


@pytest.mark.parametrize("people", MOST_ASKED)
def test_of_what_people_forget_nothing_is_claimed_and_little_asked(
    library: Library, people: str
) -> None:
    count = counted(library, people, nights=2)
    assert count.claims == 0, count.codes
    assert count.asked <= MOST_ASKED[people] * count.hands, count.codes


def test_busts_that_nobody_records_are_taken_over(library: Library) -> None:
    count = counted(library, "no chips, busts not recorded")
    assert count.taken_over > 5


def test_cards_that_are_often_unread_are_asked_about_less_and_claimed_never(
    library: Library,
) -> None:
    count = measure(library, (never_read(0.12),), range(20, 21), 150)
    assert count.claims == 0, count.codes
    assert count.asked <= 0.25 * count.hands, count.codes
    assert count.wrong == 0


@pytest.mark.parametrize("shuffle", [(), (riffles_unseen,)], ids=["seen", "unseen"])
def test_of_what_nobody_watched_little_is_said_after_it(
    library: Library, shuffle: tuple[Habit, ...]
) -> None:
    """CONTRACT: what is seen after a gap is an inventory. What it does not tell of is gone."""
    count = measure(library, (*shuffle, not_watched(600.0)), range(20, 22), HANDS)
    assert count.slips > 10
    assert count.claims <= 1, count.codes
    assert count.asked <= 0.03 * count.hands, count.codes


def without(log: list[Line], pile: str) -> list[Line]:
    """The same at a table that has no antenna for this pile."""
    zones = [f"seat/{seat}" for seat in range(1, 11)] + ["board", "burn", "muck"]
    kept = [line for line in log[1:] if line.get("zone") != pile]
    return [{**log[0], "zones": [zone for zone in zones if zone != pile]}, *kept]


@pytest.mark.parametrize("shuffle", [(), (riffles_unseen,)], ids=["seen", "unseen"])
def test_cards_that_are_taken_in_across_the_seats_begin_no_hand(
    library: Library, shuffle: tuple[Habit, ...]
) -> None:
    """CONTRACT: after a hand cards are being collected, and what they do is no finding."""
    count = measure(library, (*shuffle, gathered_across(0.2)), range(20, 21), HANDS)
    assert count.slips > 100
    assert (count.hands, count.claims, count.questions) == (HANDS, 0, 0), count.codes
    assert count.wrong == 0


@pytest.mark.parametrize("zones", [MIDDLE, (*MIDDLE, *BESIDE_THE_DEALER)], ids=["middle", "seats"])
def test_a_deck_that_is_shuffled_over_antennas_is_not_dealt(
    library: Library, zones: tuple[str, ...]
) -> None:
    """CONTRACT: the riffle is the *first* movement of the shuffle."""
    count = measure(library, (shuffled_on(zones),), range(20, 21), HANDS)
    assert count.slips == HANDS
    assert (count.hands, count.claims, count.questions) == (HANDS, 0, 0), count.codes


@pytest.mark.parametrize("shuffle", [(), (riffles_unseen,)], ids=["seen", "unseen"])
def test_a_card_is_where_it_comes_to_rest_and_not_where_it_flies_past(
    library: Library, shuffle: tuple[Habit, ...]
) -> None:
    """CONTRACT: hole cards belong to the seat where they are first seen during the deal."""
    count = measure(library, (*shuffle, flown_past(0.1)), range(20, 21), HANDS)
    assert count.slips > 100
    assert (count.hands, count.claims, count.questions) == (HANDS, 0, 0), count.codes


def test_burns_that_lie_on_one_another_hide_each_other(library: Library) -> None:
    """HPT-BURN-04: each goes with the last one."""
    count = measure(library, (burns_laid_on_another(),), range(20, 21), HANDS)
    assert count.slips > 100
    assert (count.hands, count.claims, count.questions) == (HANDS, 0, 0), count.codes


def test_what_lay_there_when_a_reader_is_back_did_not_come_then(library: Library) -> None:
    """CONTRACT: no finding rests on a zone that is not read."""
    count = measure(library, (readers_lost(200.0),), range(20, 22), HANDS)
    assert count.slips > 40
    assert count.claims == 0, count.codes
    assert count.asked <= 0.04 * count.hands, count.codes


@pytest.mark.parametrize("pile", ["board", "burn", "muck"])
def test_where_a_pile_is_not_read_nothing_is_said(library: Library, pile: str) -> None:
    """CONTRACT: no finding rests on a zone that the table does not have."""
    log, _ = log_of(night(20, HANDS))
    count = count_of(play(library, without(log, pile)))
    assert (count.hands, count.claims, count.questions) == (HANDS, 0, 0), count.codes


@pytest.mark.parametrize("pile", ["board", "burn", "muck"])
def test_nor_is_a_missing_press_claimed_there(library: Library, pile: str) -> None:
    logs = [log_of(night(number, 100), (no_press(0.02),))[0] for number in (0, 3)]
    counts = [count_of(play(library, without(log, pile))) for log in logs]
    assert sum(count.claims for count in counts) == 0, [count.codes for count in counts]


def test_of_who_comes_untold_it_is_asked_whether_he_plays(library: Library) -> None:
    count = measure(library, PEOPLE["busts, leaving, coming not recorded"], range(20, 21), HANDS)
    assert count.claims == 0, count.codes
    assert count.asked <= 0.2 * count.hands, count.codes


@pytest.mark.parametrize("shuffle", [(), (riffles_unseen,)], ids=["seen", "unseen"])
def test_errors_among_slips_are_found(library: Library, shuffle: tuple[Habit, ...]) -> None:
    found = measure_errors(library, (*shuffle, *SLIPS), range(20, 23), HANDS)
    assert found.found.total() >= 0.95 * found.errors.total(), found.missed
    assert found.claims == 0, found.codes
    assert found.asked <= 0.09 * found.hands, found.codes
