"""What the floor may rule: worked out once for the dealer's screen and the floor's page."""

from __future__ import annotations

import pytest

from controller.contract.events import OUTCOMES, RulingText, Step, rulable
from controller.contract.view import FindingView
from display.dealer.floor_taps import choices


def ruling(outcome: str, advised: str | None = None) -> RulingText:
    advisory = None if advised is None else ruling(advised)
    return RulingText("house", outcome, (), (Step("stop", "Stop."),), advisory=advisory)


SILENT = [ruling("floor", advised) for advised in (None, *OUTCOMES)]
SAID = [ruling(outcome) for outcome in OUTCOMES if outcome != "floor"]


@pytest.mark.parametrize("given", [*SAID, *SILENT], ids=range(len(SAID) + len(SILENT)))
def test_all_but_leaving_it_to_the_floor_and_a_misdeal_that_no_book_names(
    given: RulingText,
) -> None:
    first, others = rulable(given)
    said = given.advisory if given.outcome == "floor" else given
    assert first == ("" if said is None or said.outcome == "floor" else said.outcome)
    assert {first, *others} - {"", "misdeal"} == {*OUTCOMES} - {"floor", "misdeal"}
    assert "misdeal" not in others
    assert first not in others
    assert list(others) == [one for one in OUTCOMES if one in others]


def test_the_dealers_screen_has_the_same_in_an_order_of_its_own() -> None:
    for given in (*SAID, *SILENT):
        first, others = rulable(given)
        finding = FindingView(1, "joker", "Joker", 1, "seen", (), (), given, 0.0)
        shown = choices(finding)
        assert sorted(shown) == sorted(filter(None, (first, *others)))
        ahead = tuple(dict.fromkeys(filter(None, (first, "stands"))))
        assert shown[: len(ahead)] == ahead
