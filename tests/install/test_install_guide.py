"""docs/install.md, docs/by-hand.md: what is to be copied is understood, and what is named there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from controller.__main__ import COMMANDS
from controller.install.broker import (
    FOLDER,
    HTTPS,
    LOGINS,
    OWN_LOGINS,
    PASSWORDS,
    PORT,
    files_in,
)
from controller.install.pair.answers_file import read_answers
from controller.room.settings import ARCHIVE_CREDENTIAL, PAIRING_CERTIFICATE, PAIRING_KEY
from controller.table.config import PASSWORD_CREDENTIAL
from display.web.pairing import PASSWORD_CREDENTIAL as STEWARD_CREDENTIAL

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "by-hand.md").read_text(encoding="utf-8")
BROKER = (ROOT / "docs" / "broker.md").read_text(encoding="utf-8")
PAIRING = (ROOT / "docs" / "pairing.md").read_text(encoding="utf-8")
NO_PARSER = ("deck", "staff")
"""Their first word is a command of its own."""


def blocks(text: str) -> str:
    """What is to be copied as it is."""
    return "\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)).replace("\\\n", " ")


def commands() -> Iterator[list[str]]:
    """All of `cutcard` that is to be typed, in blocks and within sentences."""
    lines = blocks(PAGE + GUIDE + BROKER + PAIRING).splitlines()
    for text in (PAGE, GUIDE, BROKER, PAIRING):
        spans = re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
        lines += [" ".join(each.split()) for each in spans]
    for line in lines:
        for each in re.split(r"&&|\|", line.partition(" #")[0]):
            words = shlex.split(each) if "cutcard " in each else []
            if words[:2] == ["sudo", "cutcard"] and words[2] not in NO_PARSER:
                yield words[2:]


@pytest.mark.parametrize("words", [pytest.param(each, id=" ".join(each)) for each in commands()])
def test_every_command_is_understood(words: list[str]) -> None:
    name, *arguments = words
    module = import_module(COMMANDS[name].module)
    module._parser().parse_args(arguments)


def test_there_are_some() -> None:
    names = {words[0] for words in commands()}
    assert names >= {"broker", "certificate", "init", "floor", "setup", "doctor", "pair"}


def test_the_page_for_the_club_needs_no_editor_and_says_how_many_lines_it_has() -> None:
    room, table = (
        re.findall(r"^sudo .+$", each, re.MULTILINE)
        for each in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    )
    assert [line.split()[1:4] for line in (*room, *table) if "setup" in line] == [
        ["cutcard", "setup", "room"],
        ["cutcard", "setup", "table"],
    ]
    numbers = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    whole, further = numbers[len(room) + len(table)], numbers[len(table)]
    said = f"That is {whole} lines for a room and its first table, {further} for each further one."
    assert said in " ".join(PAGE.split())
    assert not re.search(r"\b(nano|vi|tee|editor)\b", PAGE)


@pytest.mark.parametrize(
    "page", ["install.md", "by-hand.md", "packages.md", "broker.md", "backup.md", "pairing.md"]
)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for target, _, anchor in (each.partition("#") for each in re.findall(r"\]\(([^)]+)\)", text)):
        file = ROOT / "docs" / target if target else ROOT / "docs" / page
        assert file.is_file(), target
        titles = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        anchors = {re.sub(r"[^a-z0-9 -]", "", each.lower()).replace(" ", "-") for each in titles}
        assert not anchor or anchor in anchors, anchor


def test_every_file_of_ours_that_is_copied_is_there() -> None:
    named = re.findall(r"(?<=\s)((?:systemd|config)/[\w.-]+)", blocks(GUIDE))
    assert len(named) >= 6
    assert [each for each in named if not (ROOT / each).exists()] == []


def test_what_the_broker_makes_is_what_is_carried_on() -> None:
    """Each credential that a unit asks for is installed from where `cutcard broker` puts it."""
    sh = blocks(GUIDE)
    for user, credential in (
        ("room", "cutcard.room-password"),
        ("archive", ARCHIVE_CREDENTIAL),
    ):
        assert f"{PASSWORDS}/{user}.password /etc/credstore/{credential}\n" in sh
        assert f"LoadCredential={credential}\n" in (
            ROOT / "systemd" / "cutcard-room.service"
        ).read_text(encoding="utf-8")
    assert f"{PASSWORDS}/table-1.password" in sh
    assert f"/etc/credstore/{PASSWORD_CREDENTIAL}" in sh
    assert f"cutcard certificate --folder {HTTPS}\n" in sh
    assert f"install -m 644 {HTTPS}/ca.crt /etc/cutcard/ca.pem\n" in sh
    assert f"--broker room.local:{PORT} --tls-ca /etc/cutcard/ca.pem" in sh


def test_the_page_of_pairing_names_what_the_unit_asks_for() -> None:
    sh = blocks(PAIRING)
    for source, credential in (
        (f"{PASSWORDS}/steward.password", STEWARD_CREDENTIAL),
        (f"{HTTPS}/room.crt", PAIRING_CERTIFICATE),
        (f"{HTTPS}/room.key", PAIRING_KEY),
    ):
        assert f"install -m 600 {source} /etc/credstore/{credential}\n" in sh
    assert f"`{LOGINS}`" in BROKER
    assert f"`{OWN_LOGINS}`" in BROKER


def test_the_page_of_pairing_has_a_file_that_is_understood(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAIRING, re.DOTALL)
    file = tmp_path / "cutcard-pair.toml"
    file.write_text(text.replace("1f0c 88ab … 9e41", "1f0c " * 16), encoding="utf-8")
    assert str(read_answers(file).address) == "room.local"


def test_the_page_of_the_broker_names_its_files() -> None:
    files = files_in(FOLDER)
    for file in (files.settings, files.rights, files.passwords, files.certificate):
        assert f"`{file}`" in BROKER


def test_the_page_of_the_broker_has_the_limits_that_are_set() -> None:
    written = "".join(
        (ROOT / "config" / "broker" / name).read_text(encoding="utf-8")
        for name in ("mosquitto.conf", "limits.conf")
    )
    for line in re.findall(r"^\| `([a-z_]+ [\w.]+)`", BROKER, re.MULTILINE):
        assert f"\n{line}\n" in written
