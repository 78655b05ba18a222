"""Betting: whose turn, who may raise and to what, short blinds and all-ins, and the pots."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import pytest
from pokerkit import HandHistory

from controller.contract.events import Blinds, Pot
from controller.demo.phh import BetTo, CheckOrCall, Fold, Show, Street, read_hand
from controller.rules.betting import Betting, Player
from controller.rules.button import positions
from controller.rules.hand import Hand
from controller.rules.outcome import Outcome, settle_pots
from controller.rules.pots import awards, pots, uncalled
from controller.rules.procedure import STREETS
from tests.rules.random_hands import Duel

HANDS = Path(__file__).resolve().parents[2] / "config" / "hands"


def betting(stacks: dict[int, int | None], chips: tuple[int, int, int]) -> Betting:
    """Seats from left of the button, which the last of them has."""
    seats = list(stacks)
    place = positions(seats[-1], seats)
    players = [Player(seat, chips) for seat, chips in stacks.items()]
    return Betting(
        players, button=place.button, blinds=(place.small, place.big), level=Blinds(*chips)
    )


def deep(count: int, chips: tuple[int, int, int], **short: int) -> Betting:
    """So many seats with plenty, but for those named: `s3=75`."""
    stacks: dict[int, int | None] = dict.fromkeys(range(1, count + 1), 100000)
    stacks |= {int(name[1:]): stack for name, stack in short.items()}
    return betting(stacks, chips)


def act(told: Betting, acts: str) -> None:
    """`3 call; 4 raise 200`."""
    for one in acts.split(";"):
        words = one.split()
        seat, button = int(words[0]), words[1]
        assert told.next_to_act() == seat
        if button == "fold":
            told.fold(seat)
        else:
            told.act(seat, button, int(words[2]) if len(words) > 2 else None)


LEAST = [
    ("UK-EX42-1", deep(4, (1, 2, 0)), "flop", "1 bet 600; 2 raise 1600; 3 raise 3600", 5600),
    ("UK-EX42-2", deep(4, (50, 100, 0), s3=150), "", "3 all-in", 250),
    ("UK-EX42-3", deep(3, (50, 100, 0)), "flop", "1 bet 300; 2 raise 1000", 1700),
    ("UK-EX42-4A", deep(6, (25, 50, 0)), "", "3 raise 125; 4 raise 200; 5 raise 500", 800),
    ("UK-EX42-4B", deep(6, (25, 50, 0)), "", "3 raise 500; 4 call; 5 call", 950),
    ("RR7-NL-2 short all-in", deep(3, (50, 100, 0), s1=70), "flop", "1 all-in 20", 120),
    ("RR7-NL-2 short blind", deep(4, (50, 100, 0), s2=30), "", "3 call", 200),
    ("RR7-NL-5", deep(3, (50, 100, 0), s2=240), "flop", "1 bet 100; 2 all-in 140", 240),
    ("RR7-NL-1", deep(3, (5, 10, 0)), "", "3 raise 20; 1 raise 30; 2 raise 40; 3 raise 50", 60),
    ("a bet", deep(3, (50, 100, 0)), "flop", "1 check; 2 check", 100),
    ("less is left", deep(3, (50, 100, 0), s1=170), "", "3 call", 170),
    ("only a call is left", deep(3, (50, 100, 0), s1=100), "", "3 call", None),
    ("RR7-NL-4", deep(3, (50, 100, 0), s2=150), "", "3 call; 1 call; 2 all-in", None),
    ("NL10-BET-07", deep(3, (50, 100, 0), s2=140), "flop", "1 check; 2 all-in; 3 call", None),
    ("an amount was not told", deep(3, (50, 100, 0)), "", "3 raise", None),
    ("nor the next one's size", deep(3, (50, 100, 0)), "", "3 raise; 1 raise 900", None),
    ("the others are all-in", deep(2, (50, 100, 0), s1=300), "", "2 call; 1 all-in", None),
]


@pytest.mark.parametrize(
    ("told", "street", "acts", "least"), [case[1:] for case in LEAST], ids=[c[0] for c in LEAST]
)
def test_the_least_raise(told: Betting, street: str, acts: str, least: int | None) -> None:
    told = told.copy()
    if street:
        told.open_round("flop")
    act(told, acts)
    seat = told.next_to_act()
    assert seat is not None
    assert told.min_raise_to(seat) == least


def example_43_1() -> Betting:
    """UK-EX43-1: 100, all-in 125, call, all-in 200, call; the opener's turn."""
    told = deep(6, (50, 100, 0), s3=125, s5=200)
    told.open_round("flop")
    for player in told.players.values():  # the blinds are of no matter here
        player.paid = 0
    act(told, "1 check; 2 bet 100; 3 all-in; 4 call; 5 all-in; 6 call; 1 fold")
    return told


def test_short_all_ins_that_add_up_to_a_raise_reopen_the_betting() -> None:
    told = example_43_1()
    assert (told.next_to_act(), told.min_raise_to(2)) == (2, 300)


