"""The stack of who has been away for too long is shared at his table once the director says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.contract.messages import SeatsCommand
from controller.room.register import Register
from controller.rules.forfeits import shared_evenly
from tests.room.evening import Hall
from tests.room.test_entered import figures
from tests.room.test_finishing_order import refused
from tests.room.told_tables import Tables, hall, playing, tables

__all__ = ["hall", "playing", "tables"]
OVER = {1: 8_949, 2: 11_051, 6: 10_000}


@given(st.integers(0, 10**6), st.integers(1, 9), st.sampled_from([1, 25, 100]))
def test_shares_are_even_and_the_odd_chips_go_to_the_bank(
    chips: int, among: int, unit: int
) -> None:
    """HPT-LEAVE-04."""
    each, odd = shared_evenly(chips, among, unit)
    assert each * among + odd == chips
    assert each % unit == 0
    assert 0 <= odd < among * unit


def test_with_nobody_to_share_all_goes_to_the_bank() -> None:
    assert shared_evenly(5_000, 0, 25) == (0, 5_000)


@pytest.fixture
def between(playing: Tables) -> Tables:
    playing.shows("T1", 5, OVER, phase="complete")
    return playing


def brought(hall: Hall) -> dict[str | None, int | None]:
    """What T1 is told that its players have, until there is no more to tell."""
    found: dict[str | None, int | None] = {}
    done = len(hall.commands("seats"))
    for _ in range(6):
        hall.passes(1_000)
        new = [one for _, one in hall.commands("seats")[done:] if isinstance(one, SeatsCommand)]
        done += len(new)
        for command in new:
            hall.answers(command)
            found |= {each.player: each.stack for each in command.seats if each.stack is not None}
    return found


def players(hall: Hall) -> Register:
    return hall.room.view().register


@pytest.mark.usefixtures("between")
def test_each_at_his_table_is_told_his_share_as_of_a_purchase(hall: Hall) -> None:
    """HPT-LEAVE-04: 11,051 among two: 5,525 each, and 1 to the bank."""
    assert figures(hall) == (4, 4, 10_000)
    hall.act("bust", entrant="p2", shares=True)
    assert players(hall).by_id["p2"].status == "out"
    assert figures(hall) == (4, 3, (40_000 - 1) // 3)
    (share,) = hall.room.view().shared.given
    assert (share.each, share.odd, sorted(share.to)) == (5_525, 1, ["p1", "p3"])
    assert brought(hall) == {"Ann": 14_474, "Cy": 15_525}


def test_it_is_taken_back_with_the_player(hall: Hall, between: Tables) -> None:
    hall.act("bust", entrant="p2", shares=True)
    assert brought(hall) == {"Ann": 14_474, "Cy": 15_525}
    between.shows("T1", 5, {1: 14_474, 6: 15_525}, phase="complete")
    hall.act("unbust")
    assert figures(hall) == (4, 4, 10_000)
    told = brought(hall)
    assert (told["Ann"], told["Cy"]) == (8_949, 10_000)


def test_in_a_hand_nobody_knows_yet_what_there_is_to_share(hall: Hall, between: Tables) -> None:
    between.shows("T1", 6, OVER, phase="flop")
    reason = refused(hall, "bust", entrant="p2", shares=True)
    assert reason == "table T1 plays a hand: share the chips once it is over"
    assert players(hall).by_id["p2"].status != "out"


@pytest.mark.usefixtures("between")
def test_what_is_not_known_is_not_shared(hall: Hall) -> None:
    hall.act("enter", name="Eve", table="T1", seat=5)
    reason = refused(hall, "bust", entrant="p5", shares=True)
    assert reason == "what Eve has is not known: nothing can be shared"
