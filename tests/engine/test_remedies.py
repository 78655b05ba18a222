"""A dealer who does what the screen says is told no more: the loop closes under every book."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controller.books import Library
from controller.demo.errors import ERRORS, LOG_ERRORS, can_err
from controller.demo.phh import Street, read_hand
from controller.events import Board, Closed, Finding, Result
from controller.observations import Seen
from tests.engine.simulation import HANDS, EngineFelt, deal

BOOKS = ["homepokertourney", "nl-2010", "roberts", "tda-2009", "uk-tda"]
WITH_A_BOARD = sorted(p.stem for p in HANDS.glob("*.phh") if "d db" in Path(p).read_text())


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("error", ERRORS)
def test_a_remedy_done_right_closes_the_finding(library: Library, book: str, error: str) -> None:
    tried = 0
    for seed, name in enumerate(WITH_A_BOARD):
        hand = read_hand(HANDS / f"{name}.phh", random.Random(seed))
        if not can_err(hand, error):
            continue
        how = "ruled" if error == "first-card-wrong-seat" else "remedied"
        if error == "premature-turn" and sum(isinstance(a, Street) for a in hand.acts) == 2:
            how = "expired"  # the hand ended before the river, which is the remedy's last step
        felt = deal(library, book, name, error, seed)
        found = [e for e in felt.events if isinstance(e, Finding)]
        assert [f.code for f in found] == [error], name
        assert [e.how for e in felt.events if isinstance(e, Closed)] == [how], name
        assert sum(isinstance(e, Result) for e in felt.events) == 1, name
        tried += 1
    assert tried > 10


@pytest.mark.parametrize("book", BOOKS)
def test_a_dealer_without_fault_is_left_alone(library: Library, book: str) -> None:
    for seed, path in enumerate(sorted(HANDS.glob("*.phh"))):
        felt = deal(library, book, path.stem, seed=seed)
        assert not [e for e in felt.events if isinstance(e, Finding)], path.stem


def test_the_flop_that_stands_after_a_pick_is_the_other_three(library: Library) -> None:
    felt = deal(library, "uk-tda", "pl_94_43", "four-card-flop")
    flop = next(e for e in felt.events if isinstance(e, Board))
    exposed = {tag for tag, zone in _seen(felt) if zone == "board"}
    picked = [tag for tag, zone in _seen(felt) if zone == "burn"][1]
    assert picked in exposed
    assert picked not in flop.cards
    assert set(flop.cards) < exposed
    assert all(picked not in e.cards for e in felt.events if isinstance(e, Board))


def _seen(felt: EngineFelt) -> list[tuple[str, str]]:
    return [(o.tag, o.zone) for o in felt.log if isinstance(o, Seen)]
