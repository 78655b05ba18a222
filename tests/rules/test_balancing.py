"""Who moves to a shorter table, and to which chair there, by the sentences of each book."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.balancing import (
    MoveWay,
    Ring,
    Trigger,
    chair,
    chairs,
    mover,
    too_short,
    unbalanced,
)
from controller.rules.button import Positions, next_positions, positions

FULL = frozenset(range(1, 10))
HPT = Trigger(2)
ROBERTS = Trigger(2, many=6, gap_of_many=3)
WAYS: tuple[MoveWay, ...] = ("worst", "soonest", "position", "behind-button")


def ring(*open_: int, chairs: int = 9, button: int = 1, vacated: tuple[int, ...] = ()) -> Ring:
    """A table after a hand that all of its chairs had, of which these are empty now."""
    last = positions(button, range(1, chairs + 1))
    players = frozenset(range(1, chairs + 1)) - set(open_)
    return Ring(chairs, players, last, vacated=vacated)


def test_the_one_who_is_due_the_big_blind_goes_to_the_worst_chair() -> None:
    """TDA09-06a, TDA24-11A1: a single big blind too, even if the seat has it twice."""
    assert mover("worst", ring(button=4), ring(7, 8)) == 7
    assert chair("worst", ring(4, 8, 9)) == 4, "it is due the big blind"
    assert chair("worst", ring(6, 8)) == 6, "it is due it before the other"


def test_the_worst_chair_is_never_the_small_blind() -> None:
    """TDA09-06a; nor between it and the button, where nobody gets a hand (TDA09-05)."""
    assert chair("worst", ring(3, 7)) == 7, "who was the big blind there is out"
    assert chair("worst", ring(3)) is None, "after the next hand it is another's"
    gone = Ring(9, frozenset({1, 4, 5, 6, 8}), Positions(1, 3, 4))
    assert [one.seat for one in chairs(gone) if one.is_behind or one.is_small] == []


def test_nobody_is_put_between_the_button_and_the_small_blind() -> None:
    """TDA09-05, UK-09."""
    wide = Ring(9, frozenset({1, 6, 7, 8}), Positions(8, 1, 6))
    behind = [one.seat for one in chairs(wide) if one.is_behind]
    assert behind == [2, 3, 4, 5], "the next button is 1, the small blind 6"
    assert chair("worst", wide) == 9
    assert chair("soonest", wide) == 9
    full = Ring(9, frozenset({1, 6, 7, 8, 9}), Positions(9, 1, 6))
    assert chair("worst", full) is None, "once the button has passed they are as good as others"
    assert chair("soonest", full) == 2, "he gets a hand there at once (RR7-T-16)"


def test_with_one_who_sits_alone_neither_could_play_else() -> None:
    """TDA09-06a has him never on the small blind, and heads-up one of the two is: the player at 7
    is due the big blind. UK-09C: play goes on once the table has another player."""
    alone = Ring(8, frozenset({7}), Positions(1, 5, 6))
    assert chair("worst", alone) == chair("soonest", alone) == 8
    assert chair("worst", Ring(9, frozenset({2}), Positions(1, 5, 6))) == 7, "he is due it first"


def test_by_roberts_he_gets_the_chair_that_is_due_the_big_blind_soonest_whichever_it_is() -> None:
    """RR7-T-15, RR7-T-16: small blind and button are duties like others."""
    assert mover("soonest", ring(button=4), ring(7, 8)) == 7
    assert chair("soonest", ring(3)) == 3
    assert chair("soonest", ring(3, 7)) == 7
    assert chair("soonest", ring(2, 3)) == 2, "the big blind comes to the button's chair before 3"


def test_tables_of_8_8_and_7() -> None:
    """HPT-MOVE-08: a player three left of the button is out at C; from the low card table the one
    who is three left of its button goes to that chair, and posts the big blind next."""
    sizes = {"A": 8, "B": 8, "C": 6}
    assert unbalanced(sizes, HPT) == (["A", "B"], "C")
    short = ring(3, 8, chairs=8, button=8, vacated=(8, 3))
    short = Ring(8, short.players, positions(8, {1, 2, 3, 4, 5, 6, 7}), vacated=(3,))
    giving = ring(chairs=8, button=2)
    assert mover("position", giving, short) == 5
    assert next_positions(giving.last, giving.players).big == 5
    assert chair("position", short) == 3
    place = next_positions(short.last, short.players | {3})
    assert place.big == 3


def test_of_several_chairs_the_one_closest_left_of_the_button_is_filled_first() -> None:
    """HPT-MOVE-07: of those who are out."""
    short = ring(2, 6, 9, button=4, vacated=(2, 9))
    assert chair("position", short) == 9
    assert chair("position", ring(2, 6, button=4)) == 6, "of nobody it is known that he is out"


@pytest.mark.parametrize(("out", "who"), [(4, 7), (5, 8), (6, 9), (3, 6), (2, 5)])
def test_the_same_position_by_players_not_by_chairs(out: int, who: int) -> None:
    """HPT-MOVE-03: relative to the button, which itself is a position."""
    assert mover("position", ring(button=7), ring(out, button=4, vacated=(out,))) == who
    few = Ring(9, frozenset({1, 5}), positions(1, {1, 5, 9}), vacated=(9,))
    assert mover("position", ring(5, 6, 7, button=4), few) == 9, "two left of the button"


def test_from_behind_the_button_to_behind_the_button() -> None:
    """NL10-SEAT-04."""
    assert mover("behind-button", ring(button=4), ring(7, 8)) == 3
    assert mover("behind-button", ring(3, button=4), ring(7, 8)) == 2
    assert chair("behind-button", ring(2, 7, 8)) == 8
    assert chair("behind-button", ring(1, 7)) == 7
    assert chair("behind-button", ring(1)) == 1


@pytest.mark.parametrize(
    ("sizes", "trigger", "found"),
    [
        ({"A": 9, "B": 8}, HPT, None),
        ({"A": 7, "B": 9}, HPT, (["B"], "A")),
        ({"A": 9, "B": 7, "C": 7}, HPT, (["A"], "B")),
        ({"A": 9}, HPT, None),
        (dict.fromkeys("ABCDEF", 9) | {"F": 7}, ROBERTS, (list("ABCDE"), "F")),
        (dict.fromkeys("ABCDEFG", 9) | {"G": 7}, ROBERTS, None),
        (dict.fromkeys("ABCDEFG", 9) | {"G": 6}, ROBERTS, (list("ABCDEF"), "G")),
    ],
)
def test_when_somebody_has_to_move(
    sizes: dict[str, int], trigger: Trigger, found: tuple[list[str], str] | None
) -> None:
    """HPT-MOVE-01: a difference of two; RR7-T-17: with more than six tables within two players."""
    assert unbalanced(sizes, trigger) == found


def test_a_table_that_is_three_short_halts() -> None:
    """UK-09C, TDA09-06d, TDA24-11D1."""
    assert too_short({"A": 9, "B": 6, "C": 7, "D": 5}, 3) == ["B", "D"]
    assert too_short({}, 3) == []


seat = st.integers(1, 9)
seats = st.sets(seat, min_size=2, max_size=8)


@given(st.sampled_from(WAYS), seats, seats, st.tuples(seat, seat), st.data())
def test_whoever_moves_sits_there_and_comes_to_an_empty_chair(
    way: MoveWay,
    many: set[int],
    few: set[int],
    buttons: tuple[int, int],
    data: st.DataObject,
) -> None:
    """By the books with a worst chair he misses no hand, and pays no blind later than at any other
    chair that is allowed. Where none is there is one player alone, and any will do."""
    giving = Ring(9, frozenset(many), positions(buttons[0], many))
    left = frozenset(data.draw(st.sets(st.sampled_from(sorted(few)), min_size=1)))
    short = Ring(9, left, positions(buttons[1], few))
    assert mover(way, giving, short) in giving.players
    found = chair(way, short)
    assert found is None or found in short.open
    assert found is not None or way == "worst"
    if way == "worst" and found is not None:
        allowed = [c for c in chairs(short) if not (c.is_small or c.is_behind)]
        if not allowed:
            assert len(short.players) == 1
            return
        place = next_positions(short.last, short.players | {found})
        assert found != place.small or place.small == place.button
        mine = next(c for c in allowed if c.seat == found)
        assert mine.until_big == min(c.until_big for c in allowed)
