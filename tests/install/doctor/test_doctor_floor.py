"""What the doctor says of who from the floor signs in."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from controller.install.doctor.floor import FloorFile, judge
from controller.install.doctor.system import Account, Node
from controller.people.pins import hashed
from tests.install.doctor.at_the_table import doctor
from tests.table.felt import write_table

OWN = Node("file", 0o600, "cutcard", "cutcard")
CUTCARD = Account("cutcard", frozenset({"cutcard"}))


@pytest.mark.parametrize(
    ("file", "statuses", "words"),
    [
        (FloorFile(), ["warn"], "cutcard floor add"),
        (FloorFile("f", OWN, 2, 1), ["ok"], "2 with a PIN, 1 with a badge"),
        (FloorFile(badges=1), ["ok"], "0 with a PIN, 1 with a badge"),
        (FloorFile("f", OWN, fault="f: Ann: no hashed PIN"), ["fail"], "Ann"),
        (FloorFile("f", OWN, fault="f: Permission denied"), ["skipped"], "Permission denied"),
        (FloorFile("f", Node("file", 0o644, "cutcard", "cutcard"), 1), ["ok", "fail"], "chmod 600"),
        (FloorFile("f", Node("file", 0o600, "ann", "ann"), 1), ["ok", "fail"], "sudo chown"),
        (FloorFile("f", Node("file", 0o600, "root", "root"), 1, is_credential=True), ["ok"], "PIN"),
    ],
)
def test_the_floors_file(file: FloorFile, statuses: list[str], words: str) -> None:
    found = judge(file, CUTCARD)
    assert [check.status for check in found] == statuses
    assert any(words in f"{check.found} {check.todo}" for check in found)
    assert all(check.todo for check in found if check.status in ("warn", "fail"))


def test_it_is_a_part_of_its_own(tmp_path: Path) -> None:
    people = tmp_path / "floor.toml"
    people.write_text(f'"Ann Lee" = "{hashed("4711")}"\n')
    people.chmod(0o640)
    write_table(tmp_path, "roberts")
    settings = tmp_path / "table.toml"
    settings.write_text(settings.read_text() + '\n[floor]\nfile = "floor.toml"\n')
    status, out, err = asyncio.run(doctor("--only", "floor", "--json", "--config", str(settings)))
    assert err == ""
    found = json.loads(out)
    checks = found["checks"] if isinstance(found, dict) else found
    assert [(each["name"], each["status"]) for each in checks] == [
        ("floor", "ok"),
        ("floor's file", "fail"),
    ]
    assert "argon2" not in out
    assert status == 1