@pytest.mark.parametrize(
    ("acts", "least"), [("2 call", None), ("2 raise 300", 400)], ids=["UK-EX43-1A", "UK-EX43-1B"]
)
def test_the_caller_of_a_short_all_in(acts: str, least: int | None) -> None:
    told = example_43_1()
    act(told, acts)
    assert (told.next_to_act(), told.min_raise_to(4)) == (4, least)


@pytest.mark.parametrize(
    ("acts", "least"),
    [("2 call", None), ("2 raise 11500", 15500)],
    ids=["UK-EX43-2A", "UK-EX43-2B"],
)
def test_a_caller_before_a_short_all_in(acts: str, least: int | None) -> None:
    told = deep(5, (2000, 4000, 0), s4=7500)
    act(told, "3 call; 4 all-in; 5 fold; 1 fold")
    assert (told.next_to_act(), told.min_raise_to(2)) == (2, 11500)
    act(told, acts)
    assert (told.next_to_act(), told.min_raise_to(3)) == (3, least)


def test_who_may_not_raise_a_short_all_in_still_has_to_call_it() -> None:
    told = deep(3, (50, 100, 0), s2=150)
    act(told, "3 call; 1 call; 2 all-in")
    assert [p.seat for p in told.must_act()] == [1, 3]
    act(told, "3 call; 1 fold")
    assert told.next_to_act() is None


def test_the_big_blind_keeps_its_option_after_a_short_all_in() -> None:
    """RR7-BLIND-3."""
    told = deep(4, (50, 100, 0), s3=150)
    act(told, "3 all-in; 4 fold; 1 call")
    assert (told.next_to_act(), told.min_raise_to(2)) == (2, 250)


# --- what contradicts what is known ---


@pytest.mark.parametrize(
    "acts", ["3 raise 500", "3 all-in 200", "3 all-in 400", "3 check"], ids=lambda acts: acts[2:]
)
def test_what_can_not_be_makes_the_amounts_unknown(acts: str) -> None:
    told = deep(3, (5, 10, 0), s3=300)
    act(told, acts)
    assert not told.known
    assert settle_pots(hand_of(told), {}, ()) == settle_pots(hand_of(deep_unknown()), {}, ())


def deep_unknown() -> Betting:
    return betting({1: None, 2: 100, 3: 100}, (5, 10, 0))


def test_the_least_raise_where_stacks_are_not_known() -> None:
    told = deep_unknown()
    act(told, "3 raise 40")
    assert told.min_raise_to(1) == 70
    assert told.min_raise_to(2) is None  # has 100, but perhaps less than that is left
    act(told, "1 raise")
    assert told.min_raise_to(2) is None


def hand_of(told: Betting) -> Hand:
    return Hand(1, 0.0, positions(told.button, list(told.players)), told, [])


def test_amounts_that_are_not_told_leave_the_turns_as_they_are() -> None:
    told = deep_unknown()
    act(told, "3 raise; 1 call; 2 fold")
    assert told.next_to_act() is None
    told.open_round("flop")
    act(told, "1 check; 3 bet; 1 call")
    assert told.next_to_act() is None


# --- blinds, antes and pots ---


def test_a_seat_that_posts_and_has_the_big_blind_posts_once() -> None:
    players = [Player(seat, 100) for seat in (1, 2, 3, 4)]
    told = Betting(players, button=4, blinds=(1, 2), level=Blinds(5, 10, 0), posts=(1, 2, 3))
    assert [p.paid for p in told.players.values()] == [10, 10, 10, 0]
    assert told.next_to_act() == 3


POTS = [
    (
        "an ante all-in",
        deep(3, (5, 10, 10), s3=4),
        "1 call; 2 check",
        [(12, (1, 2, 3)), (32, (1, 2))],
    ),
    (
        "a short blind wins from each what it is",
        deep(4, (50, 100, 0), s2=40),
        "3 call; 4 call; 1 call",
        [(160, (1, 2, 3, 4)), (180, (1, 3, 4))],
    ),
    (
        "folded money stays in its layers",
        deep(4, (5, 10, 0), s1=30, s2=60),
        "3 raise 40; 4 raise 100; 1 all-in; 2 all-in; 3 fold",
        [(120, (1, 2, 4)), (70, (2, 4))],
    ),
    (
        "a bet that nobody calls goes back",
        deep(3, (5, 10, 0)),
        "3 raise 500; 1 fold; 2 fold",
        [(25, (3,))],
    ),
    (
        "a short small blind",
        deep(3, (5, 10, 0), s1=2),
        "3 call; 2 check",
        [(6, (1, 2, 3)), (16, (2, 3))],
    ),
]


@pytest.mark.parametrize(
    ("told", "acts", "made"), [case[1:] for case in POTS], ids=[case[0] for case in POTS]
)
def test_the_pots(told: Betting, acts: str, made: list[tuple[int, tuple[int, ...]]]) -> None:
    """RR7-T-20, HPT-POT-06, NL10-ALLIN-03."""
    told = told.copy()
    act(told, acts)
    assert told.next_to_act() is None
    assert [(pot.amount, pot.seats) for pot in pots(list(told.players.values()))] == made


