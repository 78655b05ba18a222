"""An engine restored between hands goes on as if nothing had happened."""

from __future__ import annotations

import random

import msgspec
import pytest

from controller.contract.events import Event, Result, encode_event
from controller.contract.observations import Gone, Observation, Seen, Table
from controller.demo.deck import PUCK
from controller.engine.engine import Engine
from controller.engine.state import EngineState
from controller.library.books import Library
from firmware_bridge.sensed import MOST_CHIPS
from tests.engine.simulation import HANDS, deal

NAMES = sorted(path.stem for path in HANDS.glob("pl_*.phh"))


def several_hands(library: Library, count: int, error: str | None) -> list[Observation]:
    """A log of several hands at one table: only the first has a table record. The button moves
    on though the players sit alike in each, so no puck lies there."""
    log: list[Observation] = []
    t = 0.0
    names = random.Random(7).sample(NAMES, count)
    for number, name in enumerate(names):
        felt = deal(library, "roberts", name, error if number == 1 else None, seed=3)
        moved = [
            msgspec.structs.replace(o, t=t + o.t)
            for o in felt.log
            if o.t is not None and not (number and isinstance(o, Table)) and not is_puck(o)
        ]
        log += moved
        t = moved[-1].t or t
    return log


def is_puck(observation: Observation) -> bool:
    return isinstance(observation, Seen | Gone) and observation.tag == PUCK


def say(events: list[Event]) -> list[bytes]:
    return [encode_event(event) for event in events]


@pytest.mark.parametrize("error", [None, "four-card-flop", "first-card-wrong-seat"])
def test_restored_between_hands_it_says_the_same(library: Library, error: str | None) -> None:
    log = several_hands(library, 4, error)
    whole = Engine(library.book)
    engine = Engine(library.book)
    restored = 0
    for observation in log:
        expected = say(whole.observe(observation))
        assert say(engine.observe(observation)) == expected
        state = engine.state()
        if state is not None and expected:
            kept = msgspec.json.decode(msgspec.json.encode(state), type=EngineState)
            again = Engine(library.book)
            again.restore(kept, None, engine.lying())
            assert again.state() == kept
            engine = again
            restored += 1
    assert restored >= 4


def test_there_is_no_state_while_a_hand_is_running(library: Library) -> None:
    engine = Engine(library.book)
    assert engine.state() is None
    log = several_hands(library, 1, None)
    kinds: list[str] = []
    for observation in log:
        kinds += [type(event).__name__ for event in engine.observe(observation)]
        running = "Start" in kinds and "Result" not in kinds
        assert (engine.state() is None) == running or "Start" not in kinds
        assert (engine.hand is not None) == running


def test_a_stack_of_more_than_may_be_told_is_not_known(library: Library) -> None:
    """So that what is kept can be read again, whatever has been won."""
    first, *rest = several_hands(library, 3, None)
    assert isinstance(first, Table)
    rich = tuple(msgspec.structs.replace(seat, stack=MOST_CHIPS) for seat in first.seats)
    engine, most = Engine(library.book), 0
    for observation in (msgspec.structs.replace(first, seats=rich), *rest):
        for event in engine.observe(observation):
            if isinstance(event, Result):
                most = max(most, *(event.stacks or {"": 0}).values())
        if (state := engine.state()) is not None:
            assert msgspec.json.decode(msgspec.json.encode(state), type=EngineState) == state
    assert most > MOST_CHIPS
