"""`order_window` is told again when the readers' cycle was measured: it holds for whole hands."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from controller.contract.events import Board, Event, Finding, Start, encode_event
from controller.contract.observations import Observation, Timing, decode
from controller.engine.engine import Engine
from controller.engine.state import EngineState
from controller.library.books import Library

TABLE: dict[str, object] = {
    "kind": "table",
    "v": 1,
    "table": "T1",
    "rulebook": "roberts",
    "seats": [{"seat": seat, "stack": 500} for seat in (1, 2, 3)],
    "button": 3,
    "blinds": {"small": 5, "big": 10},
    "buttons": [],
}
ROUND = (2, 1, 3)
"""The first card is seat 1's, and seat 2 has one half a second before it."""
WRONG = "out-of-sequence"


def a_hand(t: float, first: int = 1, *, moved: int = 0) -> list[dict[str, object]]:
    """Dealt half a second apart, and over at the end: `first` counts cards, `moved` the button."""
    deck = [r + s for r in "23456789TJQKA" for s in "cdhs"]
    seats = [(seat + moved - 1) % 3 + 1 for seat in ROUND * 2]
    dealt: list[dict[str, object]] = [
        {"kind": "seen", "t": t + 1 + n / 2, "zone": f"seat/{seat}", "tag": deck[first + n]}
        for n, seat in enumerate(seats)
    ]
    left = [{**each, "kind": "gone", "t": t + 30 + n / 10} for n, each in enumerate(dealt)]
    return [
        {"kind": "riffle", "t": t},
        *dealt,
        {"kind": "tick", "t": t + 20},
        {"kind": "dealer", "input": "award", "t": t + 25},
        *left,
        {"kind": "tick", "t": t + 40},
    ]


def observations(lines: Iterable[dict[str, object]]) -> list[Observation]:
    return [decode(msgspec.json.encode(line)) for line in lines]


def timing(t: float, window: float) -> dict[str, object]:
    return {"kind": "timing", "t": t, "order_window": window}


def play(library: Library, lines: Iterable[dict[str, object]]) -> tuple[Engine, list[Event]]:
    engine = Engine(library.book)
    return engine, [e for o in observations(lines) for e in engine.observe(o)]


def findings(events: Iterable[Event]) -> list[tuple[int, str]]:
    return [(event.hand, event.code) for event in events if isinstance(event, Finding)]


def test_half_a_second_is_an_order_by_the_default_and_none_at_slow_readers(
    library: Library,
) -> None:
    _, events = play(library, [TABLE, *a_hand(1.0)])
    assert (1, WRONG) in findings(events)
    _, events = play(library, [TABLE, timing(0.5, 0.7), *a_hand(1.0)])
    assert [e.hand for e in events if isinstance(e, Start)] == [1]
    assert findings(events) == []


@pytest.mark.parametrize("at", [1.2, 2.2, 10.0])
def test_it_is_not_changed_in_the_middle_of_a_hand(library: Library, at: float) -> None:
    hand = a_hand(1.0)
    told = sorted([*hand, timing(at, 0.7)], key=lambda line: float(str(line["t"])))
    plain, plain_events = play(library, [TABLE, *hand])
    engine, events = play(library, [TABLE, *told])
    assert [encode_event(e) for e in events] == [encode_event(e) for e in plain_events]
    before, after = plain.state(), engine.state()
    assert before is not None
    assert after is not None
    assert before.table.timing.order_window == 0.4
    assert after.table.timing == Timing(order_window=0.7)
    assert engine.next_timing == Timing(order_window=0.7)


def test_the_next_hand_is_judged_with_it_and_so_it_is_after_a_restart(library: Library) -> None:
    first, second = a_hand(1.0), a_hand(100.0, first=20, moved=1)
    _, events = play(library, [TABLE, *first, *second])
    assert [code for hand, code in findings(events) if hand == 2] == [WRONG]

    engine, events = play(library, [TABLE, *first[:5], timing(3.0, 0.7), *first[5:], *second])
    assert [code for hand, code in findings(events) if hand == 2] == []

    engine, _ = play(library, [TABLE, *first[:5], timing(3.0, 0.7), *first[5:]])
    state = engine.state()
    assert state is not None
    again = Engine(library.book)
    kept = msgspec.json.decode(msgspec.json.encode(state), type=EngineState)
    again.restore(kept, None, engine.lying())
    for observation in observations(second):
        expected = [encode_event(e) for e in engine.observe(observation)]
        assert [encode_event(e) for e in again.observe(observation)] == expected


def test_it_is_still_the_same_once_the_end_of_the_hand_was_taken_back(library: Library) -> None:
    hand = a_hand(1.0)[:9]
    undo = {"kind": "dealer", "input": "undo", "t": 28.0}
    _, told = play(library, [TABLE, *hand, timing(27.0, 0.7), undo])
    _, untold = play(library, [TABLE, *hand, undo])
    assert findings(told) == [(1, WRONG)] * 2
    assert [encode_event(e) for e in told] == [encode_event(e) for e in untold]


def test_it_ends_no_inventory_after_a_gap(library: Library) -> None:
    """What is read within two seconds after a gap tells no order, and is taken in together."""
    hand = a_hand(1.0)[:7]
    gap = {"kind": "gap", "t": 20.0, "since": 19.0, "why": "restart"}
    flop: list[dict[str, object]] = [
        {"kind": "seen", "t": 20.5 + n / 2, "zone": "board", "tag": tag}
        for n, tag in enumerate(("Ac", "Ad", "Ah"))
    ]
    rest: list[dict[str, object]] = [*flop, {"kind": "tick", "t": 40.0}]
    _, untold = play(library, [TABLE, *hand, gap, *rest])
    _, told = play(library, [TABLE, *hand, gap, timing(20.1, 0.4), *rest])
    assert [len(event.cards) for event in untold if isinstance(event, Board)] == [3]
    assert [encode_event(e) for e in told] == [encode_event(e) for e in untold]


def test_before_the_table_is_set_up_it_says_nothing(library: Library) -> None:
    engine, events = play(library, [timing(0.0, 0.7)])
    assert (events, engine.next_timing) == ([], None)
    engine, _ = play(library, [timing(0.0, 0.7), TABLE])
    assert engine.next_timing == Timing()
