"""`cutcard setup table` as a process, with a device of software on a real pty."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from controller.install.setup.answers_file import example
from controller.table.config import load_table_config
from tests.install.person import at_terminal, piped, running, sync
from tests.install.setup.machine import a_machine, kept, needs_systemctl
from tests.install.test_init import NINE, ZONES, a_pico

pytestmark = needs_systemctl
UNITS = ("cutcard-table.service", "cutcard-dealer.service", "cutcard-follow.timer")


def answers(root: Path, table: str, rest: str = "") -> str:
    return f'[table]\nports = ["{root}/dev/*"]\n{table}\n{rest}'


async def told(root: Path, text: str, *more: str) -> dict[str, Any]:
    status, out, err = await setup(root, text, "--json", *more)
    assert status == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


async def setup(root: Path, text: str, *more: str) -> tuple[int, str, str]:
    (root / "answers.toml").write_text(text, encoding="utf-8")
    words = ("--root", str(root), "--answers", str(root / "answers.toml"))
    return await piped("setup", "table", *words, *more, cwd=root)


def states(report: dict[str, Any]) -> set[str]:
    return {each["state"] for each in report["steps"]}


def started(root: Path) -> set[str]:
    return {each.name for each in (root / "etc/systemd/system").glob("*.wants/*")}


def is_left(report: dict[str, Any], words: str) -> bool:
    return any(words in line for line in report["next"])


@sync
async def test_a_file_of_answers_makes_a_table(tmp_path: Path) -> None:
    a_machine(tmp_path, *UNITS)
    screen = '[screen]\nlanguage = "fr"\npanel = "10.1in"\n'
    async with running(a_pico(tmp_path)):
        report = await told(tmp_path, answers(tmp_path, "id = 7\nseats = 9", screen))
    assert states(report) == {"done"}
    config = load_table_config(tmp_path / "etc/cutcard/table.toml", {})
    assert (config.table.id, config.seats, config.ports[0].zones) == ("7", NINE, ZONES)
    assert config.broker is None
    assert str(config.socket) == "/run/cutcard/dealer.sock"
    assert (tmp_path / "etc/hostname").read_text() == "table-7\n"
    assert (tmp_path / "etc/cutcard/dealer.env").read_text() == (
        "DEALER_OPTIONS=--panel 10.1in --language fr\n"
    )
    assert started(tmp_path) == set(UNITS)
    assert is_left(report, "sudo cutcard pair")
    assert is_left(report, "sudo cutcard deck enroll --config /etc/cutcard/table.toml")
    assert is_left(report, "sudo cutcard doctor")


@sync
async def test_a_second_time_it_changes_nothing_and_needs_no_device(tmp_path: Path) -> None:
    a_machine(tmp_path, *UNITS)
    text = answers(tmp_path, 'seats = "1 2 4"')
    async with running(a_pico(tmp_path)):
        await told(tmp_path, text)
    before = kept(tmp_path)
    assert states(await told(tmp_path, text)) == {"is so"}
    assert states(await told(tmp_path, "")) == {"is so"}
    assert kept(tmp_path) == before


@sync
async def test_the_defaults_make_a_table_too(tmp_path: Path) -> None:
    a_machine(tmp_path, *UNITS)
    async with running(a_pico(tmp_path)):
        report = await told(
            tmp_path,
            example("table")
            .replace("# ports", "ports")
            .replace("/dev/ttyACM*", f"{tmp_path}/dev/*"),
        )
    assert states(report) <= {"done", "is so"}
    assert load_table_config(tmp_path / "etc/cutcard/table.toml", {}).table.id == "1"
    assert not (tmp_path / "etc/cutcard/dealer.env").exists()


@sync
async def test_a_dry_run_asks_the_devices_and_writes_nothing(tmp_path: Path) -> None:
    a_machine(tmp_path, *UNITS)
    async with running(a_pico(tmp_path)):
        before = kept(tmp_path)
        report = await told(tmp_path, answers(tmp_path, 'id = "7"'), "--dry-run")
        assert kept(tmp_path) == before
    assert "table 7: 9 seats, in /etc/cutcard/table.toml" in [
        each["what"] for each in report["steps"] if each["state"] == "to do"
    ]


@sync
async def test_without_the_package_there_is_nothing_to_set_up(tmp_path: Path) -> None:
    assert await setup(tmp_path, "") == (
        2,
        "",
        "cutcard setup: there is no table on this machine yet: sudo sh install table\n",
    )


@sync
async def test_without_a_device_nothing_is_done(tmp_path: Path) -> None:
    a_machine(tmp_path, *UNITS)
    before = kept(tmp_path)
    status, _, err = await setup(tmp_path, answers(tmp_path, ""))
    assert (status, err) == (1, "cutcard setup: there is no serial port: nothing was written\n")
    assert kept(tmp_path) == before


def a_table(root: Path, more: str = "") -> Path:
    """A machine whose table has settings that a person has written."""
    a_machine(root, *UNITS)
    file = root / "etc/cutcard/table.toml"
    file.write_text(
        "# mine\n[table]\nid = '1'\nrulebook = 'roberts'  # ours\nseats = [1, 2, 4]\n"
        "blinds = { small = 5, big = 10 }\n\n[[port]]\ndevice = '/dev/ttyACM0'\n"
        f"zones = ['seat/1', 'seat/2', 'seat/4', 'board']\n{more}",
    )
    return file


@sync
async def test_what_is_answered_otherwise_is_changed_in_its_place(tmp_path: Path) -> None:
    file = a_table(tmp_path)
    file.chmod(0o640)
    before = file.read_text()
    text = answers(tmp_path, 'id = "8"\nblinds = "50/100"\nseats = "1 2 4"\nrulebook = "roberts"')
    await told(tmp_path, text)
    assert file.read_text() == before.replace("id = '1'", 'id = "8"').replace(
        "{ small = 5, big = 10 }", "{ small = 50, big = 100 }"
    )
    assert file.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "etc/hostname").read_text() == "table-8\n"
    assert states(await told(tmp_path, text)) == {"is so"}


MISTAKES: Sequence[tuple[str, str]] = [
    ('seats = "11"', "answers.toml: [table] seats: a table has 2 to 10 seats"),
    ('blinds = "10/5"', "answers.toml: [table] blinds: the small blind is more"),
    ('rulebook = "robert"', "did you mean 'roberts'?"),
    ('id = "a/b"', "answers.toml: [table] id: "),
    ('seat = "9"', "[table] no key 'seat' here; did you mean 'seats'?"),
    ("seats = true", "[table] seats: expected "),
    ('host_name = "a b"', "[table] host_name: small letters"),
    ('rulebook = "house.toml"', "house.toml: no such file"),
]


@pytest.mark.parametrize(("said", "why"), MISTAKES)
def test_a_mistake_is_one_line_and_nothing_is_done(tmp_path: Path, said: str, why: str) -> None:
    @sync
    async def run(root: Path) -> None:
        a_table(root)
        before = kept(root)
        status, _, err = await setup(root, answers(root, said))
        assert (status, err.count("\n")) == (2, 1)
        assert err.startswith("cutcard setup: ")
        assert why in err
        assert kept(root) == before

    run(tmp_path)


@sync
async def test_a_mistake_about_a_new_table_names_the_file_as_well(tmp_path: Path) -> None:
    a_machine(tmp_path, *UNITS)
    async with running(a_pico(tmp_path)):
        for said, why in (
            ('seats = "11"', "answers.toml: [table] seats: a table has 2 to 10 seats"),
            ('zones = { "/dev/x" = "burn" }', "[table] zones: nobody answered at /dev/x"),
            ('broker = "room.local"\nca_file = "no"', "[table] ca_file: "),
        ):
            status, _, err = await setup(tmp_path, answers(tmp_path, said))
            assert (status, err.count("\n")) == (2, 1), err
            assert why in err


@sync
async def test_a_table_that_has_a_room_is_not_renamed_here(tmp_path: Path) -> None:
    a_table(tmp_path, "\n[broker]\nhost = 'room.local'\nsite = 'main'\n")
    status, _, err = await setup(tmp_path, answers(tmp_path, 'id = "8"'))
    assert (status, err) == (
        2,
        "cutcard setup: table 1 has a room, which knows it by that name: "
        "it can't be renamed here\n",
    )
    report = await told(tmp_path, answers(tmp_path, 'id = "1"'))
    assert not is_left(report, "cutcard pair")


@sync
async def test_a_screen_that_does_not_hang_here_is_off(tmp_path: Path) -> None:
    a_table(tmp_path)
    await told(tmp_path, "")
    assert started(tmp_path) == set(UNITS)
    report = await told(tmp_path, "[screen]\nhere = false\n")
    assert states(report) == {"is so", "done"}
    assert started(tmp_path) == {UNITS[0], UNITS[2]}
    # It stays off when nothing is said of it.
    assert states(await told(tmp_path, "")) == {"is so"}


@sync
async def test_a_deck_that_is_enrolled_is_not_asked_for_again(tmp_path: Path) -> None:
    a_table(tmp_path)
    credentials = tmp_path / "etc/credstore"
    (credentials / "cutcard.deck.part").write_text("")
    assert is_left(await told(tmp_path, ""), "deck enroll")
    (credentials / "cutcard.deck").write_text("")
    assert not is_left(await told(tmp_path, ""), "deck enroll")


@sync
async def test_other_lines_of_the_screens_file_stay(tmp_path: Path) -> None:
    a_table(tmp_path)
    file = tmp_path / "etc/cutcard/dealer.env"
    file.write_text("SDL_KMSDRM_DEVICE_INDEX=1\nDEALER_OPTIONS=--suits two --language de\n")
    await told(tmp_path, '[screen]\nlanguage = "en"\n')
    assert file.read_text() == (
        "SDL_KMSDRM_DEVICE_INDEX=1\nDEALER_OPTIONS=--suits two --language en\n"
    )


@sync
async def test_a_person_answers_the_wizards_questions_and_a_few_more(tmp_path: Path) -> None:
    a_machine(tmp_path, *UNITS)
    words = ("setup", "table", "--root", str(tmp_path), "--ports", f"{tmp_path}/dev/*")
    async with running(a_pico(tmp_path)), at_terminal(*words, cwd=tmp_path) as person:
        await person.answers("Name of the table [1]: ", "final")
        await person.answers("Seats [9]: ")
        await person.answers("Blinds [25/50]: ")
        await person.answers("Rule book [homepokertourney]: ", "roberts")
        await person.answers("Antennas of the board [1]: ")
        for question in ("with a card [yes]: ", "muck stub]: ", "pressing them [yes]: "):
            await person.answers(question, "" if "muck" in question else "no")
        await person.answers("by lighting them [yes]: ", "no")
        # Neither the broker, which pairing brings, nor how it is started.
        seen = await person.answers("Host name of this machine [table-final]: ")
        assert "Broker" not in seen
        assert "Screen" not in seen
        await person.answers("Dealer's screen at this machine [yes]: ")
        await person.answers("Language of the screen [en]: ", "de")
        await person.answers("Size of the panel [none]: ")
        await person.answers("Do it [yes]: ")
        await person.sees("sudo cutcard pair")
        assert await person.leaves() == 0
    config = load_table_config(tmp_path / "etc/cutcard/table.toml", {})
    assert (config.table.id, config.table.rulebook) == ("final", "roberts")
    assert (tmp_path / "etc/cutcard/dealer.env").read_text() == "DEALER_OPTIONS=--language de\n"
