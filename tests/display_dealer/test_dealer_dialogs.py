"""What the dealer asks about and looks up, whole: each of its states on both panels."""

from __future__ import annotations

import pytest

from controller.library.books import Library
from tests.display_dealer.paper import NAMES, Paper
from tests.display_dealer.spoken import spoken
from tests.display_dealer.states import STATES


@pytest.mark.parametrize("size", [(1280, 800), (800, 480)])
@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize(
    "state", [name for name in STATES if name.startswith(("rule", "wager"))] + ["why", "menu"]
)
def test_all_of_it_can_be_read_and_tapped_on_both_panels(
    library: Library,
    state: str,
    language: str,
    *,
    size: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paper = Paper(spoken(language), size)
    paper.under(monkeypatch)
    paper.show(STATES[state].table(library).screen(spoken(language), languages=NAMES))
    assert paper.written
    assert paper.faults == []
