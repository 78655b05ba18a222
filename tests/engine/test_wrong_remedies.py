"""A dealer who carries a remedy out wrongly is told so: the wrong movement is found, or what was
not put right stays open to the end of the hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from controller.contract.events import Closed, Finding
from controller.library.books import Library
from tests.engine.simulation import deal
from tests.rules.table_talk import Talk

HAND = "pl_89_8"
"""It has a turn and a river, and betting on every street."""
Instead = Mapping[str, Sequence[str]]

FOUND: list[tuple[str, str, Instead, str]] = [
    ("roberts", "four-card-flop", {"new-flop-no-burn": ("burn-one", "new-flop")}, "burn-double"),
    ("roberts", "four-card-flop", {"new-flop-no-burn": ("new-card", "new-card")}, "short-flop"),
    ("nl-2010", "four-card-flop", {"burn-one": ("burn-one", "burn-one")}, "burn-double"),
    ("uk-tda", "four-card-flop", {"no-burn-next": ()}, "burn-double"),
    ("tda-2009", "four-card-flop", {"no-burn-next": ()}, "burn-double"),
    ("roberts", "short-flop", {"third-card": ("third-card", "third-card")}, "four-card-flop"),
    ("roberts", "short-flop", {"third-card": ("burn-one", "third-card")}, "burn-premature"),
    ("roberts", "premature-flop", {"new-flop-no-burn": ("burn-one", "new-flop")}, "burn-double"),
    ("roberts", "premature-turn", {"burn-one": ()}, "burn-missing"),
    ("uk-tda", "premature-turn", {"burn-one": ("burn-one", "burn-one")}, "burn-double"),
    ("roberts", "premature-river", {"new-river-no-burn": ("burn-one", "new-card")}, "burn-double"),
    ("roberts", "burn-premature", {"burn-holds": ()}, "burn-double"),
    ("uk-tda", "burn-premature", {"burn-holds": ()}, "burn-double"),
    ("roberts", "extra-card", {"extra-is-burn": ("burn-one",)}, "burn-double"),
    ("roberts", "extra-card", {"extra-is-burn": ("extra-is-burn", "burn-one")}, "burn-double"),
    (
        "roberts",
        "exposed-card",
        {"exposed-is-burn": ("exposed-is-burn", "two-burns-next")},
        "burn-double",
    ),
    (
        "roberts",
        "exposed-card",
        {"exposed-is-burn": ("exposed-is-burn", "burn-one")},
        "burn-premature",
    ),
]
LEFT_OPEN: list[tuple[str, str, Instead]] = [
    ("roberts", "burn-double", {"flop-and-burn-back": ("second-burn-back",), "card-on-stub": ()}),
    ("roberts", "exposed-card", {"replace-exposed": ()}),
    ("roberts", "boxed-card", {"boxed-is-scrap": ()}),
    ("roberts", "boxed-card", {"next-card-instead": (), "replace-after-round": ()}),
    ("roberts", "joker", {"joker-is-scrap": ()}),
    ("roberts", "joker", {"next-card-instead": (), "replace-after-round": ()}),
    ("uk-tda", "too-few-cards", {"give-next-card": ()}),
    ("roberts", "board-disturbed", {"restore-board": ()}),
    ("roberts", "board-disturbed", {"restore-board": ("restore-burn",)}),
    ("roberts", "burn-disturbed", {"restore-burn": ()}),
    ("roberts", "burn-disturbed", {"restore-burn": ("restore-board",)}),
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("book", "error", "instead", "code"), FOUND)
def test_a_wrong_movement_is_found(
    library: Library, *, book: str, error: str, instead: Instead, code: str, seed: int
) -> None:
    felt = deal(library, book, HAND, error, seed=seed, instead=instead)
    found = [e.code for e in felt.events if isinstance(e, Finding)]
    assert found[:2] == [error, code]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("book", "error", "instead"), LEFT_OPEN)
def test_what_is_not_put_right_stays_open(
    library: Library, *, book: str, error: str, instead: Instead, seed: int
) -> None:
    felt = deal(library, book, HAND, error, seed=seed, instead=instead)
    found = [e.code for e in felt.events if isinstance(e, Finding)]
    assert found in ([error], [error, "wrong-card-count"])  # if its player has acted on it
    assert [e.how for e in felt.events if isinstance(e, Closed)] == ["expired"] * len(found)


@pytest.mark.parametrize("book", ["nl-2010", "roberts", "uk-tda"])
def test_a_remedy_whose_cards_lie_there_no_more_is_none(library: Library, book: str) -> None:
    """The engine's contract: nothing raises on any order of valid observations. Both cards of the
    turn and its burn have been lifted as the floor rules."""
    talk = Talk(library, book)
    talk.tell("deal 3; preflop; burn; board 3; wait 3; checks; burn; board 2; wait 3")
    talk.tell("lift x6; wait 1; lift x7; wait 1; lift x5; wait 1; rules floor; wait 3; award")
    assert "too-many-turn" in [e.code for e in talk.events if isinstance(e, Finding)]
