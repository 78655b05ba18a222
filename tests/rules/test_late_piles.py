"""Folds that are told by the muck alone, and late: a pile is read over several cycles."""

from __future__ import annotations

import pytest

from controller.contract.events import Finding
from controller.library.books import Library
from tests.rules.table_talk import Talk

IN_TIME, TOO_LATE = 1.9, 4.0
"""Seconds. A card is seen after two sets of its pile, which take 0.8 s each (docs/pico.md)."""
BUTTONS = [{}, {"buttons": [1, 2]}, {"buttons": []}]


def found(library: Library, late: float, table: dict[str, object]) -> list[str]:
    """Seat 3 throws its hand away, which closes the round; two seconds later the turn is dealt."""
    talk = Talk(library, "uk-tda", **table)
    bets = "wait 2" if table == {"buttons": []} else "1 bet 40; 2 call"
    talk.tell("pitch 3 1 2; deals 3; also 1 2; deals 3; preflop; burn; board 3")
    talk.tell(f"{bets}; fast; lift x1 x2")
    muck, street = "lay x1 muck; lay x2 muck", "burn; wait 0.7; board"
    if late < 2.0:
        talk.tell(f"wait {late}; {muck}; wait {2.0 - late}; {street}; wait 5")
    else:
        talk.tell(f"wait 2; {street}; wait {late - 2.7}; {muck}; wait 5")
    return [event.code for event in talk.events if isinstance(event, Finding)]


@pytest.mark.parametrize("table", BUTTONS, ids=["buttons", "none at the seat", "none at all"])
def test_a_fold_that_the_muck_tells_before_the_next_street_is_no_finding(
    library: Library, table: dict[str, object]
) -> None:
    assert found(library, IN_TIME, table) == []


def test_one_that_it_tells_long_after_it_would_be(library: Library) -> None:
    assert found(library, TOO_LATE, {}) == ["premature-turn"]
    assert found(library, TOO_LATE, {"buttons": [1, 2]}) == ["out-of-turn"]