def test_odd_chips_go_one_each_from_left_of_the_button_pot_by_pot() -> None:
    """RR7-TIES-4, RR7-TIES-5a, RR7-TIES-5d."""
    made = [Pot(11, (2, 5, 8)), Pot(5, (2, 8))]
    assert awards(made, {2: 1, 5: 1, 8: 1}, [8, 2, 5]) == {8: 4 + 3, 2: 4 + 2, 5: 3}


def test_an_odd_chip_is_the_smallest_in_play() -> None:
    """RR7-TIES-3, HPT-SHOW-06, NL10-HR-09, TDA09-12, UK-18, TDA24-20."""
    both = {2: 1, 5: 1}
    assert awards([Pot(225, (2, 5))], both, [5, 2], 25) == {5: 125, 2: 100}
    assert awards([Pot(2_500, (2, 5))], both, [5, 2], 100) == {5: 1_300, 2: 1_200}
    assert awards([Pot(210, (2, 5))], both, [5, 2], 25) == {5: 110, 2: 100}


def test_the_big_blind_antes_for_all_and_its_blind_comes_first() -> None:
    """TDA24-RP11A."""
    level = Blinds(100, 200, 200, "big-blind")
    seats = [Player(1, 1_000), Player(2, 250), Player(3, 1_000)]
    told = Betting(seats, button=3, blinds=(1, 2), level=level)
    assert [(p.bet, p.paid, p.all_in) for p in told.players.values()] == [
        (100, 100, False),
        (200, 250, True),
        (0, 0, False),
    ]
    act(told, "3 call; 1 call")
    assert [(pot.amount, pot.seats) for pot in pots(seats)] == [(650, (1, 2, 3))]
    deep_ones = [Player(1, 1_000), Player(2, 1_000), Player(3, 1_000)]
    told = Betting(deep_ones, button=3, blinds=(1, 2), level=level)
    act(told, "3 fold; 1 fold")
    assert uncalled(deep_ones) == (2, 100)
    assert [(pot.amount, pot.seats) for pot in pots(deep_ones)] == [(400, (2,))]


def test_the_ante_for_all_is_won_where_nobody_has_the_small_blind() -> None:
    """TDA24-RP11A, TDA09-24: a dead small blind, and everybody folds. The big blind takes its blind
    back and has won its ante."""
    level = Blinds(100, 200, 200, "big-blind")
    seats = [Player(4, 1_000), Player(1, 1_000), Player(3, 1_000)]
    told = Betting(seats, button=1, blinds=(2, 3), level=level)
    act(told, "4 fold; 1 fold")
    assert uncalled(seats) == (3, 200)
    assert [(pot.amount, pot.seats) for pot in pots(seats)] == [(200, (3,))]


# --- beside PokerKit ---


@pytest.mark.parametrize("path", sorted(HANDS.glob("*.phh")), ids=lambda path: path.stem)
def test_a_real_hand_ends_as_pokerkit_ends_it(path: Path) -> None:
    played = read_hand(path, random.Random(1))
    seats = list(range(1, len(played.stacks) + 1))
    told = betting(dict(zip(seats, played.stacks, strict=True)), (*played.blinds, played.ante))
    hole: dict[int, tuple[str, ...]] = {}
    board: list[str] = []
    for one in played.acts:
        match one:
            case Street(cards):
                assert told.next_to_act() is None
                told.open_round(STREETS[max(0, len(board) - 2)])
                board += cards
            case Fold(player):
                assert told.next_to_act() == player + 1
                told.fold(player + 1)
            case CheckOrCall(player):
                told.act(player + 1, "call", None)
            case BetTo(player, amount):
                assert told.next_to_act() == player + 1
                least = told.min_raise_to(player + 1)
                assert least is not None
                assert amount >= least
                told.act(player + 1, "raise", amount)
            case Show(player):
                hole[player + 1] = played.deck[player : player + len(seats) + 1 : len(seats)]
    assert told.known
    with path.open("rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fields that it does not know
        theirs = [*HandHistory.load(file)][-1]
    if "sm ????" in path.read_text():
        hole.clear()  # shown, but nobody wrote down what
    outcome = settle_pots(hand_of(told), hole, board)
    if outcome.stacks is not None and not theirs.status:
        scale = sum(played.stacks) / sum(theirs.starting_stacks)
        assert_same_but_for_odd_chips(outcome, [round(c * scale) for c in theirs.stacks])


def assert_same_but_for_odd_chips(outcome: Outcome, theirs: list[int]) -> bool:
    """PokerKit gives all odd chips of a pot to one of its winners. Whether there were such."""
    assert outcome.stacks is not None
    odd = [a - b for a, b in zip(outcome.stacks.values(), theirs, strict=True)]
    assert sum(odd) == 0
    assert max(map(abs, odd)) <= 2 * sum(len(pot.seats) > 2 for pot in outcome.pots)
    return any(odd)


@pytest.mark.parametrize("part", range(4))
def test_random_hands_end_as_pokerkit_ends_them(part: int) -> None:
    split = 0
    for number in range(75):
        duel = Duel(random.Random(f"{part}/{number}"))
        split += assert_same_but_for_odd_chips(duel.play(), duel.theirs.stacks)
    assert split < 5
