"""Who gets what of which pot, and what the hands are called."""

from __future__ import annotations

import pytest

from controller.contract.events import Blinds, Prompt
from controller.library.books import Library
from controller.rules.betting import Betting, Player
from controller.rules.reading import kind_of, strength
from controller.rules.standing import Share, standing
from tests.rules.table_talk import Talk

BOARD = ("2c", "7d", "9h", "Js", "Qs")


@pytest.mark.parametrize(
    ("hole", "board", "kind"),
    [
        (("3h", "5d"), BOARD, "high-card"),
        (("Ah", "Kd"), BOARD, "high-card"),
        (("2h", "3d"), BOARD, "pair"),
        (("Ah", "Ad"), BOARD, "pair"),
        (("2h", "7h"), BOARD, "two-pair"),
        (("2h", "2d"), BOARD, "three-of-a-kind"),
        (("8h", "Td"), BOARD, "straight"),
        (("Ah", "4d"), ("2c", "3d", "5h", "Js", "Qs"), "straight"),
        (("2s", "3s"), ("5s", "7s", "8s", "Kh", "Kd"), "flush"),
        (("2h", "2d"), ("2c", "3d", "3h", "Js", "Qs"), "full-house"),
        (("2h", "2d"), ("2c", "2s", "3h", "Js", "Qs"), "four-of-a-kind"),
        (("As", "4s"), ("2s", "3s", "5s", "Jd", "Qd"), "straight-flush"),
        (("As", "Ks"), ("Ts", "Js", "Qs", "2d", "3d"), "straight-flush"),
    ],
)
def test_what_a_hand_is_called(hole: tuple[str, str], board: tuple[str, ...], kind: str) -> None:
    assert kind_of(strength(hole, board)) == kind


def betting(*stacks: int) -> Betting:
    players = [Player(seat, stack) for seat, stack in enumerate(stacks, 1)]
    made = Betting(players, button=len(stacks), blinds=(1, 2), level=Blinds(5, 10, 0))
    made.act(3, "all-in", stacks[2])
    made.act(1, "raise", 300)
    made.act(2, "call", 300)
    return made


def test_each_pot_has_its_winner_and_the_main_pot_comes_first() -> None:
    """UK-EX14-2: one is all-in for less and wins the main pot, the side pot is another's."""
    hole = {1: ("Ah", "Ad"), 2: ("Kh", "Kd"), 3: ("2h", "2d")}
    shares = standing(betting(1000, 1000, 100), hole, BOARD).shares
    assert shares == (Share(300, (3,), "three-of-a-kind"), Share(400, (1,), "pair"))


def test_a_pot_may_be_shared() -> None:
    hole = {1: ("Ah", "3d"), 2: ("Ad", "3h"), 3: ("4h", "5d")}
    shares = standing(betting(1000, 1000, 100), hole, BOARD).shares
    assert [share.seats for share in shares] == [(1, 2), (1, 2)]


def test_side_pots_are_awarded_first(library: Library) -> None:
    """RR7-SHOW-7, UK-EX14-2."""
    seats = [{"seat": 1, "stack": 1000}, {"seat": 2, "stack": 1000}, {"seat": 3, "stack": 100}]
    talk = Talk(library, "uk-tda", seats=seats)
    talk.tell("deal 3; 3 all-in 100; 1 raise 300; 2 call; burn; board 3; wait 3; 1 check; 2 check")
    talk.tell("burn; board; wait 3; 1 check; 2 check; burn; board; wait 3; 1 check; 2 check")
    talk.tell("tabled 1; tabled 2; tabled 3; wait 30")
    last = [event for event in talk.events if isinstance(event, Prompt)][-1]
    assert last.text_id == "award-pots"
    side, main = last.args["pots"].split(" · ")
    assert side.startswith("400 ▸ ")
    assert main.startswith("300 ▸ ")
