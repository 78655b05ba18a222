"""Antennas that read a card on its way: what is pitched, burned or turned up crosses the muck, the
board, the burns or another seat, and lies somewhere else in the end. Nothing is found of that."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from controller.contract.events import Action, Board, Event, Finding, Phase, Prompt
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.engine.table_logs import Line, read

CARDS = [f"{rank}{suit}" for suit in "shdc" for rank in "23456789TJQKA"]
PITCH = 0.6


def table(seats: int, **fields: object) -> Line:
    """The last seat has the button."""
    return {
        "kind": "table", "v": 1, "table": "T1", "rulebook": "roberts", "button": seats,
        "seats": [{"seat": seat, "stack": 1000} for seat in range(1, seats + 1)],
        "blinds": {"small": 5, "big": 10}, **fields,
    }  # fmt: skip


def seen(t: float, zone: str, tag: str) -> Line:
    return {"kind": "seen", "t": round(t, 3), "zone": zone, "tag": tag}


def gone(t: float, zone: str, tag: str) -> Line:
    return {"kind": "gone", "t": round(t, 3), "zone": zone, "tag": tag}


def press(t: float, seat: int, button: str, **fields: object) -> Line:
    return {"kind": "press", "t": round(t, 3), "seat": seat, "button": button, **fields}


def pitches(seats: int, begin: float = 5.0) -> list[Line]:
    """Twice round, a card each."""
    at = [*range(1, seats + 1)] * 2
    return [seen(begin + PITCH * n, f"seat/{s}", CARDS[n]) for n, s in enumerate(at)]


def told(library: Library, lines: Iterable[Line], end: float) -> list[Event]:
    log = sorted(lines, key=lambda line: float(str(line.get("t", -1))))
    engine = Engine(library.book)
    ticks = [{"kind": "tick", "t": end}]
    return [e for each in read([*log, *ticks]) for e in engine.observe(each)]


def found(events: Iterable[Event]) -> list[tuple[str, str]]:
    return [(e.code, e.basis) for e in events if isinstance(e, Finding)]


def after(seats: int, t: float) -> list[Line]:
    """All call, and the big blind checks."""
    order = [*range(3, seats + 1), 1]
    calls = [press(t + 2 * n, seat, "call") for n, seat in enumerate(order)]
    return [*calls, press(t + 2 * len(order), 2, "check")]


RIFFLE: Line = {"kind": "riffle", "t": 1.0}


@pytest.mark.parametrize("zone", ["muck", "board", "burn"])
@pytest.mark.parametrize("nth", [1, 3, 5, 8, 11])
@pytest.mark.parametrize("over", [0.05, 0.3])
def test_a_pitched_card_crosses_the_middle(
    library: Library, zone: str, nth: int, over: float
) -> None:
    """It reaches its seat as it leaves the antenna."""
    deal = pitches(6)
    came = float(str(deal[nth]["t"]))
    crossed = [seen(came - over, zone, CARDS[nth]), gone(came - over / 2, zone, CARDS[nth])]
    events = told(library, [table(6), RIFFLE, *deal, *crossed, *after(6, 15)], 40.0)
    assert found(events) == []
    assert [e.seat for e in events if isinstance(e, Action)] == [3, 4, 5, 6, 1, 2]
    assert [e.args["street"] for e in events if isinstance(e, Prompt) and "street" in e.args]


@pytest.mark.parametrize("lay", [0.1, 0.3])
@pytest.mark.parametrize("nth", [2, 3, 6])
def test_the_deck_crosses_a_seat_amid_the_deal(library: Library, nth: int, lay: float) -> None:
    """A card that is not dealt is read at seat 1 for a moment."""
    deal = pitches(4)
    t = float(str(deal[nth]["t"])) + 0.15
    crossed = [seen(t, "seat/1", "Ac"), gone(t + lay, "seat/1", "Ac")]
    events = told(library, [table(4), RIFFLE, *deal, *crossed, *after(4, 15)], 40.0)
    assert found(events) == []
    assert [e.seat for e in events if isinstance(e, Action)] == [3, 4, 1, 2]


@pytest.mark.parametrize(("seat", "button"), [(1, "fold"), (4, "check"), (3, "call")])
@pytest.mark.parametrize("t", [5.3, 5.9, 6.5])
def test_a_press_amid_the_deal_is_of_the_hand_before(
    library: Library, seat: int, button: str, t: float
) -> None:
    """As long as not everybody has a card."""
    late = press(t, seat, button)
    events = told(library, [table(4), RIFFLE, *pitches(4), late, *after(4, 15)], 40.0)
    assert found(events) == []
    assert [e.seat for e in events if isinstance(e, Action)] == [3, 4, 1, 2]


def hand_to_the_turn() -> list[Line]:
    return [
        table(3), RIFFLE, *pitches(3), *after(3, 12),
        seen(22, "burn", "2d"), *(seen(23 + n / 5, "board", f"{4 + n}d") for n in range(3)),
        *(press(26 + 2 * n, seat, "check") for n, seat in enumerate((1, 2, 3))),
        seen(34, "burn", "3d"),
    ]  # fmt: skip


@pytest.mark.parametrize("zone", ["muck", "burn"])
def test_the_turn_crosses_the_muck_or_the_burns(library: Library, zone: str) -> None:
    crossed = [seen(35, zone, "9d"), gone(35.15, zone, "9d"), seen(35.2, "board", "9d")]
    presses = [press(38 + 2 * n, seat, "check") for n, seat in enumerate((1, 2, 3))]
    events = told(library, [*hand_to_the_turn(), *crossed, *presses], 50.0)
    assert found(events) == []
    assert [e.cards[-1] for e in events if isinstance(e, Board)][-1] == "9d"
    assert [e.phase for e in events if isinstance(e, Phase)][-1] == "turn"
    assert len([e for e in events if isinstance(e, Action) and e.action == "check"]) == 7


def test_a_burn_crosses_the_muck(library: Library) -> None:
    hand = hand_to_the_turn()[:-1]
    crossed = [seen(34, "muck", "3d"), gone(34.2, "muck", "3d"), seen(34.25, "burn", "3d")]
    turn = [seen(35, "board", "9d"), press(38, 1, "check"), press(40, 2, "check")]
    assert found(told(library, [*hand, *crossed, *turn], 50.0)) == []


def test_the_board_and_the_burns_both_read_a_burn(library: Library) -> None:
    """For longer than a flicker, and the board first."""
    log = [
        table(3), RIFFLE, *pitches(3), *after(3, 12),
        seen(22, "board", "2d"), seen(22.1, "burn", "2d"), gone(22.9, "board", "2d"),
        *(seen(22.8 + n / 7, "board", f"{4 + n}d") for n in range(3)),
        *(press(26 + 2 * n, seat, "check") for n, seat in enumerate((1, 2, 3))),
        seen(34, "burn", "3d"), seen(35, "board", "9d"),
    ]  # fmt: skip
    events = told(library, log, 45.0)
    assert found(events) == []
    assert [e.cards for e in events if isinstance(e, Board)][-1] == ("4d", "5d", "6d", "9d")


def test_the_burns_read_the_first_card_of_the_flop_as_well(library: Library) -> None:
    log = [
        table(3), RIFFLE, *pitches(3), *after(3, 12), seen(22, "burn", "2d"),
        seen(22.9, "burn", "4d"), *(seen(23 + n / 5, "board", f"{4 + n}d") for n in range(3)),
        gone(23.9, "burn", "4d"),
        *(press(26 + 2 * n, seat, "check") for n, seat in enumerate((1, 2, 3))),
        seen(34, "burn", "3d"), seen(35, "board", "9d"),
    ]  # fmt: skip
    events = told(library, log, 45.0)
    assert found(events) == []
    assert [e.cards for e in events if isinstance(e, Board)][-1] == ("4d", "5d", "6d", "9d")


def test_a_burn_hides_the_one_that_it_is_laid_on(library: Library) -> None:
    """HPT-BURN-04: each goes with the last one; tags in a pile hide each other."""
    log = [
        *hand_to_the_turn(), gone(34.2, "burn", "2d"), seen(35, "board", "9d"),
        *(press(38 + 2 * n, seat, "check") for n, seat in enumerate((1, 2, 3))),
        seen(46, "burn", "7c"), gone(46.1, "burn", "3d"), seen(47, "board", "8c"),
    ]  # fmt: skip
    assert found(told(library, log, 60.0)) == []


def test_a_burn_that_goes_when_none_is_laid_on_it_is_asked_about(library: Library) -> None:
    log = [*hand_to_the_turn(), seen(35, "board", "9d"), gone(40, "burn", "2d")]
    assert found(told(library, log, 50.0)) == [("burn-disturbed", "unseen")]
