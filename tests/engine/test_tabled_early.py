"""A hand is tabled while there is betting: refused with a prompt, and nothing follows from it."""

from __future__ import annotations

import pytest

from controller.contract.events import Event, Prompt, Tabled
from controller.library.books import Library
from tests.rules.table_talk import Talk

LEVEL = [{"seat": seat, "stack": 300} for seat in (1, 2, 3)]
PLAYED = "3 call; 1 call; 2 check; burn; board 3; wait 3; 1 bet 20; 2 call 20; 3 fold; wait 2"


def beside_the_refusal(talk: Talk) -> list[Event]:
    return [e for e in talk.events if not (isinstance(e, Prompt) and e.text_id == "betting-open")]


@pytest.mark.parametrize(
    ("log", "table"),
    [
        (f"pitch 3 1 2 3 1; {{}}; also 2 3; wait 3; {PLAYED}", {}),
        (
            "deal 3; {}; dealt 3 call; dealt 1 call; dealt 2 check; burn; board 3; wait 3; "
            "dealt 1 bet 20; dealt 2 fold; dealt 3 call 20; wait 2",
            {"buttons": []},
        ),
    ],
    ids=["amid the deal", "at a table without buttons"],
)
def test_nothing_is_different(library: Library, log: str, table: dict[str, object]) -> None:
    """CONTRACT, *Secrecy*: an earlier `tabled` is refused with a prompt."""
    early, without = (Talk(library, "roberts", seats=LEVEL, **table) for _ in range(2))
    early.tell(log.format("tabled 3"))
    without.tell(log.format("wait 0"))
    assert [e.text_id for e in early.events if isinstance(e, Prompt)].count("betting-open") == 1
    assert not [e for e in early.events if isinstance(e, Tabled)]
    assert beside_the_refusal(early) == without.events
