"""The winner throws his cards in before the loser's are in the muck (TDA24-15B1)."""

from __future__ import annotations

import pytest

from controller.contract.events import Finding, Result, Start
from controller.library.books import Library
from tests.rules.table_talk import Talk

FLOP = "deal 3; preflop; burn; board 3; wait 2"
RIVER = "deal 3; preflop; burn; board 3; checks; burn; board; checks; burn; board; wait 2"
BET = "1 check; 2 bet 300; 3 fold; fast; muck 2"


def last(talk: Talk) -> Result:
    return [e for e in talk.events if isinstance(e, Result)][-1]


def findings(talk: Talk) -> list[str]:
    return [e.code for e in talk.events if isinstance(e, Finding)]


@pytest.mark.parametrize("folds", ["muck 1", "wait 1.5; muck 1", "wait 1; 1 fold"])
def test_the_bettors_cards_come_first(library: Library, folds: str) -> None:
    """The other one's follow, or he presses his fold."""
    talk = Talk(library, "roberts")
    talk.tell(f"{RIVER}; {BET}; {folds}; wait 5")
    assert last(talk).awards == {"2": 30}
    assert findings(talk) == []


def test_the_big_blinds_cards_come_first(library: Library) -> None:
    """Everybody folds to him, the small blind without a press."""
    talk = Talk(library, "roberts")
    talk.tell("deal 3; 3 fold; fast; muck 2; wait 0.5; muck 1; wait 5")
    assert last(talk).awards == {"2": 10}
    assert findings(talk) == []


@pytest.mark.parametrize(
    ("street", "plays_on"),
    [(RIVER, "wait 5"), (RIVER, "wait 1; 1 call"), (FLOP, "wait 1; burn; wait 1; board")],
    ids=["keeps his cards", "calls", "is dealt the next card"],
)
def test_who_plays_on_has_won(library: Library, street: str, plays_on: str) -> None:
    talk = Talk(library, "roberts")
    talk.tell(f"{street}; {BET}; {plays_on}; wait 5")
    assert last(talk).awards == {"1": 30}


def test_the_next_hand_begins_with_what_it_left(library: Library) -> None:
    """Nothing was observed as it ended."""
    seats = [{"seat": seat, "stack": 1_000} for seat in (1, 2, 3)]
    talk = Talk(library, "roberts", seats=seats)
    talk.tell(f"{RIVER}; {BET}; wait 5; collect; riffle; wait 1")
    start = [e for e in talk.events if isinstance(e, Start)][-1]
    assert {seat.seat: seat.stack for seat in start.seats} == {1: 1_020, 2: 990, 3: 990}
