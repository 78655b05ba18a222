"""Room and table count the button by the same rules, and where they come apart it is told."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from controller.contract.events import PhaseName
from controller.contract.messages import SeatsCommand
from controller.contract.view import SeatView, TableView
from controller.room.acts import ActError
from controller.room.pucks import PuckDiffers, PuckSeen, after, agreed
from tests.room.told_tables import PLAYING, Tables, hall, playing, tables

__all__ = ["hall", "playing", "tables"]


def view(
    hand: int, place: tuple[int, int, int], seats: Iterable[int], phase: PhaseName = "flop"
) -> TableView:
    button, small, big = place
    return TableView(
        table="T1",
        rulebook="uk-tda",
        hand=hand,
        phase=phase,
        button=button,
        small=small,
        big=big,
        seats=tuple(SeatView(seat) for seat in seats),
    )


def seen(*views: TableView) -> PuckSeen:
    found = None
    for each in views:
        found = after(found, each)
    assert found is not None
    return found


FIVE = (1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        # it goes from player to player
        (view(1, (1, 2, 3), FIVE), view(2, (2, 3, 4), FIVE)),
        # the big blind is out: no small blind in the next hand (RR7-T-30, HPT-DB-01)
        (view(1, (1, 2, 3), FIVE), view(2, (2, 3, 4), (1, 2, 4, 5))),
        # the small blind is out: the button is dead at that seat (UK-30, TDA09-24)
        (view(1, (1, 2, 3), FIVE), view(2, (2, 3, 4), (1, 3, 4, 5))),
        # both are
        (view(1, (1, 2, 3), FIVE), view(2, (2, 3, 4), (1, 4, 5))),
        # three become two: nobody has the big blind twice running (UK-32, TDA09-26, HPT-HU-01)
        (view(1, (1, 2, 3), (1, 2, 3)), view(2, (2, 2, 1), (1, 2))),
        (view(1, (1, 2, 3), (1, 2, 3)), view(2, (3, 3, 1), (1, 3))),
        (view(1, (1, 2, 3), (1, 2, 3)), view(2, (3, 3, 2), (2, 3))),
        # heads-up it goes back and forth
        (view(1, (1, 1, 2), (1, 2)), view(2, (2, 2, 1), (1, 2))),
        # a misdeal is dealt again from the same place (UK-33C)
        (view(1, (1, 2, 3), FIVE, phase="misdeal"), view(2, (1, 2, 3), FIVE)),
        # of a hand that was missed nothing is claimed
        (view(1, (1, 2, 3), FIVE), view(3, (5, 1, 2), FIVE)),
    ],
)
def test_a_button_that_is_where_it_is_due_is_no_difference(
    first: TableView, then: TableView
) -> None:
    assert seen(first, then).differs is None


def test_a_button_elsewhere_is_told_with_where_it_was_due() -> None:
    found = seen(view(1, (1, 2, 3), FIVE), view(2, (4, 5, 1), FIVE))
    assert found.differs == PuckDiffers("T1", 2, due=2, at=4, next=3)


def test_after_a_hand_from_the_wrong_place_both_ways_to_go_on_are_right() -> None:
    """RR7-IRR-1 has the positions that were passed over come first; others go on from there."""
    wrong = (view(1, (1, 2, 3), FIVE), view(2, (4, 5, 1), FIVE))
    assert seen(*wrong, view(3, (3, 4, 5), FIVE)).differs is None
    assert seen(*wrong, view(3, (5, 1, 2), FIVE)).differs is None
    assert seen(*wrong, view(3, (2, 3, 4), FIVE)).differs is not None


def test_a_hand_that_turns_out_to_be_a_misdeal() -> None:
    runs, void = view(1, (1, 2, 3), FIVE), view(1, (1, 2, 3), FIVE, phase="misdeal")
    assert seen(runs, void, view(2, (1, 2, 3), FIVE)).differs is None


def test_what_somebody_has_said_to_be_right_is_counted_from() -> None:
    found = agreed(seen(view(1, (1, 2, 3), FIVE), view(2, (4, 5, 1), FIVE)))
    assert found.differs is None
    after_it = after(found, view(3, (3, 4, 5), FIVE))
    assert after_it is not None
    assert after_it.differs == PuckDiffers("T1", 3, due=5, at=3, next=1)


def test_a_difference_is_on_the_desk_and_settled_by_one_tap(playing: Tables) -> None:
    hall = playing.hall
    playing.shows("T1", 6, PLAYING, button=2, small=6, big=1)
    playing.shows("T1", 7, PLAYING, button=1, small=2, big=6)
    (found,) = hall.room.view().pucks
    assert (found.table, found.due, found.at, found.next) == ("T1", 6, 1, 1)
    hall.act("leave-button", table="T1")
    assert hall.room.view().pucks == ()
    playing.shows("T1", 8, PLAYING, button=1, small=2, big=6)
    (found,) = hall.room.view().pucks
    hall.act("button", table="T1", seat=found.next)
    told = [command for table, command in hall.commands("seats") if table == "T1"][-1]
    assert isinstance(told, SeatsCommand)
    assert (told.button, [each.stack for each in told.seats]) == (found.next, [None])
    assert hall.room.view().pucks == ()


def test_a_button_is_put_only_where_there_is_a_seat_and_a_table_that_hears(
    playing: Tables,
) -> None:
    hall = playing.hall
    with pytest.raises(ActError, match="no table T9"):
        hall.act("button", table="T9", seat=1)
    hall.act("tables", tables=[{"table": "T1", "seats": 6}, {"table": "T2", "seats": 10}])
    with pytest.raises(ActError, match="no seat 7"):
        hall.act("button", table="T1", seat=7)
    hall.table("T1", "lost")
    with pytest.raises(ActError, match="does not answer"):
        hall.act("button", table="T1", seat=1)
