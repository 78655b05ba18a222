"""What the manual says of the clock's acts is all that there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from controller.room.acts import ACTS, Act
from controller.room.tournament import TELLS
from controller.room.view import ShownState

MANUAL = (Path(__file__).parents[2] / "docs" / "room.md").read_text(encoding="utf-8")


def test_every_act_and_field_is_in_the_manual_and_no_other() -> None:
    told: dict[str, set[str]] = {}
    rows = [line.split("|") for line in MANUAL.splitlines() if line.startswith("| `")]
    for _, names, fields, *_ in rows:
        own = re.sub(r": .*?(?=, `|$)", "", fields)
        for name in re.findall(r"`([^`]+)`", names):
            told[name] = set(re.findall(r"`(\w+)`", own))
    common = set(Act.__struct_fields__)
    kinds = {**ACTS, **TELLS}
    assert told == {
        name: set(kind.__struct_encode_fields__) - common for name, (kind, _) in kinds.items()
    }


def test_every_state_is_in_the_manual() -> None:
    listed = MANUAL.split("`state` is one of ")[1].split(". ")[0]
    assert set(re.findall(r"`([\w-]+)`", listed)) == set(get_args(ShownState))
