"""What the dealer and the floor do is on record with who did it and why."""

from __future__ import annotations

import json
from types import UnionType
from typing import Any

import msgspec
import pytest

from controller.contract.events import FloorCalled, FloorComing, Start
from controller.contract.observations import DealerInput, FloorInput, decode
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.storage.pseudonyms import KEY_BYTES, Pseudonyms, classifier, reveal

NAMES = Pseudonyms(bytes(range(KEY_BYTES)))
SAMPLE = {
    "name": "Kim",
    "cause": "dealer",
    "seat": 1,
    "finding": 1,
    "step": "stop",
    "outcome": "stands",
    "code": "joker",
    "hands": 2,
    "on": True,
}


def inputs(kinds: UnionType, kind: str) -> list[dict[str, Any]]:
    """A line of every input, with what it has to have and nothing else."""
    return [
        {"kind": kind, "t": 7.0, "input": one.__struct_config__.tag}
        | {
            field.name: SAMPLE[field.name]
            for field in msgspec.structs.fields(one)
            if field.required and field.name not in ("kind", "t")
        }
        for one in kinds.__args__
    ]


ACTS = [*inputs(DealerInput, "dealer"), *inputs(FloorInput, "floor")]


@pytest.mark.parametrize("act", ACTS, ids=lambda act: f"{act['kind']} {act['input']}")
def test_who_and_why_are_in_the_line_and_come_back(act: dict[str, Any]) -> None:
    line = NAMES.hide(
        decode(json.dumps(act | {"by": "Ann", "reason": "seen by me"}).encode()), classifier({}, {})
    )
    kept = json.loads(line)["o"]
    assert (kept["by"], kept["reason"]) == ("Ann", "seen by me")
    back = reveal(line, NAMES.known(()))
    assert (getattr(back, "by", ""), getattr(back, "reason", "")) == ("Ann", "seen by me")


TABLE = (
    b'{"kind":"table","v":1,"table":"1","rulebook":"roberts","button":1,'
    b'"blinds":{"small":5,"big":10},"seats":[{"seat":1},{"seat":2}]}'
)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: f"{act['kind']} {act['input']}")
def test_nobody_has_to_be_named(library: Library, act: dict[str, Any]) -> None:
    engine = Engine(library.book)
    for line in (TABLE, b'{"kind":"riffle","t":1}', json.dumps(act).encode()):
        engine.observe(decode(line))


def test_the_dealer_who_signed_in_is_named(library: Library) -> None:
    engine = Engine(library.book)
    events = [
        event
        for line in (
            TABLE,
            b'{"kind":"dealer","t":1,"input":"sign-in","name":"Kim"}',
            b'{"kind":"riffle","t":2}',
            b'{"kind":"dealer","t":3,"input":"call-floor"}',
            b'{"kind":"dealer","t":4,"input":"call-floor","by":"Lee"}',
            b'{"kind":"floor","t":5,"input":"coming","by":"Ann"}',
            b'{"kind":"floor","t":6,"input":"coming"}',
        )
        for event in engine.observe(decode(line))
    ]
    assert [e.dealer for e in events if isinstance(e, Start)] == ["Kim"]
    assert [e.by for e in events if isinstance(e, FloorCalled)] == ["Kim", "Lee"]
    assert [e.by for e in events if isinstance(e, FloorComing)] == ["Ann", None]
