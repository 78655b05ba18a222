"""Re-entries, rebuys and add-ons; and several who go out in one hand."""

from __future__ import annotations

import pytest

from controller.room.seat_draw import AtSeat
from tests.room.evening import MINUTE, Hall
from tests.room.test_entered import figures, hall, places, status
from tests.room.test_finishing_order import refused

__all__ = ["hall"]


def gone(*began: int | None) -> list[dict[str, object]]:
    """Those of p2, p3, … who began the hand with so many chips."""
    return [
        {"entrant": f"p{number}", **({} if chips is None else {"began": chips})}
        for number, chips in enumerate(began, 2)
    ]


# --- again ---


def test_what_was_bought_stays_in_play_when_nobody_may_any_more(hall: Hall) -> None:
    """And what it brought is not another number afterwards."""
    hall.act("offer", what="add-on", chips=2_000)
    hall.act("buy", player="p1", what="add-on")
    assert figures(hall) == (4, 4, 10_500)
    other = "some have had 2,000 chips for it: it can't bring anything else now"
    assert refused(hall, "offer", what="add-on", chips=3_000) == other
    hall.act("offer", what="add-on", ends=True)
    assert figures(hall) == (4, 4, 10_500)
    assert refused(hall, "buy", player="p2", what="add-on") == "this tournament has no add-ons"
    assert refused(hall, "offer", what="add-on") == other
    hall.act("offer", what="add-on", chips=2_000, until=9)
    hall.act("buy", player="p2", what="add-on")
    assert figures(hall) == (4, 4, 11_000)
    hall.act("offer", what="rebuy", chips=5_000)
    hall.act("offer", what="rebuy", chips=6_000)
    hall.act("offer", what="rebuy", ends=True)
    assert "rebuy" not in hall.room.view().register.offers, "nobody has had one"


def test_who_was_out_enters_again_with_a_new_seat_and_a_full_stack(hall: Hall) -> None:
    """UK-07, TDA24-08A1, TDA24-08A2: of the same pool as all."""
    hall.act("offer", what="re-entry", until=6, most=1)
    hall.act("bust", entrant="p4")
    assert figures(hall) == (4, 3, 13_333)
    hall.act("buy", player="p4", what="re-entry")
    assert figures(hall) == (5, 4, 12_500)
    assert status(hall, "p4") == "entered"
    assert places(hall) == [(5, "Dee", "T2", 2)]
    hall.act("draw", seed="s")
    assert hall.room.view().register.by_id["p4"].at is not None
    hall.act("bust", entrant="p4")
    assert [(place, name) for place, name, _, _ in places(hall)] == [(4, "Dee"), (5, "Dee")]
    once = "Dee has had 1 of 1 re-entries"
    assert refused(hall, "buy", player="p4", what="re-entry") == once


def test_only_who_is_out_enters_again(hall: Hall) -> None:
    no = "this tournament has no re-entries"
    assert refused(hall, "buy", player="p4", what="re-entry") == no
    hall.act("offer", what="re-entry")
    assert refused(hall, "buy", player="p4", what="re-entry") == "Dee is in"
    assert refused(hall, "buy", player="p9", what="re-entry") == "nobody has the id p9"


def test_a_re_entry_is_taken_back(hall: Hall) -> None:
    hall.act("offer", what="re-entry")
    hall.act("bust", entrant="p4")
    hall.act("buy", player="p4", what="re-entry")
    hall.act("unbuy", player="p4", what="re-entry")
    assert figures(hall) == (4, 3, 13_333)
    assert status(hall, "p4") == "out"
    finish = hall.room.view().register.by_id["p4"].finish
    hall.act("unbust", id=finish)
    assert (status(hall, "p4"), figures(hall)[1]) == ("seated", 4)


def test_who_was_not_out_has_not_entered_again(hall: Hall) -> None:
    hall.act("offer", what="re-entry")
    hall.act("bust", entrant="p4")
    finish = hall.room.view().finishes[0].id
    hall.act("buy", player="p4", what="re-entry")
    hall.act("unbust", id=finish)
    assert figures(hall)[:2] == (4, 4)
    assert hall.room.view().register.by_id["p4"].bought == ()


# --- chips ---


