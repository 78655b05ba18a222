"""Who has been away for longer than the book allows."""

from __future__ import annotations

import pytest

from controller.library.books import Library
from controller.room.away import Stage, overdue
from tests.room.evening import MINUTE, Hall
from tests.room.test_entered import TABLES
from tests.room.test_finishing_order import refused

HPT, ROBERTS = "homepokertourney", "roberts"


@pytest.fixture
def hall() -> Hall:
    """Ann has sat down, Bob has not come yet."""
    hall = Hall()
    hall.room.link(True)
    hall.act("tables", tables=TABLES)
    for seat, name in enumerate(("Ann", "Bob"), 1):
        hall.act("enter", name=name, table="T1", seat=seat)
    hall.act("mark", player="p2", status="absent")
    hall.passes(50 * MINUTE)
    hall.act("start")
    return hall


def late(hall: Hall, library: Library, book: str) -> list[tuple[str, tuple[str, ...]]]:
    view = hall.room.view()
    rules = library.book(book).tournament
    stage = Stage(view.now_ms, view.clock.level, view.state == "ended")
    found = overdue(view.register, lambda _table: rules, stage)
    return [(each.player, each.cites) for each in found]


def test_who_leaves_for_more_than_twenty_minutes_forfeits(hall: Hall, library: Library) -> None:
    """HPT-LEAVE-01, HPT-LEAVE-04: back within twenty minutes nothing is lost."""
    hall.act("mark", player="p2", status="seated")
    hall.act("mark", player="p1", status="absent")
    hall.passes(20 * MINUTE)
    assert late(hall, library, HPT) == []
    hall.passes(1_000)
    assert late(hall, library, HPT) == [("p1", ("HPT-LEAVE-04",))]
    assert late(hall, library, "uk-tda") == [], "he is blinded off (UK-28)"
    hall.act("mark", player="p1", status="seated")
    assert late(hall, library, HPT) == []


def test_who_never_comes_loses_his_entry_as_level_two_begins(hall: Hall, library: Library) -> None:
    """HPT-LATE-03: still absent when level two's first hand is dealt."""
    hall.passes(19 * MINUTE)
    assert late(hall, library, HPT) == []
    hall.act("next")
    assert late(hall, library, HPT) == [("p2", ("HPT-LATE-03",))]
    assert [one[0] for one in late(hall, library, ROBERTS)] == ["p2"]


def test_or_after_half_an_hour(hall: Hall, library: Library) -> None:
    """RR7-T-4: after a new level or half an hour, whichever occurs first."""
    hall.act("time", by_ms=30 * MINUTE)
    hall.passes(30 * MINUTE - 1_000)
    assert late(hall, library, ROBERTS) == []
    hall.passes(1_000)
    assert late(hall, library, ROBERTS) == [("p2", ("RR7-T-4",))]
    assert late(hall, library, HPT) == []


def test_who_has_not_come_by_the_end_does_not_go_on(hall: Hall, library: Library) -> None:
    """NL10-LATE-04: to the next round of the event; until then he is blinded out (NL10-LATE-01)."""
    hall.act("mark", player="p1", status="absent")
    hall.act("next")
    assert late(hall, library, "nl-2010") == []
    hall.act("end")
    assert late(hall, library, "nl-2010") == [("p2", ("NL10-LATE-04",))]
    hall.act("bust", entrant="p2", forfeits=True)
    assert late(hall, library, "nl-2010") == []
    assert hall.room.view().register.by_id["p2"].status == "out"


def test_who_came_and_left_again_is_no_longer_one_who_never_came(
    hall: Hall, library: Library
) -> None:
    hall.act("mark", player="p2", status="seated")
    hall.act("mark", player="p2", status="absent")
    hall.act("next")
    assert late(hall, library, ROBERTS) == []
    assert refused(hall, "mark", player="p2", status="absent") == "Bob is away already"


def test_what_the_books_say(library: Library) -> None:
    """As their sentences have it; where a book is silent it is the one below, else nothing."""
    said = {name: library.book(name).tournament for name in library.ids}
    same = {name: rules.same_hand.way for name, rules in said.items() if rules.same_hand}
    assert same == {HPT: "stack", ROBERTS: "stack", "nl-2010": "share"}
    units = {name: rules.penalties.way for name, rules in said.items() if rules.penalties}
    rounds = dict.fromkeys(("uk-tda", "tda-2009", "tda-2024"), "rounds")
    assert units == {**rounds, **dict.fromkeys((HPT, ROBERTS, "nl-2010"), "minutes")}
    assert {name for name, rules in said.items() if rules.away} == {HPT}
