"""Readers of every speed: no time for which something is waited holds up the table for ever."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.contract.events import Finding, Result
from controller.contract.observations import Timing
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.engine.table_logs import read
from tests.rules.table_talk import Talk

LOGS = sorted((Path(__file__).resolve().parents[1] / "hands").glob("*/*.jsonl"))
FLOP = "deal 4; preflop; burn; board 3; wait 3;"

pytestmark = pytest.mark.timeout(60)


@pytest.mark.parametrize("name", Timing.__struct_fields__)
def test_every_hand_comes_to_its_end(library: Library, name: str) -> None:
    """Where readers wait for nothing much is found that is not so, but the hand goes on."""
    ended = 0
    for log in LOGS[::4]:
        engine = Engine(library.book)
        lines = [msgspec.json.decode(text) for text in log.read_bytes().splitlines()]
        for line in lines:
            if line["kind"] == "table":
                line["timing"] = {**line.get("timing", {}), name: 0}
        events = [event for one in read(lines) for event in engine.observe(one)]
        ended += any(isinstance(event, Result) for event in events)
    assert ended > len(LOGS[::4]) // 2


@pytest.mark.parametrize("settle", [0, 0.2, 1])
def test_a_card_in_the_place_of_one_that_is_missing_from_the_board(
    library: Library, settle: float
) -> None:
    talk = Talk(library, "roberts", timing={"settle": settle})
    talk.tell(f"{FLOP} lift x3; wait 2; board; wait 5")
    assert [e.code for e in talk.events if isinstance(e, Finding)] == ["board-disturbed"]


@pytest.mark.parametrize("settle", [0, 0.2, 1])
def test_who_acts_behind_players_whose_cards_lie_nowhere(library: Library, settle: float) -> None:
    talk = Talk(library, "roberts", timing={"settle": settle})
    talk.tell(f"{FLOP} away 1; away 2; 3 bet 20; 4 call; wait 20")
    assert not [e for e in talk.events if isinstance(e, Finding)]
