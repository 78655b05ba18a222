"""Events that a table was asked for again, as the history does: the floor has heard them before."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from controller.broker.client import Incoming
from controller.contract.events import (
    Action,
    Blinds,
    Closed,
    Event,
    Finding,
    Phase,
    Ruling,
    RulingText,
    Start,
    StartSeat,
    Step,
)
from controller.contract.messages import TABLE_EVENT, TableEvent
from controller.room.intake import BURST
from controller.room.ring import Ring, cut, with_event
from display.web.timeline import Timelines
from tests.room.evening import SITE
from tests.room.test_alert_life import STANDS, Floor

FLOOR = RulingText("uk-tda", "floor", ("X",), (Step("a", "b"),))
SEATS = (StartSeat(1, 5_000), StartSeat(2, 5_000))
HAND: tuple[Event, ...] = (
    Start(1.0, 7, SEATS, 1, Blinds(50, 100)),
    Action(2.0, 7, 1, "raise", "press", 300),
    Finding(10.0, 7, 1, "burn-missing", 2, "seen", (), (), FLOOR),
    Ruling(11.0, 7, 1, STANDS),
)


@dataclass
class Table:
    """It says what it has said, once more, from event `first` on."""

    floor: Floor
    session: str = "t"

    def says_again(self, *events: Event, qos: int, first: int = 1, at: int = 5) -> None:
        for seq, event in enumerate(events, first):
            said = TABLE_EVENT.message(SITE, "T1", payload=TableEvent(self.session, seq, at, event))
            self.floor.room.received(Incoming(said.topic, said.payload, False, qos=qos))


@pytest.fixture
def floor() -> Floor:
    floor = Floor()
    for event in HAND:
        floor.happens(event)
    floor.alert("T1", 1, prio=2)
    return floor


@pytest.mark.parametrize("qos", [0, 1])
def test_no_timeline_and_no_alert_has_it_twice(floor: Floor, qos: int) -> None:
    before, turn = floor.room.view().shift, floor.room.turn
    told = Timelines().of(floor.room.view(), "T1/1")
    assert told is not None
    assert sum("raises to 300" in line for line in told.lines) == 1
    Table(floor).says_again(*HAND, qos=qos)
    Table(floor, "s").says_again(*HAND, Closed(12.0, 7, 1, "dismissed"), qos=qos, at=4)
    after = floor.room.view().shift
    assert Timelines().of(floor.room.view(), "T1/1") == told
    assert (after.alerts, after.news, after.heard) == (before.alerts, before.news, before.heard)
    assert floor.room.turn == turn
    floor.happens(Phase(13.0, 7, "complete"))
    assert floor.room.view().shift.heard["T1"].gaps == frozenset()


def test_a_closed_alert_does_not_come_up_and_its_ruling_is_the_last(floor: Floor) -> None:
    floor.happens(Closed(12.0, 7, 1, "ruled"))
    Table(floor).says_again(HAND[2], Ruling(10.5, 7, 1, FLOOR), qos=1, first=3)
    floor.closes("T1", 1)
    (ruled,) = floor.room.view().shift.ruled
    assert ruled.made is not None
    assert ruled.made.outcome == "stands"
    happened = floor.happened()
    Table(floor).says_again(*HAND, qos=1)
    assert floor.alerts() == {}
    assert floor.happened() == happened


def test_a_whole_piece_of_it_leaves_room_for_what_happens_now(floor: Floor) -> None:
    Table(floor, "s").says_again(*(Phase(1.0, 3, "flop"),) * (BURST + 100), qos=0)
    floor.happens(Phase(13.0, 7, "complete"))
    heard = floor.room.view().shift.heard["T1"]
    assert [each.session for each in heard.events] == ["t"] * 5
    assert heard.gaps == frozenset()
    assert floor.room.view().shift.trouble == ()


def told(ring: Ring, session: str, seq: int, at: int, hand: int = 7) -> Ring:
    return with_event(ring, TableEvent(session, seq, at, Phase(1.0, hand, "flop")), 10)


def test_it_is_known_after_something_was_lost_and_in_a_new_session() -> None:
    ring = cut(told(told(Ring(), "s", 1, 5), "s", 2, 6))
    assert told(ring, "s", 2, 6) is ring
    ring = told(ring, "t", 1, 9)
    for seq in (1, 2, 3):
        assert told(ring, "s", seq, 7) is ring
    assert told(ring, "t", 2, 9).heard.gaps == {("t", 1)}


def test_a_table_that_begins_anew_or_whose_clock_was_set_back_is_heard() -> None:
    ring = told(Ring(), "s", 9, 1_000, hand=40)
    assert told(ring, "t", 1, 2_000, hand=1) is not ring
    assert told(ring, "t", 1, 5, hand=41) is not ring
