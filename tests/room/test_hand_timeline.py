"""The hand of an alert in poker's words, from what its table has published."""

from __future__ import annotations

from controller.contract.events import (
    Action,
    Blinds,
    Board,
    Event,
    Finding,
    Phase,
    RulingText,
    Start,
    StartSeat,
    Step,
)
from controller.contract.messages import TableEvent
from controller.room.ring import HANDS, MAX_BYTES, MAX_EVENTS, Ring, cut, with_event
from display.web.timeline import GAP, Timelines
from tests.room.test_alert_life import Floor

RULING = RulingText("uk-tda", "stands", ("TDA09-37",), (Step("a", "Leave it."),))


def start(hand: int) -> Start:
    seats = tuple(StartSeat(n, 5_000) for n in (1, 2, 3))
    return Start(1.0, hand, seats, 1, Blinds(50, 100))


def told(*events: tuple[int, Event], session: str = "t", size: int = 10) -> Ring:
    ring = Ring()
    for seq, event in events:
        ring = with_event(ring, TableEvent(session, seq, 5, event), size)
    return ring


def test_the_last_two_hands_are_kept() -> None:
    ring = told(*((seq, start(seq)) for seq in range(1, 6)))
    assert [each.event.hand for each in ring.heard.events] == [4, 5]
    assert HANDS == 2


def test_it_is_bounded_by_number_and_by_bytes() -> None:
    phase = Phase(1.0, 1, "flop")
    many = told(*((seq, phase) for seq in range(1, MAX_EVENTS + 10)))
    assert len(many.heard.events) == MAX_EVENTS
    large = told(*((seq, phase) for seq in range(1, 20)), size=MAX_BYTES // 4)
    assert len(large.heard.events) == 4


def test_what_is_missing_is_known() -> None:
    phase = Phase(1.0, 1, "flop")
    assert told((1, start(1)), (2, phase), (2, phase), (1, phase)).heard.gaps == frozenset()
    assert told((1, start(1)), (4, phase)).heard.gaps == {("t", 4)}
    assert told((7, phase)).heard.gaps == {("t", 7)}
    ring = cut(told((1, start(1))))
    assert with_event(ring, TableEvent("t", 2, 5, phase), 1).heard.gaps == {("t", 2)}
    again = with_event(told((1, start(1))), TableEvent("u", 1, 5, phase), 1)
    assert again.heard.gaps == {("u", 1)}


def test_an_alert_has_its_hand_in_words() -> None:
    floor = Floor()
    floor.happens(start(7))
    floor.happens(Phase(1.5, 7, "preflop"))
    floor.happens(Action(2.0, 7, 1, "raise", "press", 300))
    floor.happens(Board(9.0, 7, "flop", ("Ts", "7c", "2d")))
    floor.happens(Finding(10.0, 7, 1, "burn-missing", 2, "seen", (), (), RULING))
    floor.alert("T1", 1, prio=2)
    timelines = Timelines()
    said = timelines.of(floor.room.view(), "T1/1")
    assert said is not None
    assert (said.hand, said.missing) == (7, False)
    text = "\n".join(said.lines)
    assert "Seat 1 raises to 300" in text
    assert "10♠ 7♣ 2♦" in text
    assert timelines.of(floor.room.view(), "T1/1") is said
    floor.seq += 3
    floor.happens(Action(12.0, 7, 2, "fold", "press"))
    said = timelines.of(floor.room.view(), "T1/1")
    assert said is not None
    assert said.missing
    assert GAP in said.lines
    assert "Seat 2 folds." in said.lines[-1]
    assert timelines.of(floor.room.view(), "T1/2") is None


def test_a_hand_of_which_nothing_was_heard_is_none() -> None:
    floor = Floor()
    floor.alert("T1", 1)
    assert Timelines().of(floor.room.view(), "T1/1") is None
    floor.happens(Action(2.0, 7, 1, "fold", "press"))
    said = Timelines().of(floor.room.view(), "T1/1")
    assert said is not None
    assert said.missing
    assert said.lines[0] == GAP
