"""`cutcard staff`, typed at a real terminal and told by a program."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from controller.people.pins import is_pin
from controller.people.staff_store import StaffStore
from tests.in_process import Ran, cutcard
from tests.install.person import at_terminal


def staff(folder: Path, *arguments: str, answers: str = "") -> Ran:
    given = ("staff", *arguments, "--store", "room.sqlite")
    return cutcard(*given, cwd=folder, answers=answers)


def people(folder: Path) -> StaffStore:
    return StaffStore.open(folder / "people.sqlite")


def test_a_pin_is_typed_twice_and_never_seen(tmp_path: Path) -> None:
    async def add() -> tuple[int, str]:
        given = ("staff", "add", "Ann Lee", "--role", "floor", "--store", "room.sqlite")
        async with at_terminal(*given, cwd=tmp_path) as person:
            await person.answers("PIN for Ann Lee: ", "471142")
            await person.answers("Repeat it: ", "471142")
            return await person.leaves(), person.text

    status, text = asyncio.run(add())
    assert status == 0
    assert "Ann Lee signs in as floor" in text
    assert "4711" not in text
    assert "argon2" not in text
    store = people(tmp_path)
    assert is_pin(store.known("Ann Lee").kept, "471142")
    store.close()


def test_an_evening_of_changes(tmp_path: Path) -> None:
    assert staff(tmp_path, "add", "Ann", "--role", "admin", answers="4711\n")[0] == 0
    given = ("add", "Bob", "--role", "floor", "--tables", "T1", "T2")
    assert staff(tmp_path, *given, answers="4712\n")[0] == 0
    assert staff(tmp_path, "role", "Bob", "director")[0] == 0
    assert staff(tmp_path, "pin", "Bob", answers="999999\n")[0] == 0
    assert staff(tmp_path, "tables", "Bob", "T3")[0] == 0
    status, out, _ = staff(tmp_path, "list", "--json")
    assert [json.loads(line) for line in out.splitlines()] == [
        {"name": "Ann", "role": "admin", "tables": [], "signed_in": 0},
        {"name": "Bob", "role": "director", "tables": ["T3"], "signed_in": 0},
    ]
    store = people(tmp_path)
    store.sign_in("Bob", "10.0.0.7", 1e12)
    store.close()
    assert staff(tmp_path, "sessions", "--end", "Bob")[1] == "Bob: 1 ended\n"
    assert staff(tmp_path, "remove", "Bob")[0] == 0
    status, out, _ = staff(tmp_path, "audit", "--json")
    assert status == 0
    said = [json.loads(line) for line in out.splitlines()]
    assert [each["what"] for each in said] == [
        "people add",
        "people add",
        "people role",
        "people pin",
        "people tables",
        "people sign-out",
        "people remove",
    ]
    assert "999999" not in out
    assert "argon2" not in out
    out = staff(tmp_path, "audit")[1]
    assert re.search(
        r"^[-\d]+ [:\d]+  \w+ removed Bob \[admin, at cutcard staff\]$", out, re.MULTILINE
    )


@pytest.mark.parametrize(
    ("arguments", "answers", "said"),
    [
        (("add", "Bob", "--role", "flor"), "4711\n", "no role 'flor'; did you mean 'floor'?"),
        (("add", "Bob", "--role", "floor"), "12\n", "a PIN has 4 to 12 digits"),
        (("add", "Bob", "--role", "floor"), "", "a PIN has 4 to 12 digits"),
        (("add", 'B"b', "--role", "floor"), "4711\n", "is not a valid name"),
        (("add", "Ann", "--role", "floor"), "4711\n", "there is already a 'Ann'"),
        (
            ("add", "Bob", "--role", "floor", "--tables", "T 1"),
            "4711\n",
            "is not the name of a table",
        ),
        (("role", "An", "floor"), "", "no 'An'; did you mean 'Ann'?"),
        (("remove", "Ann"), "", "the only admin"),
        (("role", "Ann", "floor"), "", "the only admin"),
        (("pin", "Eve"), "4711\n", "there is no 'Eve'"),
    ],
)
def test_a_mistake_is_one_line(
    tmp_path: Path, arguments: tuple[str, ...], answers: str, said: str
) -> None:
    assert staff(tmp_path, "add", "Ann", "--role", "admin", answers="4711\n")[0] == 0
    status, out, err = staff(tmp_path, *arguments, answers=answers)
    assert (status, out) == (2, "")
    assert err.startswith("cutcard staff: ")
    assert said in err
    assert err.count("\n") == 1
    store = people(tmp_path)
    assert [each.name for each in store.people()] == ["Ann"]
    store.close()


def test_a_file_that_cannot_be_had_may_pass(tmp_path: Path) -> None:
    (tmp_path / "people.sqlite").mkdir()
    status, _, err = staff(tmp_path, "list")
    assert status == 1
    assert err.startswith("cutcard staff: people.sqlite: ")
    assert err.count("\n") == 1
