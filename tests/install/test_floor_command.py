"""`cutcard floor`: who signs in at a table, typed at a real terminal."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

from controller.install.deck_files import CREDENTIALS
from controller.people.pins import hashed, is_pin
from controller.table.config import load_table_config
from controller.table.floor import read_people
from tests.in_process import Ran, cutcard
from tests.install.person import at_terminal
from tests.table.felt import write_table


def settings(folder: Path) -> tuple[Path, Path]:
    """A table's settings, and where they say that the floor's people are."""
    write_table(folder, "roberts")
    file = folder / "table.toml"
    file.write_text(file.read_text() + '[floor]\nfile = "floor.toml"\n')
    return file, folder / "floor.toml"


def floor(folder: Path, *arguments: str, answers: str = "") -> Ran:
    given = ("floor", *arguments, "--config", "table.toml")
    return cutcard(*given, cwd=folder, answers=answers)


def test_a_pin_is_typed_twice_and_never_seen(tmp_path: Path) -> None:
    file, people = settings(tmp_path)

    async def add() -> tuple[int, str]:
        arguments = ("floor", "add", "Ann Lee", "--config", str(file))
        async with at_terminal(*arguments, cwd=tmp_path) as person:
            await person.answers("PIN for Ann Lee: ", "471142")
            await person.answers("Repeat it: ", "471142")
            return await person.leaves(), person.text

    status, text = asyncio.run(add())
    assert status == 0
    assert "Ann Lee can sign in" in text
    assert "4711" not in text
    assert "argon2" not in text
    assert stat.S_IMODE(people.stat().st_mode) == 0o600
    assert is_pin(read_people(people)["Ann Lee"], "471142")
    assert not list(tmp_path.glob("floor.toml.*"))


def test_two_pins_that_differ_change_nothing(tmp_path: Path) -> None:
    file, people = settings(tmp_path)

    async def add() -> tuple[int, str]:
        arguments = ("floor", "add", "Ann", "--config", str(file))
        async with at_terminal(*arguments, cwd=tmp_path) as person:
            await person.answers("PIN for Ann: ", "4711")
            await person.answers("Repeat it: ", "4712")
            return await person.leaves(), person.text

    status, text = asyncio.run(add())
    assert status == 2
    assert "cutcard floor: the PINs don't match" in text
    assert not people.exists()


def test_added_given_a_new_pin_listed_and_removed(tmp_path: Path) -> None:
    _, people = settings(tmp_path)
    assert floor(tmp_path, "list")[:2] == (
        0,
        "nobody signs in as floor at this table\n",
    )
    assert floor(tmp_path, "add", "Ann", answers="4711\n")[0] == 0
    assert floor(tmp_path, "add", "Éva", answers="0815\n")[0] == 0
    status, said, _ = floor(tmp_path, "add", "Ann", answers="1234\n")
    assert (status, said) == (0, f"Ann has a new PIN: {people}\n")
    assert not is_pin(read_people(people)["Ann"], "4711")
    assert floor(tmp_path, "list") == (0, "Ann: PIN\nÉva: PIN\n", "")
    assert floor(tmp_path, "list", "--json")[1] == (
        '{"name":"Ann","by":"pin"}\n{"name":"Éva","by":"pin"}\n'
    )
    people.chmod(0o644)
    assert "chmod 600" in floor(tmp_path, "list")[2]
    assert floor(tmp_path, "remove", "Ann")[0] == 0
    assert [*read_people(people)] == ["Éva"]
    assert stat.S_IMODE(people.stat().st_mode) == 0o600
    status, _, said = floor(tmp_path, "remove", "Eva")
    assert (status, said.count("\n")) == (2, 1)
    assert "nobody called 'Eva'; did you mean 'Éva'?" in said


def test_a_mistake_is_one_line(tmp_path: Path) -> None:
    file, people = settings(tmp_path)
    for name, pin, fault in (
        ("Ann", "12", "a PIN has 4 to 12 digits"),
        ("Ann", "", "a PIN has 4 to 12 digits"),
        ('A"nn', "4711", "is not a valid name"),
        ("A\x7fnn", "4711", "is not a valid name"),
        (" ", "4711", "is not a valid name"),
    ):
        status, out, said = floor(tmp_path, "add", name, answers=f"{pin}\n")
        assert (status, out, said.count("\n")) == (2, "", 1)
        assert fault in said
        assert not people.exists()
    file.write_text(file.read_text().replace('[floor]\nfile = "floor.toml"\n', ""))
    if not Path(CREDENTIALS).exists():
        status, _, said = floor(tmp_path, "list")
        assert (status, "[floor] file: it is not set" in said) == (2, True)


def test_settings_name_the_file_and_warn_of_readers(tmp_path: Path) -> None:
    file, people = settings(tmp_path)
    people.write_text(f'"Ann" = "{hashed("4711")}"\n')
    people.chmod(0o640)
    config = load_table_config(file)
    assert config.floor == people
    assert [*config.read_floor()] == ["Ann"]
    assert any("hashes; chmod 600" in line for line in config.warnings())
    people.chmod(0o600)
    assert not any("hashes" in line for line in config.warnings())


def test_without_a_file_it_is_the_credential(tmp_path: Path) -> None:
    write_table(tmp_path, "roberts")
    lent = tmp_path / "lent"
    lent.mkdir()
    environment = {"CREDENTIALS_DIRECTORY": str(lent)}
    file = tmp_path / "table.toml"
    assert load_table_config(file, environment).read_floor() == {}
    (lent / "cutcard.floor").write_text(f'"Ann" = "{hashed("4711")}"\n')
    config = load_table_config(file, environment)
    assert [*config.read_floor()] == ["Ann"]
    assert not any("hashes" in line for line in config.warnings())
