"""Chips that were bought are at the table before the next hand."""

from __future__ import annotations

import pytest

from controller.room.acts import ActError
from tests.room.evening import Hall
from tests.room.told_tables import PLAYING, Tables, hall, playing, tables

__all__ = ["hall", "playing", "tables"]
BROKE = {**PLAYING, 1: 19_000, 2: 1_000, 6: 0}


@pytest.fixture
def between(hall: Hall, playing: Tables) -> Tables:
    """Cy has nothing left after the fifth hand; a rebuy is a stack, an add-on 15,000."""
    hall.act("offer", what="rebuy", at_most=0)
    hall.act("offer", what="add-on", chips=15_000)
    playing.shows("T1", 5, BROKE, phase="complete")
    return playing


def test_a_rebuy_is_there_before_the_next_hand(hall: Hall, between: Tables) -> None:
    hall.act("buy", player="p3", what="rebuy")
    command = between.told()
    assert command is not None
    assert [(one.seat, one.stack, one.player) for one in command.seats] == [(6, 10_000, "Cy")]
    assert (command.hand, command.actor) == (5, "the room's cashier")
    hall.answers(command)
    assert between.told() is None, "once is enough"


def test_what_is_bought_in_a_hand_is_there_after_it(hall: Hall, between: Tables) -> None:
    between.shows("T1", 6, {**BROKE, 6: 500}, phase="turn")
    hall.act("buy", player="p2", what="add-on")
    assert between.told() is None
    between.shows("T1", 6, {**BROKE, 2: 2_500}, phase="complete")
    assert between.takes() == {2: ("seated", "Bob", 17_500)}


def test_what_the_table_refuses_is_told_again_with_what_he_has_then(
    hall: Hall, between: Tables
) -> None:
    """The next hand began meanwhile."""
    hall.act("buy", player="p2", what="add-on")
    command = between.told()
    assert command is not None
    hall.answers(command, ok=False, reason="hand")
    between.shows("T1", 6, {**BROKE, 2: 700}, phase="complete")
    assert between.takes() == {2: ("seated", "Bob", 15_700)}


def test_two_in_one_pause_are_two(hall: Hall, between: Tables) -> None:
    """The table shows what a seat had when the hand was over, and not what it was told since."""
    hall.act("buy", player="p3", what="rebuy")
    assert between.takes() == {6: ("seated", "Cy", 10_000)}
    hall.act("buy", player="p3", what="add-on")
    assert between.takes() == {6: ("seated", "Cy", 25_000)}
    between.shows("T1", 6, {**BROKE, 6: 25_000})
    between.shows("T1", 6, {**BROKE, 6: 24_000}, phase="complete")
    hall.act("buy", player="p3", what="add-on")
    assert between.takes() == {6: ("seated", "Cy", 39_000)}


def test_who_is_away_stays_away(hall: Hall, between: Tables) -> None:
    hall.act("penalise", player="p3", unit="hands", amount=3)
    assert between.takes() == {6: ("penalty", "Cy", None)}
    hall.act("buy", player="p3", what="rebuy")
    assert between.takes() == {6: ("penalty", "Cy", 10_000)}


def test_two_at_once_are_two(hall: Hall, between: Tables) -> None:
    hall.act("buy", player="p3", what="rebuy")
    hall.act("buy", player="p3", what="add-on")
    assert between.takes() == {6: ("seated", "Cy", 25_000)}


def test_what_was_taken_back_is_taken_off_again(hall: Hall, between: Tables) -> None:
    hall.act("buy", player="p2", what="add-on")
    assert between.takes() == {2: ("seated", "Bob", 16_000)}
    hall.act("unbuy", player="p2", what="add-on")
    assert between.takes() == {2: ("seated", "Bob", 1_000)}
    hall.act("buy", player="p2", what="add-on")
    assert between.takes() == {2: ("seated", "Bob", 16_000)}
    assert between.told() is None


def test_what_was_bought_reaches_him_at_another_table(hall: Hall, between: Tables) -> None:
    between.shows("T1", 6, {**BROKE, 6: None}, phase="flop")
    hall.act("buy", player="p2", what="add-on")
    assert between.told() is None, "in a hand nobody adds to what he has"
    hall.act("sit", player="p2", table="T2", seat=9)
    between.takes("T1")
    between.shows("T1", 6, {**BROKE, 6: None}, phase="complete")
    assert between.takes("T2") == {9: ("seated", "Bob", 1_000)}
    between.shows("T2", 6, {1: 10_000, 9: 900}, phase="complete")
    assert between.takes("T2") == {9: ("seated", "Bob", 15_900)}


