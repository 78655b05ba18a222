from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.contract.messages import (
    ROOM_TIME,
    TABLE_ALERT,
    MessageError,
    RoomTime,
)
from tests.mqtt.schema import ROWS, check, row_of, schema

ROOT = Path(__file__).parents[2]
FILE = ROOT / "config" / "mqtt.schema.json"


def test_the_file_is_what_the_command_prints() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "tests.mqtt.schema"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    assert printed == FILE.read_bytes(), "python -m tests.mqtt.schema > config/mqtt.schema.json"


def references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key == "$ref":
                yield each
            else:
                yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


def test_it_has_every_topic_and_leads_nowhere_else() -> None:
    whole = json.loads(schema())
    assert set(whole["topics"]) == {row.path for row in ROWS}
    targets = {f"#/$defs/{name}" for name in whole["$defs"]}
    assert set(references(whole)) <= targets
    assert len(whole["topics"]) == 29
    needed = whole["$defs"]["RulingCommand"]["required"]
    assert set(needed) == {"id", "actor", "role", "session", "finding", "outcome"}


def test_a_payload_is_checked_against_its_topics_row() -> None:
    time = ROOM_TIME.message("hall", payload=RoomTime("s", 5))
    check("hall", time.topic, time.payload)
    check("hall", TABLE_ALERT.name("hall", "T1", "7"), b"")
    for topic, payload in (
        ("cutcard/1/hall/elsewhere", b"{}"),
        ("cutcard/1/other/room/time", time.payload),
        (time.topic, b""),
        (time.topic, b'{"v":1,"session":"s","now_ms":"5"}'),
        (time.topic, b'{"v":1,"session":"s","now_ms":5,"more":1}'),
    ):
        with pytest.raises(MessageError):
            check("hall", topic, payload)


def test_each_command_has_a_row_of_its_own() -> None:
    row = row_of("hall", "cutcard/1/hall/tables/T1/cmd/clock")
    assert row is not None
    assert row.payload.__name__ == "ClockCommand"
    assert row_of("hall", "cutcard/1/hall/tables/T1/cmd/clok") is None
