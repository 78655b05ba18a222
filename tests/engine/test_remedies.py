"""A dealer who does what the screen says is told no more: the loop closes under every book."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controller.contract.events import (
    Board,
    Closed,
    ClosedHow,
    Finding,
    Result,
    Ruling,
    RulingText,
    Start,
)
from controller.contract.observations import Seen
from controller.demo.errors import (
    EARLY_ERRORS,
    ERRORS,
    LOG_ERRORS,
    MILDER,
    STREET_ERRORS,
    can_err,
)
from controller.demo.phh import Street, read_hand
from controller.library.books import Library
from tests.engine.simulation import HANDS, EngineFelt, deal

BOOKS = ["homepokertourney", "nl-2010", "roberts", "tda-2009", "tda-2024", "uk-tda"]
ENOUGH = 6
WITH_A_BOARD = sorted(p.stem for p in HANDS.glob("*.phh") if "d db" in Path(p).read_text())


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("error", [*ERRORS, *LOG_ERRORS])
def test_a_remedy_done_right_closes_the_finding(library: Library, book: str, error: str) -> None:
    every = 3 if error in (*STREET_ERRORS, *EARLY_ERRORS) else 5
    tried = 0
    for seed, name in list(enumerate(WITH_A_BOARD))[BOOKS.index(book) % every :: every]:
        hand = read_hand(HANDS / f"{name}.phh", random.Random(seed))
        if not can_err(hand, error):
            continue
        felt = deal(library, book, name, error, seed=seed)
        found = [f for f in felt.events if isinstance(f, Finding)]
        milder = [error] if error not in MILDER else [MILDER[error], error]
        assert [f.code for f in found] == milder, name
        ruling = _last_ruling(felt, found[-1])
        how = _ends(ruling)
        if ruling.outcome == "set-aside" and sum(isinstance(a, Street) for a in hand.acts) == 2:
            how = "expired"  # the hand ended before the river, which is the remedy's last step
        closed = [e.how for e in felt.events if isinstance(e, Closed)]
        assert closed == ["expired"] * (len(milder) - 1) + [how], name
        again = [e for e in felt.events if isinstance(e, Start) and e.redeal_of is not None]
        assert bool(again) == (ruling.outcome in ("misdeal", "void-hand")), name
        assert sum(isinstance(e, Result) for e in felt.events) == 1, name
        tried += 1
        if tried == ENOUGH:
            return
    assert tried > 5


def _last_ruling(felt: EngineFelt, finding: Finding) -> RulingText:
    """What was to be done in the end, the advice where the book is silent."""
    anew = [e.ruling for e in felt.events if isinstance(e, Ruling) and e.id == finding.id]
    ruling = [finding.ruling, *anew][-1]
    return ruling.advisory or ruling


def _ends(ruling: RulingText) -> ClosedHow:
    """How a finding closes that is dealt with as ruled."""
    if ruling.outcome in ("misdeal", "void-hand", "dead-hand"):
        return "ruled"
    return "expired" if ruling.outcome == "stands" else "remedied"


@pytest.mark.parametrize("book", BOOKS)
def test_a_dealer_without_fault_is_left_alone(library: Library, book: str) -> None:
    for seed, path in list(enumerate(sorted(HANDS.glob("*.phh"))))[BOOKS.index(book) % 2 :: 2]:
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