def test_rebuys_bring_chips_as_long_and_as_often_as_the_house_says(hall: Hall) -> None:
    """HPT-BUY-02, HPT-BUY-03: who has lost every chip, until level four, once."""
    hall.act("offer", what="rebuy", until=1, most=1, at_most=0)
    hall.table("T1")
    hall.hand("T1", phase="complete", stacks=(20_000, 0))
    assert refused(hall, "buy", player="p1", what="rebuy") == (
        "Ann has 20,000 chips, and more than 0"
    )
    hall.act("buy", player="p2", what="rebuy")
    assert figures(hall) == (4, 4, 12_500), "five stacks for four players"
    assert refused(hall, "buy", player="p2", what="rebuy") == "Bob has had 1 of 1 rebuys"
    hall.act("unbuy", player="p2", what="rebuy")
    assert figures(hall) == (4, 4, 10_000)
    hall.passes(21 * MINUTE)
    assert refused(hall, "buy", player="p2", what="rebuy") == "rebuys ended with level 1"


def test_an_add_on_may_be_other_than_a_stack(hall: Hall) -> None:
    hall.act("offer", what="add-on", chips=15_000)
    hall.act("buy", player="p1", what="add-on")
    hall.act("buy", player="p2", what="add-on")
    assert figures(hall)[2] == 17_500
    hall.act("offer", what="add-on", ends=True)
    no = "this tournament has no add-ons"
    assert refused(hall, "buy", player="p3", what="add-on") == no


def test_chips_are_bought_by_who_sits(hall: Hall) -> None:
    hall.act("offer", what="rebuy")
    hall.act("bust", entrant="p4")
    out = "Dee is out: a re-entry is what he needs"
    assert refused(hall, "buy", player="p4", what="rebuy") == out
    hall.act("enter", name="Eve")
    assert refused(hall, "buy", player="p5", what="rebuy") == "Eve has no seat"
    assert refused(hall, "unbuy", player="p1", what="rebuy") == "Ann has had no rebuys"


# --- several in one hand ---


def test_who_began_the_hand_with_more_is_placed_higher(hall: Hall) -> None:
    """HPT-WIN-02, RR7-T-35."""
    hall.act("busts", outs=gone(9_000, 400, 5_000))
    assert [(place, name) for place, name, _, _ in places(hall)] == [
        (1, "Ann"),
        (2, "Bob"),
        (3, "Dee"),
        (4, "Cy"),
    ]


def test_equal_stacks_share_their_places(hall: Hall) -> None:
    """RR7-T-35: equal chips share the prize money."""
    hall.act("tournament", prizes=["500", "300", "200"])
    hall.act("busts", outs=gone(5_000, 5_000))
    listed = hall.room.view().finishes
    assert [(each.place, each.shared, each.prize) for each in listed] == [(3, 2, "200")] * 2


def test_in_some_houses_all_of_one_hand_share(hall: Hall) -> None:
    """NL10-WIN-02: players eliminated on the same hand split the prizes for their places."""
    hall.act("busts", outs=gone(9_000, None), share=True)
    assert [(place, name) for place, name, _, _ in places(hall)] == [(3, "Bob"), (3, "Cy")]


def test_a_stack_that_decides_has_to_be_known(hall: Hall) -> None:
    unknown = "say with how many chips each of them began the hand"
    assert refused(hall, "busts", outs=gone(9_000, None)) == unknown
    assert places(hall) == []
    assert refused(hall, "busts", outs=[*gone(1), {"entrant": "p9", "began": 2}]) == (
        "nobody has the id p9"
    )
    assert (places(hall), status(hall, "p2")) == ([], "seated")


def test_all_of_one_hand_leave_their_seats(hall: Hall) -> None:
    hall.act("busts", outs=gone(1, 2))
    free = hall.room.view().register.free()
    assert {AtSeat("T1", 2), AtSeat("T2", 1)} <= set(free)


@pytest.mark.parametrize("what", ["rebuy", "add-on", "re-entry"])
def test_the_offer_outlives_the_players(hall: Hall, what: str) -> None:
    hall.act("offer", what=what, until=4)
    hall.act("pause")
    hall.act("reset")
    hall.act("clear")
    assert what in hall.room.view().register.offers
