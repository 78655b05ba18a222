"""After the floor has ruled: who ruled what, and the steps of that outcome until they are done."""

from __future__ import annotations

import pytest

from controller.contract.messages import TABLE_HAND
from controller.library.books import Library
from controller.table.publisher import Publisher
from display.dealer.looking import opened
from display.dealer.texts import Texts
from tests.display_dealer.tapped_table import Table

FOUR = "deal 4; preflop; burn; board 4; wait 3; 1 check; wait 1; floor"


def says(table: Table, region: str, texts: Texts) -> str:
    labels = table.screen(texts).labels
    return next((one.text for one in labels if one.region == region), "")


def test_the_head_says_who_ruled_what_and_the_steps_of_that_follow(
    library: Library, texts: Texts
) -> None:
    table = Table(library, "uk-tda", FOUR)
    table.rules("floor-pick")
    assert table.view.findings == ()
    assert says(table, "title", texts) == "Ali: Pick the burn"
    buttons = {one.id: one for one in table.screen(texts).buttons if one.enabled}
    assert buttons["done"].label == "Scrambled"
    assert "dismiss" not in buttons
    table.tap("done")
    assert {one.id: one for one in table.screen(texts).buttons}["done"].label == "Picked"


@pytest.mark.parametrize("outcome", ["redeal-flop", "floor-pick"])
def test_it_goes_once_the_cards_lie_as_was_ruled(
    library: Library, texts: Texts, outcome: str
) -> None:
    table = Table(library, "uk-tda", FOUR.replace("1 check; ", ""))
    table.rules(outcome)
    assert opened(table.view, table.looking)
    if outcome == "floor-pick":
        table.tell("lift x2 x3 x4 x5; wait 1; lay x4 burn; wait 1; lay x2 board; lay x3 board")
        table.tell("lay x5 board; wait 3")
    else:
        table.tell("lift x2 x3 x4 x5; wait 1; reshuffled; board 3; wait 3")
    assert table.view.ruled == ()
    assert opened(table.view, table.looking) is None
    assert len(table.view.board) == 3
    assert says(table, "banner", texts)


@pytest.mark.parametrize(
    ("log", "outcome"),
    [
        ("deal 4; preflop; board 3; wait 3", "redeal-flop"),
        ("deal 4; preflop; board 3; wait 3; floor", "redeal-flop"),
        ("deal 4; preflop; burn; board 3; wait 3; checks; board; wait 3", "correct-burn"),
    ],
)
def test_what_the_floor_has_ruled_on_is_not_asked_about_any_more(
    library: Library, texts: Texts, log: str, outcome: str
) -> None:
    table = Table(library, "homepokertourney", log)
    assert table.next_step().startswith("ask-")
    table.rules(outcome)
    steps = []
    while step := table.next_step():
        buttons = {one.id: one.style for one in table.screen(texts).buttons if one.enabled}
        assert buttons["done"] == "main"
        assert not {"yes", "no"} & buttons.keys()
        steps.append(step)
        table.tap("done")
        assert len(steps) < 9, steps
    assert steps
    assert not any(step.startswith("ask-") for step in steps)


def test_antennas_tick_the_steps_of_a_ruling_on_what_was_asked(library: Library) -> None:
    table = Table(library, "homepokertourney", "deal 4; preflop; board 3; wait 3")
    table.rules("redeal-flop")
    table.tell("lift x1 x2 x3; wait 1")
    assert table.next_step() == "shuffle"


def test_a_ruling_that_nobody_has_to_carry_out_leaves_nothing(library: Library) -> None:
    table = Table(
        library,
        "tda-2009",
        "deal 3; preflop; burn; board 3; 1 check; burn; board; wait 2; confirm; floor",
    )
    table.rules("dead-hand")
    assert table.view.ruled == ()


def test_a_later_ruling_takes_the_place_of_the_first(library: Library, texts: Texts) -> None:
    table = Table(library, "uk-tda", FOUR)
    table.rules("floor-pick")
    finding = table.view.ruled[0].id
    table.rules("redeal-flop", by="Bo")
    assert [one.id for one in table.view.ruled] == [finding]
    assert says(table, "title", texts) == "Bo: Redeal the flop"


def test_it_is_over_with_the_hand(library: Library) -> None:
    table = Table(library, "uk-tda", FOUR)
    table.rules("floor-pick")
    assert table.view.ruled
    table.tell("award")
    assert table.view.ruled == ()
    assert table.view.ruled_by == {}


def test_lookers_on_do_not_read_who_has_ruled(library: Library) -> None:
    table = Table(library, "uk-tda", FOUR)
    table.rules("floor-pick")
    publisher = Publisher("s", "T", session="1", version="1", now_ms=lambda: 0)
    told = TABLE_HAND.decode(publisher.picture(table.view).payload).value
    assert told.view.ruled
    assert told.view.ruled_by == {}
    assert table.view.ruled_by
