"""Who has nothing left after a hand is proposed as out, and who says that he is."""

from __future__ import annotations

from collections.abc import Sequence

from controller.contract.events import Result, Start, StartSeat
from controller.contract.sight import SeatChips
from tests.room.evening import Hall
from tests.room.told_tables import BLINDS, SECOND, Tables, hall, playing, seat, tables

__all__ = ["hall", "playing", "tables"]


def proposed(hall: Hall) -> list[tuple[str, int, str, int | None]]:
    return [(p.table, p.seat, p.player, p.began) for p in hall.room.view().proposed]


def result(number: int, **stacks: int) -> Result:
    return Result(9.0, number, (), None, {key[1:]: chips for key, chips in stacks.items()})


def start(number: int, *stacks: int, names: Sequence[str | None] = (None,) * 3) -> Start:
    there = zip((1, 2, 6), stacks, names, strict=True)
    return Start(1.0, number, tuple(StartSeat(*each) for each in there), 1, BLINDS)


def test_who_has_nothing_left_is_proposed_with_what_he_began_with(
    hall: Hall, playing: Tables
) -> None:
    playing.tells("T1", start(6, 9_000, 11_000, 400))
    playing.tells("T1", result(6, s1=20_400, s2=0, s6=0))
    assert proposed(hall) == [("T1", 6, "Cy", 400), ("T1", 2, "Bob", 11_000)]
    hall.act("busts", outs=[{"entrant": "p3", "began": 400}, {"entrant": "p2", "began": 11_000}])
    assert proposed(hall) == []
    assert [each.player for each in hall.room.view().finishes] == ["Bob", "Cy"]
    assert playing.takes() == {2: seat("empty"), 6: seat("empty")}


def test_a_hand_that_is_void_gives_the_chips_back(hall: Hall, playing: Tables) -> None:
    playing.tells("T1", start(6, 9_000, 11_000, 10_000))
    playing.tells("T1", result(6, s1=19_000, s2=11_000, s6=0))
    assert proposed(hall) == [("T1", 6, "Cy", 10_000)]
    playing.tells("T1", result(6, s1=9_000, s2=11_000, s6=10_000))
    assert proposed(hall) == []


def test_who_is_all_in_is_not_out(hall: Hall, playing: Tables) -> None:
    playing.shows("T1", 9, {1: 19_000, 2: 11_000, 6: 0}, phase="turn")
    assert proposed(hall) == []


def test_what_the_room_has_not_heard_the_picture_shows(hall: Hall, playing: Tables) -> None:
    playing.shows("T1", 9, {1: 19_000, 2: 11_000, 6: 0}, phase="complete")
    assert proposed(hall) == [("T1", 6, "Cy", None)]
    playing.shows("T1", 10, {1: 19_000, 2: 11_000})
    assert playing.seating().differs == (), "he gets no hand"
    hall.act("bust", entrant="p3")
    assert proposed(hall) == []


def test_who_sits_down_there_next_is_not_out(hall: Hall, playing: Tables) -> None:
    playing.shows("T1", 9, {1: 19_000, 2: 11_000, 6: 0}, phase="complete")
    hall.act("bust", entrant="p3")
    hall.act("enter", name="Eve", table="T1", seat=6)
    playing.takes()
    assert proposed(hall) == []


def dealer_says(playing: Tables, *gone: int, hand: int = 6, dealer: str | None = "Ada") -> None:
    left = {1: 20_400, 2: 0, 6: 0}
    playing.shows("T1", hand, left, phase="complete", gone=gone, dealer=dealer)
    playing.hall.passes(2 * SECOND)


def out(hall: Hall) -> list[str | None]:
    return [each.player for each in hall.room.view().finishes]


def test_the_dealer_says_who_is_out(hall: Hall, playing: Tables) -> None:
    """By one tap at the table, the desk need not."""
    playing.tells("T1", start(6, 19_000, 11_000, 400))
    playing.tells("T1", result(6, s1=19_400, s2=11_000, s6=0))
    playing.shows("T1", 6, {1: 19_400, 2: 11_000, 6: 0}, phase="complete")
    hall.passes(2 * SECOND)
    assert out(hall) == []
    playing.shows("T1", 6, {1: 19_400, 2: 11_000, 6: 0}, phase="complete", gone=(6,), dealer="Ada")
    hall.passes(2 * SECOND)
    assert out(hall) == ["Cy"]
    assert proposed(hall) == []
    assert hall.room.view().history[-1].actor == "Ada, T1"


def test_of_two_of_one_hand_the_smaller_stack_is_lower_whoever_was_said_first(
    hall: Hall, playing: Tables
) -> None:
    """HPT-WIN-02, RR7-T-35."""
    playing.tells("T1", start(6, 9_000, 11_000, 400))
    playing.tells("T1", result(6, s1=20_400, s2=0, s6=0))
    dealer_says(playing, 2)
    assert out(hall) == []
    dealer_says(playing, 2, 6)
    assert out(hall) == ["Bob", "Cy"]


