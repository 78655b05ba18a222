"""Logs that once made the engine crash, raise a false alarm or tell something wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.contract.events import Board, Event, Finding, Result, Start, Tabled
from controller.contract.observations import decode
from controller.engine.engine import Engine
from controller.library.books import Library

INCIDENTS = Path(__file__).resolve().parents[1] / "hands" / "incidents"
FOUND = {
    "floor-rules-the-books-own-outcome": ["four-card-flop"],
    "zone-that-is-none": [],
    "flop-card-nudged-during-a-question": ["burn-missing"],
    "flop-not-read-at-all": [],
    "neighbour-reads-a-pitched-card-first": [],
    "burn-crosses-the-board": [],
    "one-unread-burn-without-buttons": ["burn-missing"],
    "cards-brush-seats-as-they-are-collected": [],
    "press-while-under-way": [],
    "riffle-of-a-redeal": ["four-card-flop"],
    "unanswered-question-to-the-end": ["burn-missing"],
}


def replay(library: Library, name: str) -> list[Event]:
    engine = Engine(library.book)
    lines = (INCIDENTS / f"{name}.jsonl").read_bytes().splitlines()
    return [event for line in lines for event in engine.observe(decode(line))]


@pytest.mark.parametrize("name", sorted(path.stem for path in INCIDENTS.glob("*.jsonl")))
def test_nothing_else_is_found(library: Library, name: str) -> None:
    events = replay(library, name)
    assert [e.code for e in events if isinstance(e, Finding)] == FOUND[name]
    times = [e.t for e in events]
    assert times == sorted(times)


def test_a_flop_redealt_on_the_floors_word_has_three_cards(library: Library) -> None:
    events = replay(library, "floor-rules-the-books-own-outcome")
    assert [len(e.cards) for e in events if isinstance(e, Board)] == [3]


def test_what_was_not_read_makes_amounts_unknown(library: Library) -> None:
    results = [e for e in replay(library, "flop-not-read-at-all") if isinstance(e, Result)]
    assert [(e.stacks, e.awards) for e in results] == [(None, None)]


def test_a_neighbours_ghost_is_never_named(library: Library) -> None:
    tabled = [
        e for e in replay(library, "neighbour-reads-a-pitched-card-first") if isinstance(e, Tabled)
    ]
    assert [(e.seat, e.cards) for e in tabled] == [(1, ("4s", "6h"))]


def test_a_sweep_begins_no_hand(library: Library) -> None:
    starts = [
        e
        for e in replay(library, "cards-brush-seats-as-they-are-collected")
        if isinstance(e, Start)
    ]
    assert [e.implied for e in starts] == [False, False]


def test_nothing_begins_while_a_hand_is_under_way(library: Library) -> None:
    assert not [e for e in replay(library, "press-while-under-way") if isinstance(e, Start)]


def test_a_riffle_of_a_redeal_is_no_new_hand(library: Library) -> None:
    assert len([e for e in replay(library, "riffle-of-a-redeal") if isinstance(e, Start)]) == 1


def test_an_unanswered_question_does_not_hide_the_board(library: Library) -> None:
    boards = [e for e in replay(library, "unanswered-question-to-the-end") if isinstance(e, Board)]
    assert [len(e.cards) for e in boards] == [3, 4, 5]
