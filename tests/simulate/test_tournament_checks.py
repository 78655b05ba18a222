"""What the referee of simulated tournaments looks for is found where it is wrong, and not where it
is right."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from controller.room.register import Player
from controller.room.seat_draw import AtSeat
from controller.rules.button import Positions
from controller.simulate.tournaments.checks import blinds, chips, places, seats, tables
from controller.simulate.tournaments.checks.blinds import Dealt, Moved
from controller.simulate.tournaments.checks.places import Left, Out

NINE = dict.fromkeys(("T1", "T2", "T3"), 9)
ANN = Player(id="p1", name="Ann", number=1, status="seated", at=AtSeat("T1", 1))
BOB = Player(id="p2", name="Bob", number=2, status="seated", at=AtSeat("T1", 2))


def only(said: Iterable[str]) -> str:
    (one,) = said
    return one


# --- chips ---


def test_a_hand_neither_loses_nor_makes_a_chip() -> None:
    assert list(chips.of_hand({1: 100, 2: 100}, {1: 200, 2: 0})) == []
    assert only(chips.of_hand({1: 100, 2: 100}, {1: 175, 2: 0})) == (
        "a hand began with 200 chips and left 175"
    )
    assert "less than nothing" in only(chips.of_hand({1: 100, 2: 100}, {1: 201, 2: -1}))


def test_all_chips_are_entered_or_bought_and_not_gone() -> None:
    assert list(chips.in_play(35_000, 30_000, 10_000, 5_000, 35_000)) == []
    assert "34,975 chips are in play, and not 35,000" in only(
        chips.in_play(34_975, 30_000, 10_000, 5_000, 35_000)
    )
    assert "the room says that 40,000" in only(chips.in_play(35_000, 30_000, 10_000, 5_000, 40_000))


def test_each_stack_is_before_its_player() -> None:
    assert list(chips.at_table({1: 10, 2: 20}, {1: 10, 2: 20})) == []
    assert only(chips.at_table({1: 10, 2: 20}, {1: 10, 2: 25})) == (
        "seat 2 has 20 chips, and its player 25"
    )
    assert "seat 3 has None chips" in only(chips.at_table({1: 10}, {1: 10, 3: 5}))


def test_no_hand_is_dealt_with_chips_that_have_left_play() -> None:
    assert list(chips.left_play({1: 1_000, 2: 0}, 500)) == []
    assert only(chips.left_play({1: 1_100, 2: 500}, 500)) == (
        "seat 1 has 1,100 chips, and the smallest is 500"
    )


# --- seats ---


def found(*players: Player, ids: str = "p1 p2") -> list[str]:
    return list(seats.of_register(players, NINE, frozenset(ids.split())))


def test_two_are_not_in_one_seat_and_nobody_is_lost_or_there_twice() -> None:
    assert found(ANN, BOB) == []
    assert found(ANN, replace(BOB, at=ANN.at)) == ["2 players have T1, seat 1"]
    assert found(ANN) == ["p2 entered and is in no register"]
    assert found(ANN, BOB, replace(BOB, at=AtSeat("T1", 3))) == ["p2 is in the register 2 times"]
    assert found(ANN, replace(BOB, at=AtSeat("T1", 10))) == ["there is no T1, seat 10"]
    assert found(ANN, replace(BOB, at=None)) == ["p2 is seated and has no seat"]
    assert found(ANN, replace(BOB, status="out")) == ["p2 is out and has T1, seat 2"]


def test_at_a_table_sits_who_sits_there_by_the_register() -> None:
    assert list(seats.at_table({1: "Ann", 2: "Bob"}, {1: "Ann", 2: "Bob"})) == []
    assert list(seats.at_table({1: "Ann"}, {1: "Bob", 2: "Ann"})) == [
        "at seat 1 sits Bob, and by the register Ann",
        "at seat 2 sits Ann, and by the register nobody",
    ]
    assert only(seats.at_table({1: "Ann"}, {})) == "at seat 1 sits nobody, and by the register Ann"


def test_a_redrawn_table_waits_for_its_players() -> None:
    """HPT-SEAT-04, RR7-T-18, UK-10."""
    assert list(seats.of_redraw("T1", [])) == []
    assert only(seats.of_redraw("T1", ["Ann"])) == (
        "T1 deals its first hand, and Ann has not arrived"
    )


def test_a_table_has_no_more_players_than_chairs() -> None:
    assert list(tables.of_sizes({"T1": 9, "T2": 8}, NINE)) == []
    assert only(tables.of_sizes({"T1": 10, "T2": 8}, NINE)) == "T1 has 10 players and 9 chairs"


# --- blinds ---

SITS = {n: f"p{n}" for n in (1, 2, 3, 5, 7)}
FIRST = Dealt(1, Positions(1, 2, 3), frozenset(SITS), SITS)
NEXT = Dealt(2, Positions(2, 3, 5), frozenset(SITS), SITS)


def blinds_of(now: Dealt, last: Dealt | None = FIRST, *, waits: bool = True) -> list[str]:
    return list(blinds.of_hand(last, now, waits=waits))


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (Positions(2, 3, 7), "seat 5 was due the big blind, and seat 7 has it"),
        (Positions(2, 2, 5), "seat 3 was due the small blind, and seat 2 has it"),
        (Positions(1, 3, 5), "seat 2 was due the button, and seat 1 has it"),
    ],
)
def test_blinds_and_button_go_on_to_whoever_is_due(place: Positions, said: str) -> None:
    """TDA09-24, UK-30, RR7-T-30."""
    assert blinds_of(NEXT) == []
    assert said in blinds_of(replace(NEXT, place=place))


def test_nobody_has_the_big_blind_twice_running() -> None:
    """UK-32, TDA09-26."""
    two = {1: "p1", 3: "p3"}
    heads_up = replace(NEXT, place=Positions(1, 1, 3), dealt=frozenset(two), sits=two)
    assert "p3 has the big blind twice running" in blinds_of(heads_up)
    right = replace(heads_up, place=Positions(3, 3, 1))
    assert blinds_of(right) == []
    apart = replace(heads_up, place=Positions(1, 3, 1))
    assert "heads-up the button is at seat 1, not the small blind" in blinds_of(apart)


def test_who_comes_is_dealt_in_but_not_between_button_and_small_blind() -> None:
    """TDA09-05, UK-07, UK-09, TDA24-10A; RR7-T-16, HPT-MOVE-05: at once anywhere."""
    sits = {n: f"p{n}" for n in (1, 2, 4, 5, 7, 9)}
    last = Dealt(1, Positions(1, 2, 5), frozenset({1, 2, 5, 7}), sits)
    place, new = Positions(2, 5, 7), {4: "", 9: ""}
    waits = Dealt(2, place, frozenset({1, 2, 5, 7, 9}), sits, new)
    assert blinds_of(waits, last) == []
    assert blinds_of(waits, last, waits=False) == ["seat 4 has chips and gets no hand"]
    at_once = replace(waits, dealt=frozenset(sits))
    assert blinds_of(at_once, last, waits=False) == []
    assert only(blinds_of(at_once, last)) == (
        "seat 4 came between button and small blind and gets a hand there"
    )
    none = replace(waits, dealt=frozenset({1, 2, 5, 7}))
    assert blinds_of(none, last) == ["seat 9 has chips and gets no hand"]
    empty = replace(waits, dealt=frozenset({1, 2, 3, 5, 7, 9}))
    assert "seat 3 is dealt in, and nobody sits there" in blinds_of(empty, last)


def test_two_may_play_on_alone_while_the_others_are_between_button_and_small_blind() -> None:
    """TDA09-05: heads-up 5 was the small blind and 1 the big one. With 2, to whom the big blind
    comes, 6 is between the button at 5 and the small blind at 1; without him 6 has the button."""
    last = Dealt(1, Positions(5, 5, 1), frozenset({1, 5}), {1: "p1", 5: "p5"})
    sits = {n: f"p{n}" for n in (1, 2, 5, 6)}
    now = Dealt(2, Positions(5, 1, 2), frozenset({1, 2, 5}), sits, {2: "", 6: ""})
    assert blinds_of(now, last) == []
    dealt = replace(now, dealt=frozenset(sits))
    assert only(blinds_of(dealt, last)) == (
        "seat 6 came between button and small blind and gets a hand there"
    )
    needless = replace(now, place=Positions(1, 1, 5), dealt=frozenset({1, 5}), new={6: ""})
    needless = replace(needless, sits={n: f"p{n}" for n in (1, 5, 6)})
    assert "seat 6 has chips and gets no hand" in blinds_of(needless, last)


def test_who_would_be_left_alone_plays_with_those_who_came() -> None:
    """TDA09-05: 3 and 7 are out, 2 has the big blind, and 4 and 5 sit between the button at 3 and
    the small blind at 7: no book has 2 wait for others."""
    last = Dealt(1, Positions(2, 3, 7), frozenset({2, 3, 7}), {n: f"p{n}" for n in (2, 3, 7)})
    sits = {n: f"p{n}" for n in (2, 4, 5)}
    now = Dealt(2, Positions(3, 7, 2), frozenset(sits), sits, {4: "", 5: ""})
    assert blinds_of(now, last) == []
    two = replace(now, place=Positions(4, 4, 2), dealt=frozenset({2, 4}), new={4: ""})
    assert blinds_of(replace(two, sits={2: "p2", 4: "p4"}), last) == []


def test_the_worst_chair_is_not_the_small_blind() -> None:
    """TDA09-06a, TDA24-11A1."""
    assert blinds_of(replace(NEXT, new={5: "worst"})) == [], "a second big blind it may be"
    assert blinds_of(replace(NEXT, new={3: "worst"})) == ["seat 3 was moved to the small blind"]
    assert blinds_of(replace(NEXT, new={3: "soonest"})) == [], "RR7-T-16"


MOVE = Moved(
    way="worst",
    seat=4,
    giving=frozenset(range(1, 10)),
    last=Positions(1, 2, 3),
    to=6,
    short=frozenset({1, 2, 5, 7}),
    chairs=9,
    short_last=Positions(1, 2, 5),
)


def test_the_player_who_is_due_the_big_blind_moves_to_the_chair_that_is_due_it_first() -> None:
    """TDA09-06a, RR7-T-15."""
    assert list(blinds.of_move(MOVE)) == []
    assert only(blinds.of_move(replace(MOVE, seat=5))) == (
        "seat 4 was due to move, and seat 5 moves"
    )
    assert "was due to seat 6" in only(blinds.of_move(replace(MOVE, to=8)))
    assert "seat 7, which is taken" in "\n".join(blinds.of_move(replace(MOVE, to=7)))
    behind = replace(MOVE, short=frozenset({1, 2, 5, 6, 7, 8, 9}), to=3)
    assert blinds.where_to(behind) is None
    assert list(blinds.of_move(replace(behind, way="soonest"))) == []
    assert "was due to seat 3" in only(blinds.of_move(replace(behind, way="soonest", to=4)))


def test_or_the_one_behind_the_button_to_behind_the_button() -> None:
    """NL10-SEAT-04."""
    move = replace(MOVE, way="behind-button", seat=9, to=9)
    assert list(blinds.of_move(move)) == []
    assert "seat 9 was due to move" in only(blinds.of_move(replace(move, seat=2)))
    assert "was due to seat 9" in only(blinds.of_move(replace(move, to=8)))


# --- tables ---


@pytest.mark.parametrize(
    ("book", "sizes", "chairs", "stay"),
    [
        ("roberts", (9, 9, 9, 1), 9, 4),  # 28 have no room at three tables
        ("roberts", (9, 8, 8, 2), 9, 3),
        ("homepokertourney", (7, 7, 5), 10, 3),  # HPT-SEAT-04: 18 are left, not 19
        ("homepokertourney", (6, 6, 6), 10, 2),
        ("homepokertourney", (5, 5), 10, 2),  # HPT-SEAT-05: nine are left
        ("homepokertourney", (5, 4), 10, 1),
        ("tda-2009", (5, 5), 10, 1),  # TDA09-07
        ("tda-2024", (5, 5), 10, 2),  # TDA24-RP9A
        ("tda-2024", (4, 4), 7, 2),  # TDA24-RP9B
        ("tda-2024", (4, 3), 7, 1),
        ("uk-tda", (4, 3), 6, 2),  # UK-10
        ("uk-tda", (3, 3), 6, 1),
        ("nl-2010", (5, 5), 10, 1),
    ],
)
def test_so_many_tables_are_left(book: str, sizes: tuple[int, ...], chairs: int, stay: int) -> None:
    named = {f"T{number}": size for number, size in enumerate(sizes, 1)}
    assert tables.due(book, named, dict.fromkeys(named, chairs)) == stay


def test_the_last_table_of_the_list_breaks_and_nobody_is_lost() -> None:
    """RR7-T-13."""
    before, chairs = {"T1": 7, "T2": 6, "T3": 5}, NINE
    assert list(tables.of_break("uk-tda", before, {"T1": 9, "T2": 9}, chairs)) == []
    assert "of T1, T2, T3 stay T1, T3" in only(
        tables.of_break("uk-tda", before, {"T1": 9, "T3": 9}, chairs)
    )
    assert only(tables.of_break("uk-tda", before, {"T1": 9, "T2": 8}, chairs)) == (
        "18 players sat before the break, 17 after it"
    )
    full = {"T1": 7, "T2": 7, "T3": 5}
    assert "3 were due to" in only(tables.of_break("uk-tda", full, {"T1": 9, "T2": 10}, chairs))


def test_a_table_halts_that_is_three_short() -> None:
    """UK-09C, TDA09-06d; TDA24-11D1: once its big blind would come to a chair of who is out."""
    sizes = {"T1": 9, "T2": 6, "T3": 7}
    last = Positions(1, 2, 3)
    for book in ("uk-tda", "tda-2009"):
        assert tables.halts(book, "T2", sizes, last, vacated=False)
        assert not tables.halts(book, "T3", sizes, last, vacated=True)
    assert tables.halts("tda-2024", "T2", sizes, last, vacated=True)
    assert not tables.halts("tda-2024", "T2", sizes, last, vacated=False)
    assert not tables.halts("roberts", "T2", sizes, last, vacated=True)


def test_the_gap_from_which_on_somebody_moves() -> None:
    """HPT-MOVE-01, RR7-T-17."""
    assert [tables.gap("roberts", count, None) for count in (6, 7)] == [2, 3]
    assert tables.gap("homepokertourney", 7, None) == 2
    assert tables.gap("uk-tda", 3, 4) == 4


# --- places ---

HANDS = (
    Out((Left("p5", 100),)),
    Out((Left("p4", 500), Left("p3", 300), Left("p2", 300))),
)


def test_places_by_the_hands_in_which_they_went_out() -> None:
    """HPT-WIN-02, RR7-T-35: by the stacks, and equal ones share; NL10-WIN-02: all share, and so
    does TDA24-RP8A have it where all tables played that hand."""
    due = places.expected(HANDS, "p1")
    assert due == {"p1": 1, "p4": 2, "p3": 3, "p2": 3, "p5": 5}
    shared = places.expected((HANDS[0], replace(HANDS[1], share=True)), "p1")
    assert shared == {"p1": 1, "p4": 2, "p3": 2, "p2": 2, "p5": 5}
    right = list(due.items())
    assert list(places.of_all(right, due)) == []
    assert list(places.of_all(list(shared.items()), shared)) == []
    assert next(iter(places.of_all([*right, ("p4", 2)], due))) == "p4 has 2 places"
    assert next(iter(places.of_all(right[1:], due))) == "p1 has no place"
    assert "p9 has a place and never entered" in list(places.of_all([*right, ("p9", 6)], due))
    swapped = [("p1", 1), ("p4", 5), ("p3", 3), ("p2", 3), ("p5", 2)]
    assert "p4 has place 5, and went out in place 2" in list(places.of_all(swapped, due))
    gap = {**due, "p5": 6}
    assert "place 6 comes where place 5 is due" in list(places.of_all(list(gap.items()), gap))