def test_what_the_desk_takes_back_the_dealers_word_does_not_bring_again(
    hall: Hall, playing: Tables
) -> None:
    playing.tells("T1", start(6, 9_000, 11_000, 400))
    playing.tells("T1", result(6, s1=20_400, s2=0, s6=0))
    dealer_says(playing, 2, 6)
    hall.act("unbust")
    hall.act("unbust")
    dealer_says(playing, 2, 6, dealer=None)
    assert out(hall) == []


def test_whose_stack_is_not_known_the_desk_decides(hall: Hall, playing: Tables) -> None:
    """The order of two of one hand."""
    dealer_says(playing, 2, 6)
    assert out(hall) == []
    assert len(proposed(hall)) == 2


def test_who_was_forgotten_is_out_with_a_later_tap(hall: Hall, playing: Tables) -> None:
    """Hand by hand: who went out first is placed lower."""
    playing.tells("T1", start(6, 20_000, 11_000, 12_000))
    playing.tells("T1", result(6, s1=32_000, s2=11_000, s6=0))
    playing.tells("T1", start(7, 32_000, 11_000, 0))
    playing.tells("T1", result(7, s1=43_000, s2=0))
    dealer_says(playing, 2, hand=7)
    assert out(hall) == []
    dealer_says(playing, 2, 6, hand=7)
    assert out(hall) == ["Bob", "Cy"]


def test_while_a_hand_runs_nobody_is_out(hall: Hall, playing: Tables) -> None:
    playing.tells("T1", start(6, 19_000, 11_000, 400))
    playing.tells("T1", result(6, s1=19_400, s2=11_000, s6=0))
    playing.shows("T1", 6, {1: 20_400, 2: 0, 6: 0}, gone=(6,))
    hall.passes(2 * SECOND)
    assert out(hall) == []


def test_who_comes_to_the_seat_of_one_who_is_out_is_not(hall: Hall, playing: Tables) -> None:
    """The table shows whose chips there are none of."""
    playing.shows("T1", 9, {1: 19_000, 2: 11_000, 6: 0}, phase="complete", gone=(6,))
    hall.act("sit", player="p4", table="T1", seat=6, swap=True)
    playing.shows("T1", 9, {1: 19_000, 2: 11_000, 6: 0}, phase="complete", gone=(6,))
    hall.passes(3 * SECOND)
    assert proposed(hall) == []
    assert hall.room.view().register.by_id["p4"].status != "out"


def test_who_has_come_back_to_his_seat_is_not_out_again(hall: Hall, playing: Tables) -> None:
    """He was out there with his first entry."""
    hall.act("offer", what="re-entry")
    playing.tells("T1", start(6, 19_000, 11_000, 400))
    playing.tells("T1", result(6, s1=19_400, s2=11_000, s6=0))
    hall.act("bust", entrant="p3")
    hall.act("buy", player="p3", what="re-entry")
    hall.act("sit", player="p3", table="T1", seat=6)
    assert proposed(hall) == []


def test_who_comes_to_a_seat_in_a_hand_has_not_lost_the_chips_of_who_plays_it(
    hall: Hall, playing: Tables
) -> None:
    """The table had not been told of him as its hand began."""
    hall.act("sit", player="p4", table="T1", seat=6, swap=True)
    playing.tells("T1", start(6, 9_000, 11_000, 10_000, names=("Ann", "Bob", "Cy")))
    playing.tells("T1", result(6, s1=19_000, s2=11_000, s6=0))
    playing.shows("T1", 6, {1: 19_000, 2: 11_000, 6: 0}, phase="complete", gone=(6,))
    hall.passes(3 * SECOND)
    assert out(hall) == []
    assert proposed(hall) == []


def test_of_a_hand_of_which_only_the_end_is_heard_the_picture_says_whose_chips_went(
    hall: Hall, playing: Tables
) -> None:
    playing.names["T1"] = {6: "Cy"}
    hall.act("sit", player="p4", table="T1", seat=6, swap=True)
    playing.tells("T1", result(7, s1=19_000, s2=11_000, s6=0))
    playing.shows("T1", 7, {1: 19_000, 2: 11_000, 6: 0}, phase="complete", gone=(6,))
    hall.passes(3 * SECOND)
    assert out(hall) == []


def test_who_comes_back_to_the_seat_where_he_lost_with_chips_is_not_out(
    hall: Hall, playing: Tables
) -> None:
    """The table shows that seat as one whose player has gone, until he is there."""
    hall.act("offer", what="rebuy")
    playing.names["T1"] = {6: "Cy"}
    playing.tells("T1", start(6, 19_000, 11_000, 400))
    playing.tells("T1", result(6, s1=19_400, s2=11_000, s6=0))
    left = {1: 19_400, 2: 11_000, 6: 0}
    playing.shows("T1", 6, left, phase="complete")
    hall.act("sit", player="p3", table="T1", seat=7)
    hall.act("buy", player="p3", what="rebuy")
    for _ in range(3):
        playing.takes()
    after = {1: 19_400, 2: 11_000}
    gone = (SeatChips(6, 0, "Cy"),)
    playing.shows("T1", 6, {**after, 7: 10_000}, phase="complete", left=gone, gone=(6,))
    hall.act("sit", player="p3", table="T1", seat=6)
    playing.shows("T1", 6, after, phase="complete", left=gone, gone=(6,))
    hall.passes(3 * SECOND)
    assert out(hall) == []
    assert proposed(hall) == []
