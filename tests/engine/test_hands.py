"""Real hands: nothing is found in the clean ones, and in the others what was done wrong."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from controller.contract.events import encode_event
from controller.contract.observations import decode
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.rules import IRREGULARITIES

HANDS = Path(__file__).resolve().parents[1] / "hands"
PHH = Path(__file__).resolve().parents[2] / "config" / "hands"
CLEAN = sorted((HANDS / "clean").glob("*.jsonl"))
EXPECTED = json.loads((HANDS / "faults" / "expected.json").read_text())
CODES = {rule.code for rule in IRREGULARITIES}
FAULTS = [
    pytest.param(name, book, id=f"{name}-{book}")
    for name, want in EXPECTED.items()
    if want["code"] in CODES
    for book in sorted({*want["outcome"], *want["cites_one_of"]})
]


def replay(library: Library, log: Path, rulebook: str | None = None) -> list[dict[str, Any]]:
    engine = Engine(library.book, rulebook)
    return [
        json.loads(encode_event(event))
        for line in log.read_bytes().splitlines()
        for event in engine.observe(decode(line))
    ]


@pytest.mark.parametrize("log", CLEAN, ids=lambda log: log.stem)
@pytest.mark.parametrize("book", [None, "roberts", "uk-tda"])
def test_nothing_is_found_in_a_clean_hand(library: Library, log: Path, book: str | None) -> None:
    found = [e for e in replay(library, log, book) if e["kind"] == "finding"]
    if "-blind" in log.stem:
        found = [e for e in found if e["basis"] == "seen"]
    assert found == []


@pytest.mark.parametrize(("name", "book"), FAULTS)
def test_what_was_done_wrong_is_found_and_ruled(library: Library, name: str, book: str) -> None:
    want = EXPECTED[name]
    events = replay(library, HANDS / "faults" / f"{name}.jsonl", book)
    codes = [e["code"] for e in events if e["kind"] == "finding"]
    assert codes.count(want["code"]) == 1
    assert set(codes) - {want["code"], *want["allowed_beside"]} == set()
    finding = next(e for e in events if e["kind"] == "finding" and e["code"] == want["code"])
    rulings = [
        e["ruling"]
        for e in events
        if e["kind"] in ("finding", "ruling") and e["id"] == finding["id"]
    ]
    assert rulings[-1]["outcome"] in want["outcome"].get(book, [rulings[-1]["outcome"]])
    cites = want["cites_one_of"].get(book)
    assert cites is None or set(cites) & set(rulings[-1]["cites"])
    assert rulings[-1]["steps"]
    closed = [e["how"] for e in events if e["kind"] == "closed" and e["id"] == finding["id"]]
    assert want["closed"] is None or closed == [want["closed"]]


def test_final_stacks_are_those_of_the_source(library: Library) -> None:
    checked = 0
    for log in CLEAN:
        source = tomllib.loads((PHH / f"{log.stem.rsplit('-', 1)[0]}.phh").read_text())
        result = next(e for e in replay(library, log) if e["kind"] == "result")
        if "finishing_stacks" in source and "stacks" in result:
            assert sorted(result["stacks"].values()) == sorted(source["finishing_stacks"]), log.stem
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("log", CLEAN, ids=lambda log: log.stem)
def test_a_hand_has_one_beginning_and_one_end(library: Library, log: Path) -> None:
    events = replay(library, log)
    assert [e["kind"] for e in events].count("start") == 1
    assert [e["kind"] for e in events].count("result") == 1
    phases = [e["phase"] for e in events if e["kind"] == "phase"]
    order = ["deal", "preflop", "flop", "turn", "river", "showdown", "complete"]
    assert phases == [p for p in order if p in phases]
    assert phases[-1] == "complete"
    start = next(e for e in events if e["kind"] == "start")
    assert start.get("implied", False) == ("-noriffle" in log.stem)
