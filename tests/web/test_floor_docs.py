"""What the manual says of the floor's acts is all that there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import msgspec

from controller.contract.messages import FLOOR_COMMANDS, Command
from controller.room.alert_acts import ALERT_ACTS, FloorAct
from controller.room.alerts import Why
from controller.room.shift import Limits

MANUAL = (Path(__file__).parents[2] / "docs" / "floor.md").read_text(encoding="utf-8")


def rows(title: str) -> dict[str, dict[str, bool]]:
    """Of a table: its names, the fields of each, and whether they may be missing."""
    part = MANUAL.split(f"| {title} |")[1].split("\n\n")[0]
    told: dict[str, dict[str, bool]] = {}
    for line in part.splitlines():
        if line.startswith("| `"):
            _, names, fields, *_ = line.split("|")
            given = {name: bool(may) for name, may in re.findall(r"`(\w+)`(\?)?", fields)}
            told |= dict.fromkeys(re.findall(r"`([^`]+)`", names), given)
    return told


def own(kind: type[msgspec.Struct], *common: str) -> dict[str, bool]:
    fields = msgspec.structs.fields(kind)
    return {f.name: not f.required for f in fields if f.name not in common}


def test_every_act_and_field_is_in_the_manual_and_no_other() -> None:
    common = FloorAct.__struct_fields__
    assert rows("name") == {name: own(kind, *common) for name, (kind, _) in ALERT_ACTS.items()}


def test_every_decision_and_field_is_in_the_manual_and_no_other() -> None:
    common = Command.__struct_fields__
    wanted = {name: own(topic.payload, *common) for name, topic in FLOOR_COMMANDS.items()}
    assert rows("decision") == wanted


def test_every_cause_of_escalation_is_in_the_manual_with_its_time() -> None:
    part = MANUAL.split("| escalates |")[1].split("\n\n")[0]
    times = {line.split("`")[1]: line.split("|")[3:5] for line in part.splitlines() if "`" in line}
    assert set(times) == set(get_args(Why)) - {""}
    limits = Limits()
    to_take = [f" {limits.take_1_s} s ", f" {limits.take_2_s} s "]
    assert times["not-taken"] == times["owner-away"] == to_take
    assert times["not-ruled"] == [f" {limits.rule_s // 60} min "] * 2
