"""A rule is under `controller/rules/` and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

from controller.rules import IRREGULARITIES

CONTROLLER = Path(__file__).resolve().parents[2] / "controller"
ID = re.compile(r"\b(HPT|RR7|RRP|NL10|TDA09|UK)-[A-Z0-9-]*[0-9]")


def test_neither_engine_nor_hand_names_a_finding_or_a_rule() -> None:
    codes = [
        f'"{rule.code}"' for rule in IRREGULARITIES if rule.code != "joker"
    ]  # a tag's kind too
    named = {
        path.name
        for room in ("engine", "hand")
        for path in (CONTROLLER / room).glob("*.py")
        if ID.search(text := path.read_text(encoding="utf-8")) or any(c in text for c in codes)
    }
    assert named == set()