def test_what_was_taken_back_before_it_was_told_is_not_told(hall: Hall, between: Tables) -> None:
    hall.act("buy", player="p3", what="rebuy")
    hall.act("unbuy", player="p3", what="rebuy")
    assert between.told() is None
    hall.act("buy", player="p3", what="rebuy")
    assert between.takes() == {6: ("seated", "Cy", 10_000)}


def test_a_re_entry_comes_with_its_seat(hall: Hall, between: Tables) -> None:
    hall.act("offer", what="re-entry")
    hall.act("bust", entrant="p3")
    assert between.takes() == {6: ("empty", None, None)}
    hall.act("buy", player="p3", what="re-entry")
    hall.act("sit", player="p3", table="T1", seat=9)
    assert between.takes() == {9: ("seated", "Cy", 10_000)}
    between.shows("T1", 6, {**BROKE, 9: 10_000}, phase="complete")
    assert between.told() is None


def test_an_answer_that_was_lost_brings_the_chips_once(hall: Hall, between: Tables) -> None:
    """It is asked again as it was, and what the table shows by then is with them."""
    hall.act("buy", player="p3", what="rebuy")
    first = between.told()
    assert first is not None
    between.shows("T1", 6, {**BROKE, 6: 10_000}, phase="complete")
    hall.passes(8_000)
    assert [each for name, each in hall.commands("seats") if name == "T1"][-1] == first
    hall.answers(first, ok=False, reason="repeated")
    hall.passes(8_000)
    assert between.told() is None


def test_a_table_that_is_away_is_asked_when_it_is_back(hall: Hall, between: Tables) -> None:
    hall.act("buy", player="p3", what="rebuy")
    first = between.told()
    assert first is not None
    hall.table("T1", "lost")
    before = len(hall.commands("seats"))
    hall.passes(60_000)
    assert len(hall.commands("seats")) == before
    hall.table("T1")
    between.shows("T1", 5, BROKE, phase="complete")
    hall.passes(2_000)
    hall.answers(first)
    assert hall.room.view().register.by_id["p3"].delivered == ("rebuy",)


def test_chips_that_were_lost_before_the_table_answered_do_not_come_back(
    hall: Hall, between: Tables
) -> None:
    hall.act("buy", player="p2", what="add-on")
    bought = between.told()
    assert bought is not None
    between.shows("T1", 6, {**BROKE, 2: 16_000})
    between.shows("T1", 6, {1: 35_000, 2: 0}, phase="complete")
    hall.act("stand", player="p2")
    assert between.takes() == {2: ("empty", None, None)}
    hall.passes(2_000)
    hall.answers(bought)
    assert hall.room.view().register.by_id["p2"].delivered == ("add-on",)
    hall.act("sit", player="p2", table="T2", seat=9)
    assert between.takes("T2") == {9: ("seated", "Bob", 0)}


def test_what_was_bought_and_lost_is_not_given_back_at_another_table(
    hall: Hall, between: Tables
) -> None:
    """There his seat shows nothing of him yet."""
    hall.act("buy", player="p2", what="add-on")
    between.takes()
    between.shows("T1", 6, {**BROKE, 2: 16_000})
    between.shows("T1", 6, {1: 35_000, 2: 0}, phase="complete")
    hall.act("sit", player="p2", table="T2", seat=9)
    with pytest.raises(ActError, match="Bob has 0 chips left of the 15,000 that it brought"):
        hall.act("unbuy", player="p2", what="add-on")


def test_what_lies_at_his_seat_before_he_is_there_is_not_his(hall: Hall, between: Tables) -> None:
    """Zoe plays there still: how much he has nobody knows, and he may buy."""
    between.names["T2"] = {2: "Zoe"}
    between.shows("T2", 6, {1: 10_000, 2: 10_000})
    hall.act("enter", name="Eve", table="T2", seat=2)
    hall.act("buy", player="p5", what="rebuy")
    assert hall.room.view().register.by_id["p5"].bought == ("rebuy",)
