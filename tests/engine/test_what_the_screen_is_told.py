"""What the dealer's screen is told beside the events: cards dealt, what a call costs, and what is
still waited for."""

from __future__ import annotations

import pytest

from controller.contract.events import Pot
from controller.contract.sight import Price, Sight
from controller.library.books import Library
from tests.rules.table_talk import Talk

FLOP = "deal 4; preflop; burn; board 3; wait 2"


def sight(library: Library, log: str, book: str = "roberts") -> Sight:
    talk = Talk(library, book)
    talk.tell(log)
    return talk.sight


def test_cards_are_counted_at_each_seat_in_play_as_they_are_dealt(library: Library) -> None:
    assert dict(sight(library, "pitch 4 1 2 3").backs) == {1: 1, 2: 1, 3: 1, 4: 0}
    assert dict(sight(library, "deal 4").backs) == {1: 2, 2: 2, 3: 2, 4: 2}
    assert 3 not in dict(sight(library, "deal 4; 3 fold; wait 1").backs)


@pytest.mark.parametrize(
    ("log", "price"),
    [
        ("deal 4", Price(3, 10, 20)),
        ("deal 4; 3 raise 40", Price(4, 40, 70)),
        ("deal 4; 3 call; 4 call; 1 call", Price(2, 0, 20)),  # the big blind's option
        (FLOP, Price(1, 0, 10)),
        (f"{FLOP}; 1 bet 30; 2 call", Price(3, 30, 60)),
        (f"{FLOP}; 1 bet; 2 call", Price(3, None, None)),  # nobody said how much
    ],
)
def test_the_seat_to_act_knows_what_a_call_costs_and_the_least_raise(
    library: Library, log: str, price: Price
) -> None:
    assert sight(library, log).price == price


def test_several_pots_are_told_at_the_showdown(library: Library) -> None:
    seats = [{"seat": 1, "stack": 100}, *({"seat": n, "stack": 1_000} for n in (2, 3, 4))]
    talk = Talk(library, "roberts", seats=seats)
    talk.tell("deal 4; 3 call; 4 fold; 1 all-in; 2 call; 3 call; burn; board 3; wait 2; 2 bet 50")
    talk.tell("3 call; burn; board; wait 2; 2 check; 3 check; burn; board; wait 2; 2 check")
    assert not talk.sight.pots
    talk.tell("3 check; wait 2")
    assert talk.sight.pots == (Pot(300, (1, 2, 3)), Pot(100, (2, 3)))


def test_one_pot_is_none_to_list(library: Library) -> None:
    river = f"{FLOP}; checks; burn; board; checks; burn; board; checks"
    assert sight(library, river).pots == ()


def test_nobody_is_to_act_between_two_rounds(library: Library) -> None:
    assert sight(library, "deal 4; preflop").price is None


def test_a_missing_press_counts_as_a_check_or_a_call(library: Library) -> None:
    assert sight(library, f"{FLOP}; 2 check; wait 4").taken_for == ((1, "check"),)
    assert sight(library, f"{FLOP}; 1 bet 30; 3 call; wait 4").taken_for == ((2, "call"),)


def test_the_step_that_was_not_seen_is_named(library: Library) -> None:
    four = "deal 4; preflop; burn; board 4; wait 3"
    talk = Talk(library, "roberts")
    talk.tell(four)
    (finding, step), *rest = talk.sight.awaited
    assert (step, rest) == ("flop-back", [])
    talk.tell("lift x2 x3 x4 x5; wait 1")
    assert dict(talk.sight.awaited)[finding] != "flop-back"
