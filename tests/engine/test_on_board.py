"""What the picture shows of the board while something is wrong with it, and what it must not."""

from __future__ import annotations

import pytest

from controller.contract.picture import Picture
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.rules.table_talk import Talk

FLOP = "deal 3; preflop; burn; board 3"
"""x1, 8s, is the burn; the flop is 9s Ts Js, and the next card Qs."""


def told(library: Library, log: str, book: str = "roberts") -> Talk:
    talk = Talk(library, book)
    talk.tell(log)
    return talk


def test_four_cards_on_the_flop_lie_there_for_all_to_see(library: Library) -> None:
    sight = told(library, "deal 3; preflop; burn; board 4; wait 3").sight
    assert sight.on_board == ("9s", "Ts", "Js", "Qs")
    assert sight.odd == (3,)


def test_one_of_them_may_be_the_burn_where_none_was_read(library: Library) -> None:
    sight = told(library, "deal 3; preflop; board 4; wait 3").sight
    assert sight.on_board == ("", "", "", "")


def test_three_are_the_flop_also_without_a_burn_but_one_may_be_the_burn_of_the_turn(
    library: Library,
) -> None:
    assert told(library, "deal 3; preflop; board 3; wait 3").sight.on_board == ("8s", "9s", "Ts")
    assert told(library, "deal 3; preflop; board 2; wait 2").sight.on_board == ("", "")
    sight = told(library, f"{FLOP}; checks; board; wait 3").sight
    assert sight.on_board == ("9s", "Ts", "Js", "")


def test_a_table_without_a_burn_antenna_names_what_stands_only(library: Library) -> None:
    zones = [*(f"seat/{n}" for n in range(1, 11)), "board", "muck"]
    talk = Talk(library, "roberts", zones=zones)
    talk.tell("deal 3; preflop; board 4; wait 3")
    assert talk.sight.on_board == ("", "", "", "")


def test_a_card_is_named_once_it_rests(library: Library) -> None:
    assert told(library, FLOP).sight.on_board == ("", "", "")
    assert told(library, f"{FLOP}; wait 3").sight.on_board == ("9s", "Ts", "Js")


def test_the_turn_that_came_too_soon_is_odd(library: Library) -> None:
    sight = told(library, f"{FLOP}; wait 2; 2 check; burn; board; wait 3").sight
    assert sight.on_board is not None
    assert sight.on_board[:3] == ("9s", "Ts", "Js")
    assert sight.on_board[3]
    assert sight.odd == (3,)


def test_what_is_to_go_back_lies_there_for_all_to_see_until_it_is_taken(library: Library) -> None:
    log = "deal 3; preflop; burn; board 4; wait 3; floor; rules redeal-flop; wait 1"
    talk = told(library, log, "uk-tda")
    assert talk.sight.on_board == ("9s", "Ts", "Js", "Qs")
    talk.tell("lift x2 x3; wait 1; lay x2 board; wait 3")
    assert {"9s", "Ts"}.isdisjoint(talk.sight.on_board or ())


def test_the_four_lie_there_for_all_to_see_until_they_are_turned_down(library: Library) -> None:
    """UK-35: the floor picks the burn. Until the dealer turns them, all four are face up."""
    log = "deal 3; preflop; burn; board 4; wait 3; floor; rules floor-pick; wait 1"
    talk = told(library, log, "uk-tda")
    assert talk.sight.on_board == ("9s", "Ts", "Js", "Qs")
    talk.tell("lift x2; wait 1")
    assert set(talk.sight.on_board or ()) == {""}
    talk.tell("lay x2 board; wait 3")
    assert set(talk.sight.on_board or ()) == {""}


@pytest.mark.parametrize("ruled", ["", "floor; rules floor-pick; "])
def test_they_are_not_named_once_the_dealer_says_that_they_are_scrambled(
    library: Library, ruled: str
) -> None:
    """Where they are turned and pushed about on the antenna, nothing leaves it."""
    talk = told(library, f"deal 3; preflop; burn; board 4; wait 3; {ruled}wait 1", "uk-tda")
    assert talk.sight.on_board == ("9s", "Ts", "Js", "Qs")
    talk.tell("done scramble; wait 1")
    assert set(talk.sight.on_board or ()) == {""}


def test_nothing_is_named_while_the_flop_is_scrambled_face_down(library: Library) -> None:
    log = "deal 3; preflop; burn; board 4; wait 3; floor; lift x2 x3 x4 x5; wait 1"
    laid = f"{log}; lay x4 board; lay x2 board; lay x5 board; lay x3 board; wait 3"
    sight = told(library, laid, "uk-tda").sight
    assert sight.on_board is not None
    assert set(sight.on_board) <= {""}


@pytest.mark.parametrize("book", ["roberts", "uk-tda", "homepokertourney"])
def test_a_burn_that_comes_to_lie_on_the_board_is_not_named(library: Library, book: str) -> None:
    log = "deal 3; preflop; burn; board 3; wait 2; checks; burn; wait 1; lay x5 board; wait 3"
    talk = told(library, log, book)
    assert "Qs" not in (talk.sight.on_board or ())


def test_it_is_the_board_of_a_regular_hand(library: Library) -> None:
    talk = told(library, f"{FLOP}; checks; burn; board; checks; burn; board; wait 3")
    engine, picture = Engine(library.book), Picture("T", "roberts", library.texts)
    from controller.contract.observations import decode

    for line in talk.log:
        picture.take(engine.observe(decode(line)))
        picture.with_sight(engine.sight())
    assert len(picture.view.board) == 5
    assert picture.view.on_board == picture.view.board
    assert picture.view.odd == ()
