"""Antennas that read a card on its way: what is pitched, burned or turned up crosses the muck, the
board, the burns or another seat, and lies somewhere else in the end. Nothing is found of that."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from controller.contract.cards import CARDS
from controller.contract.events import Action, Board, Event, Finding, Phase, Prompt
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.engine.lines import gone, press, seen, table
from tests.engine.table_logs import Line, read

PITCH = 0.6


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
    events = told(library, [table(*range(1, 7)), RIFFLE, *deal, *crossed, *after(6, 15)], 40.0)
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
    events = told(library, [table(*range(1, 5)), RIFFLE, *deal, *crossed, *after(4, 15)], 40.0)
    assert found(events) == []
    assert [e.seat for e in events if isinstance(e, Action)] == [3, 4, 1, 2]


@pytest.mark.parametrize(("seat", "button"), [(1, "fold"), (4, "check"), (3, "call")])
@pytest.mark.parametrize("t", [5.3, 5.9, 6.5])
def test_a_press_amid_the_deal_is_of_the_hand_before(
    library: Library, seat: int, button: str, t: float
) -> None:
    """As long as not everybody has a card."""
    late = press(t, seat, button)
    events = told(library, [table(*range(1, 5)), RIFFLE, *pitches(4), late, *after(4, 15)], 40.0)
    assert found(events) == []
    assert [e.seat for e in events if isinstance(e, Action)] == [3, 4, 1, 2]


BURN = seen(22, "burn", "2d")
FLOP = [seen(23 + n / 5, "board", f"{4 + n}d") for n in range(3)]


def to_the_turn(flop: list[Line]) -> list[Line]:
    """With the turn's burn."""
    played = [RIFFLE, *pitches(3), *after(3, 12), *flop, *checks(26), seen(34, "burn", "3d")]
    return [table(*range(1, 4)), *played]


def checks(t: float) -> list[Line]:
    return [press(t + 2 * n, seat, "check") for n, seat in enumerate((1, 2, 3))]


@pytest.mark.parametrize("zone", ["muck", "burn"])
def test_the_turn_crosses_the_muck_or_the_burns(library: Library, zone: str) -> None:
    crossed = [seen(35, zone, "9d"), gone(35.15, zone, "9d"), seen(35.2, "board", "9d")]
    events = told(library, [*to_the_turn([BURN, *FLOP]), *crossed, *checks(38)], 50.0)
    assert found(events) == []
    assert [e.cards[-1] for e in events if isinstance(e, Board)][-1] == "9d"
    assert [e.phase for e in events if isinstance(e, Phase)][-1] == "turn"
    assert len([e for e in events if isinstance(e, Action) and e.action == "check"]) == 7


def test_a_burn_crosses_the_muck(library: Library) -> None:
    hand = to_the_turn([BURN, *FLOP])[:-1]
    crossed = [seen(34, "muck", "3d"), gone(34.2, "muck", "3d"), seen(34.25, "burn", "3d")]
    turn = [seen(35, "board", "9d"), press(38, 1, "check"), press(40, 2, "check")]
    assert found(told(library, [*hand, *crossed, *turn], 50.0)) == []


BOARD_READS_THE_BURN = [
    seen(22, "board", "2d"), seen(22.1, "burn", "2d"), gone(22.9, "board", "2d"),
    *(seen(22.8 + n / 7, "board", f"{4 + n}d") for n in range(3)),
]  # fmt: skip
BURNS_READ_THE_FLOP = [BURN, seen(22.9, "burn", "4d"), *FLOP, gone(23.9, "burn", "4d")]


@pytest.mark.parametrize("flop", [BOARD_READS_THE_BURN, BURNS_READ_THE_FLOP], ids=["burn", "flop"])
def test_board_and_burns_both_read_a_card(library: Library, flop: list[Line]) -> None:
    """For longer than a flicker, and the wrong one first."""
    events = told(library, [*to_the_turn(flop), seen(35, "board", "9d")], 45.0)
    assert found(events) == []
    assert [e.cards for e in events if isinstance(e, Board)][-1] == ("4d", "5d", "6d", "9d")


def test_a_burn_hides_the_one_that_it_is_laid_on(library: Library) -> None:
    """HPT-BURN-04: each goes with the last one; tags in a pile hide each other."""
    log = [
        *to_the_turn([BURN, *FLOP]), gone(34.2, "burn", "2d"), seen(35, "board", "9d"),
        *checks(38), seen(46, "burn", "7c"), gone(46.1, "burn", "3d"), seen(47, "board", "8c"),
    ]  # fmt: skip
    assert found(told(library, log, 60.0)) == []


def test_a_burn_that_goes_when_none_is_laid_on_it_is_asked_about(library: Library) -> None:
    log = [*to_the_turn([BURN, *FLOP]), seen(35, "board", "9d"), gone(40, "burn", "2d")]
    assert found(told(library, log, 50.0)) == [("burn-disturbed", "unseen")]
