"""The chip race, by the sentences of each book."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.library.books import Library
from controller.rules.chip_race import (
    DECK,
    RANKS,
    STEPS,
    SUITS,
    Change,
    ChipRace,
    Race,
    RaceError,
    Racer,
    by_cards,
    cards_to_deal,
    late,
    new_chips,
    run,
)

GREEN = Change(25, 100, 100)
ROBERTS = ChipRace(cites=("RR7-T-10",), broke="first")
CAPPED = ChipRace(cites=("UK-22A",), broke="more", most=1)
ALL_CAPPED = ["uk-tda", "tda-2009", "nl-2010", "tda-2024"]


def way(library: Library, book: str) -> ChipRace:
    found = library.book(book).tournament.race
    assert found is not None
    return found


def won(race: Race) -> dict[int, int]:
    return {each.seat: each.won for each in race.seats}


@pytest.mark.parametrize(
    ("book", "cites"),
    [
        ("roberts", ("RR7-T-10", "RR7-TIES-1")),
        ("homepokertourney", ("RR7-T-10", "RR7-TIES-1", "HPT-PREC-01")),
        ("uk-tda", ("UK-22A",)),
        ("tda-2009", ("TDA09-16",)),
        ("nl-2010", ("NL10-HR-08",)),
        ("tda-2024", ("TDA24-24A1", "TDA24-24A2")),
    ],
)
def test_every_book_has_its_race(library: Library, book: str, cites: tuple[str, ...]) -> None:
    assert way(library, book).cites == cites


def test_full_sets_are_exchanged_and_each_odd_chip_gets_a_card_from_seat_1() -> None:
    """RR7-T-10: of 25s four make a 100; each player gets all of his cards before the next."""
    racers = [Racer(9, 7), Racer(1, 2), Racer(4, 8), Racer(6, 5)]
    assert cards_to_deal(GREEN, racers) == ((1, 2), (6, 1), (9, 3))


def test_the_highest_cards_win_and_suits_break_ties() -> None:
    """RR7-TIES-1: spades, hearts, diamonds, clubs; a lower rank never beats a higher one."""
    assert by_cards({1: ["Kd"], 2: ["Ks"], 3: ["Kc"], 4: ["Kh"], 5: ["Ac"]}) == (5, 2, 4, 1, 3)
    assert by_cards({3: ["Td", "2c"], 7: ["9s"]}) == (3, 7, 3)


@pytest.mark.parametrize(
    ("odd", "chips"),
    [(0, 0), (1, 0), (2, 1), (3, 1), (4, 1), (5, 1), (6, 2), (7, 2)],
)
def test_a_rest_of_half_a_chip_or_more_makes_one_more(odd: int, chips: int) -> None:
    """RR7-T-10, over 25s for 100s; the other books say no number, and are played so."""
    assert new_chips(GREEN, odd) == chips


def test_a_player_may_win_several_chips(library: Library) -> None:
    """RR7-T-10 has no limit: the highest card wins one, and the second-highest the next."""
    racers = [Racer(1, 3), Racer(2, 2), Racer(3, 3)]
    order = by_cards({1: ["As", "Ks", "2c"], 2: ["Kh", "3c"], 3: ["9c", "8c", "7c"]})
    race = run(way(library, "roberts"), GREEN, racers, order)
    assert (race.chips, won(race)) == (2, {1: 2, 2: 0, 3: 0})
    assert (race.before, race.after, race.difference) == (200, 200, 0)
    assert [each.difference for each in race.seats] == [125, -50, -75]


@pytest.mark.parametrize("book", ALL_CAPPED)
def test_a_player_wins_one_chip_at_most(library: Library, book: str) -> None:
    """UK-22A, TDA09-16, NL10-HR-08, TDA24-24A1."""
    racers = [Racer(1, 3), Racer(2, 2), Racer(3, 3)]
    order = by_cards({1: ["As", "Ks", "2c"], 2: ["Kh", "3c"], 3: ["9c", "8c", "7c"]})
    race = run(way(library, book), GREEN, racers, order)
    assert won(race) == {1: 1, 2: 1, 3: 0}


@pytest.mark.parametrize("book", ALL_CAPPED)
def test_who_loses_his_last_chips_gets_one_of_the_smallest(library: Library, book: str) -> None:
    """UK-22A, TDA09-16, NL10-HR-08, TDA24-24A2: beside what the others win."""
    racers = [Racer(1, 3), Racer(2, 1, others=False), Racer(3, 5, others=False)]
    race = run(
        way(library, book), GREEN, racers, by_cards({1: ["As", "3c", "2c"], 2: ["9c"], 3: ["8c"]})
    )
    assert won(race) == {1: 1, 2: 0, 3: 0}
    assert [(each.seat, each.kept, each.after) for each in race.seats] == [
        (1, False, 100),
        (2, True, 100),
        (3, False, 0),
    ], "seat 3 has a full set, which became a chip"
    assert (race.before, race.after) == (125, 200)


def test_he_gets_the_smallest_chip_that_stays_and_not_the_one_raced_for() -> None:
    """UK-22A: where chips of 50 stay beside those of 100 he gets a 50."""
    racers = [Racer(1, 3), Racer(2, 1, others=False)]
    race = run(CAPPED, Change(25, 100, 50), racers, (1,))
    assert [(each.won, each.kept, each.after) for each in race.seats] == [
        (1, False, 100),
        (0, True, 50),
    ]


def test_who_would_be_broke_is_served_before_the_others(library: Library) -> None:
    """RR7-T-10: he takes the chip that another would have had; no chip is added."""
    racers = [Racer(1, 3), Racer(2, 1, others=False)]
    race = run(way(library, "roberts"), GREEN, racers, by_cards({1: ["As", "3c", "2c"], 2: ["9c"]}))
    assert (race.chips, won(race)) == (1, {1: 0, 2: 1})
    assert [each.kept for each in race.seats] == [False, True]
    assert race.difference == 0


def test_who_is_broke_because_another_was_served_first_is_served_too(library: Library) -> None:
    """RR7-T-10: nobody may be eliminated by the race, so that one chip more is given."""
    racers = [Racer(1, 1, others=False), Racer(2, 2, others=False)]
    race = run(way(library, "roberts"), GREEN, racers, by_cards({1: ["As"], 2: ["Ks", "Qs"]}))
    assert (race.chips, won(race), race.after) == (1, {1: 1, 2: 1}, 200)


def test_who_won_is_enough_to_know() -> None:
    race = run(CAPPED, GREEN, [Racer(1, 3), Racer(5, 3), Racer(8, 2)], (8, 1))
    assert won(race) == {1: 1, 5: 0, 8: 1}


def test_chips_that_turn_up_later_are_worth_what_they_are(library: Library) -> None:
    """UK-22C, TDA24-24C1, TDA24-24C2: equal value only, and the rest below the smallest chip goes
    without compensation."""
    assert library.book("uk-tda").tournament.late_chips is not None
    assert library.book("tda-2024").tournament.late_chips is not None
    assert late(GREEN, 3) == (0, 75)
    assert late(GREEN, 4) == (100, 0)
    assert late(GREEN, 9) == (200, 25)
    assert late(Change(25, 500, 100), 9) == (200, 25)


@pytest.mark.parametrize(
    ("book", "steps"),
    [
        # UK-22B, UK-22C
        ("uk-tda", "seen sets cards one more late"),
        ("tda-2009", "seen sets cards one more"),
        # NL10-HR-08 takes the place of RR7-T-10 below it
        ("nl-2010", "sets cards one more"),
        # TDA24-24B, TDA24-24C1, TDA24-24C2
        ("tda-2024", "seen sets cards one more late"),
        ("roberts", "sets cards first high"),
        ("homepokertourney", "sets cards first high"),
    ],
)
def test_the_dealer_is_told_the_steps_that_the_book_has_rules_for(
    library: Library, book: str, steps: str
) -> None:
    found = dict(library.book(book).steps_of(STEPS))
    assert list(found) == [f"race-{name}" for name in steps.split()]
    seen = {"uk-tda": ("UK-22B",), "tda-2009": ("TDA09-16",), "tda-2024": ("TDA24-24B",)}
    assert found.get("race-seen") == seen.get(book)


@pytest.mark.parametrize(
    ("stack", "odd"), [(1_000, 0), (1_025, 1), (1_275, 3), (25, 1), (1_010, None)]
)
def test_the_larger_chips_tell_what_is_odd_in_a_stack(stack: int, odd: int | None) -> None:
    assert GREEN.odd_of(stack) == odd


def test_a_stack_does_not_tell_it_where_the_next_chip_is_no_multiple() -> None:
    assert Change(10, 25, 25).odd_of(105) is None
    assert Change(10, 25, 25).full_set == 5, "five tens are two twenty-fives"


@pytest.mark.parametrize(
    ("racers", "order", "told"),
    [
        ([Racer(1, 2)], (2,), "seat 2 has 0 odd chips"),
        ([Racer(1, 2)], (1, 1, 1), "seat 1 has 2 odd chips, and no 3 cards"),
        ([Racer(1, 3), Racer(2, 3)], (2,), "2 chips are won, and only 1 are told of"),
        ([Racer(1, 3), Racer(1, 3)], (1,), "a seat is listed twice"),
    ],
)
def test_what_cannot_be_so_is_refused(
    racers: list[Racer], order: tuple[int, ...], told: str
) -> None:
    with pytest.raises(RaceError, match=told):
        run(CAPPED, GREEN, racers, order)


def test_cards_are_those_of_one_deck() -> None:
    with pytest.raises(RaceError, match="Ks was dealt twice"):
        by_cards({1: ["Ks"], 2: ["KS"]})
    with pytest.raises(RaceError, match="1s is no card"):
        by_cards({1: ["1s"]})
    for goes, into, smallest in ((100, 25, 25), (25, 25, 25), (25, 100, 5), (0, 25, 25)):
        with pytest.raises(RaceError, match="can't be raced"):
            Change(goes, into, smallest)


class Dealt(NamedTuple):
    change: Change
    racers: list[Racer]
    cards: dict[int, list[str]]


@st.composite
def dealt(draw: st.DrawFn) -> Dealt:
    """A table of up to ten with as many odd chips as a deck has cards, and cards for them."""
    goes, into, smallest = draw(
        st.sampled_from(
            [(5, 25, 25), (25, 100, 100), (100, 500, 500), (25, 100, 50), (500, 1000, 1000)]
        )
    )
    change = Change(goes, into, smallest)
    seats = draw(st.lists(st.integers(1, 10), min_size=1, max_size=10, unique=True))
    racers = [Racer(s, draw(st.integers(0, 12)), draw(st.booleans())) for s in seats]
    deck = draw(st.permutations([rank + suit for rank in RANKS for suit in SUITS]))
    cards: dict[int, list[str]] = {}
    for seat, count in cards_to_deal(change, racers):
        cards[seat], deck = list(deck[:count]), deck[count:]
    return Dealt(change, racers, cards)


@given(dealt())
def test_nothing_is_made_up_or_lost_beyond_the_rule(table: Dealt) -> None:
    change, racers, cards = table
    for way in (ROBERTS, CAPPED):
        race = run(way, change, racers, by_cards(cards))
        assert race == run(way, change, list(reversed(racers)), by_cards(cards))
        odd = sum(len(each) for each in cards.values())
        assert odd <= DECK
        assert race.before == odd * change.goes
        given = sum(each.won for each in race.seats)
        kept = [each for each in race.seats if each.kept]
        extra = change.smallest * len(kept) if way is CAPPED else 0
        assert race.after == given * change.into + extra
        assert race.difference == sum(each.difference for each in race.seats)
        if way is CAPPED:
            assert all(each.won <= 1 for each in race.seats)
            assert given == race.chips
        else:
            assert given == max(race.chips, len(kept))
        assert abs(race.chips * change.into - race.before) * 2 <= change.into
        _nobody_is_raced_out(table, race)


def _nobody_is_raced_out(table: Dealt, race: Race) -> None:
    after = {each.seat: each.after for each in race.seats}
    for one in table.racers:
        if one.chips and not one.others:
            assert after[one.seat] > 0 or one.chips >= table.change.full_set
