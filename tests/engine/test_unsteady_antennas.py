"""Board and burn antennas that miss a card for a second disturb nothing."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.contract.events import Finding
from controller.contract.observations import decode
from controller.engine.engine import Engine
from controller.library.books import Library

CLEAN = Path(__file__).resolve().parents[1] / "hands" / "clean"
LOGS = sorted(path for path in CLEAN.glob("*.jsonl") if "-blind" not in path.stem)
LONGEST = 1.3
"""Seconds for which a card may not be read: less than `flicker` and `settle` together."""


def unsteady(lines: list[dict[str, Any]], rng: random.Random) -> list[dict[str, Any]]:
    """The log with three short dropouts of each card on the board and the burns."""
    last = float(lines[-1]["t"])
    dropouts = []
    for line in lines:
        if line["kind"] != "seen" or line["zone"].partition("/")[0] not in ("board", "burn"):
            continue
        where = {"zone": line["zone"], "tag": line["tag"]}
        for number in range(3):
            start = line["t"] + 1.0 + 4.0 * number + rng.random()
            end = start + rng.uniform(0.05, LONGEST)
            if end < last:
                dropouts += [
                    {"kind": "gone", "t": round(start, 3), **where},
                    {"kind": "seen", "t": round(end, 3), **where},
                ]
    return sorted([*lines, *dropouts], key=lambda line: float(line["t"]))


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_a_card_missed_for_a_second_is_no_finding(library: Library, log: Path) -> None:
    head, *rest = (msgspec.json.decode(line) for line in log.read_bytes().splitlines())
    engine = Engine(library.book)
    for line in (head, *unsteady(rest, random.Random(log.stem))):
        events = engine.observe(decode(msgspec.json.encode(line)))
        assert not [event for event in events if isinstance(event, Finding)]
