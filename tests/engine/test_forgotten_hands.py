"""Hands were played of which nothing is known any more: the next deal shows how things stand."""

from __future__ import annotations

from msgspec.structs import replace

from controller.contract.cards import CARDS
from controller.contract.events import Event, Finding, Prompt
from controller.contract.observations import (
    Award,
    Observation,
    Press,
    Riffle,
    Seen,
    Table,
    TableBlinds,
    TableSeat,
    Tick,
)
from controller.engine.engine import Engine
from controller.library.books import Library

ALL = (1, 2, 3, 4, 5)
LEFT = (1, 2, 3, 5)
RECORD = Table(
    v=1,
    table="T1",
    rulebook="roberts",
    seats=tuple(TableSeat(seat=seat, stack=1_000) for seat in ALL),
    button=1,
    blinds=TableBlinds(small=5, big=10),
    deck={card: card for card in CARDS},
    objects={"puck": "button"},
    under_way=True,
)
UNKNOWN = tuple(replace(seat, stack=None) for seat in RECORD.seats)


def deal(t: float, order: tuple[int, ...]) -> list[Observation]:
    """A riffle, the puck in its place and a regular deal; the first to act calls."""
    return [
        Riffle(t=t),
        Seen(t + 1, f"seat/{order[-1]}", "puck"),
        *(
            Seen(t + 5 + n / 2, f"seat/{seat}", card)
            for n, (seat, card) in enumerate(zip(order * 2, CARDS, strict=False))
        ),
        Tick(t + 15),
        Press(t=t + 18, seat=order[2], button="call"),
        Tick(t + 22),
    ]


def told(engine: Engine, log: list[Observation]) -> list[Event]:
    return [event for observation in log for event in engine.observe(observation)]


def test_the_button_has_moved_and_one_is_out(library: Library) -> None:
    engine = Engine(library.book)
    record = replace(RECORD, seats=UNKNOWN)
    events = told(engine, [record, Award(kind="dealer", t=1.0), *deal(2.0, LEFT)])
    assert not [event for event in events if isinstance(event, Finding)]
    assert any(isinstance(e, Prompt) and e.text_id == "taken-over" for e in events)
    assert engine.sight().is_watched
    after = told(engine, [Award(kind="dealer", t=40.0)])
    assert engine.sight().next_button == 1
    assert not [event for event in after if isinstance(event, Finding)]


def test_a_table_of_which_all_is_known_claims_it(library: Library) -> None:
    """What the test above would find if what the settings say were believed."""
    engine = Engine(library.book)
    events = told(engine, [replace(RECORD, under_way=False), *deal(2.0, LEFT)])
    assert [event for event in events if isinstance(event, Finding)]
