"""Chips that leave play with a player are in play no more, and in no average."""

from __future__ import annotations

import pytest

from tests.room.evening import Hall
from tests.room.test_entered import figures
from tests.room.told_tables import Tables, hall, playing, tables

__all__ = ["hall", "playing", "tables"]


@pytest.mark.usefixtures("playing")
def test_the_chips_of_who_is_disqualified_leave_play(hall: Hall) -> None:
    """TDA24-71D, TDA09-40d, UK-65D, NL10-HR-22."""
    assert figures(hall) == (4, 4, 10_000)
    hall.act("disqualify", player="p2")
    assert figures(hall) == (4, 3, (40_000 - 11_000) // 3)
    hall.act("unbust")
    assert figures(hall) == (4, 4, 10_000), "he is back, and has them"
    hall.act("bust", entrant="p2")
    assert figures(hall) == (4, 3, 40_000 // 3), "somebody has won them"


@pytest.mark.usefixtures("playing")
def test_and_those_of_who_never_came(hall: Hall) -> None:
    """HPT-LATE-03, RR7-T-4: his stack is taken off the table."""
    hall.act("bust", entrant="p1", forfeits=True)
    assert figures(hall) == (4, 3, (40_000 - 9_000) // 3)
    hall.act("offer", what="re-entry")
    hall.act("buy", player="p1", what="re-entry")
    assert figures(hall) == (5, 4, (50_000 - 9_000) // 4), "they do not come back with him"
    hall.act("disqualify", player="p3")
    assert figures(hall) == (5, 3, (50_000 - 9_000 - 10_000) // 3)


@pytest.mark.usefixtures("playing")
def test_chips_that_are_given_up_for_a_re_entry_leave_play(hall: Hall) -> None:
    """TDA24-08B: 11,000 go, and a full stack comes."""
    hall.act("offer", what="re-entry")
    hall.act("bust", entrant="p2", forfeits=True)
    hall.act("buy", player="p2", what="re-entry")
    assert figures(hall) == (5, 4, (40_000 - 11_000 + 10_000) // 4)


def test_what_is_not_known_stays_in_play(hall: Hall) -> None:
    """No table has shown what he has."""
    hall.act("disqualify", player="p2")
    assert figures(hall) == (4, 3, 40_000 // 3)


def test_a_stack_is_set_out_for_who_has_not_come(hall: Hall, tables: Tables) -> None:
    """RR7-T-3, HPT-LATE-01, NL10-LATE-01: he has a seat, chips, and is dealt hands."""
    hall.act("mark", player="p2", status="absent")
    told = tables.takes()
    assert told[1] == ("seated", "Ann", 10_000)
    assert told[2] == ("absent", "Bob", 10_000)


def test_a_stack_is_set_out_for_who_may_come_and_is_sold_or_taken_away(
    hall: Hall, tables: Tables
) -> None:
    """RR7-T-5: it pays its blinds and antes; who comes has what is left of it."""
    for seat in (3, 4):
        hall.act("enter", name=f"Stack {seat}", table="T1", seat=seat)
        hall.act("mark", player=f"p{seat + 2}", status="absent")
    hall.act("start")
    told = tables.takes()
    assert told[3] == ("absent", "Stack 3", 10_000)
    tables.shows("T1", 5, {1: 10_000, 2: 10_000, 3: 9_925, 4: 9_925, 6: 10_150})
    hall.act("correct", player="p5", name="Eve", paid=True)
    hall.act("mark", player="p5", status="seated")
    assert tables.takes() == {3: ("seated", "Eve", None)}
    hall.passes(11_000)
    assert hall.room.view().chips["p5"] == 9_925
    hall.act("withdraw", player="p6")
    assert tables.takes() == {4: ("empty", None, None)}
    assert hall.room.view().register.entries == 5, "nobody had bought it"
