"""A backup is made while everything runs, and names no card."""

from __future__ import annotations

import json
import os
import stat
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from controller.install.backup.backup_command import main
from controller.storage.passphrase import HEAD
from controller.table.deck_file import read_deck_file
from tests.install.backup.machine import PASSPHRASE, a_journal, a_machine, observed

SAVED = [
    "/etc/credstore/cutcard.mqtt-password",
    "/etc/cutcard/books/house.toml",
    "/etc/cutcard/room.env",
    "/etc/cutcard/table.toml",
    "/var/lib/cutcard-room/history.sqlite",
    "/var/lib/cutcard-room/https/room.key",
    "/var/lib/cutcard-room/people.sqlite",
    "/var/lib/cutcard-room/room.sqlite",
    "/var/lib/cutcard-room/room.sqlite.events/side.sqlite",
    "/var/lib/cutcard/floor-guesses.json",
    "/var/lib/cutcard/journal.sqlite",
]


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    return a_machine(tmp_path / "machine")


def saved(machine: Path, file: Path, *more: str) -> int:
    return main([str(file), "--root", str(machine), *more])


def test_what_is_kept_is_in_it_and_nothing_else(
    machine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "saved.zip"
    assert saved(machine, file, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert sorted(said["files"]) == SAVED
    assert (said["decks"], said["without"]) == ([], ["/etc/credstore/cutcard.deck"])
    with ZipFile(file) as archive:
        assert archive.testzip() is None
        inside = sorted(archive.namelist())
    assert inside == sorted(["manifest.json", *(f"files{path}" for path in SAVED)])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert said["bytes"] == file.stat().st_size
    assert not list(tmp_path.glob("*.part"))
    assert not list(tmp_path.glob(".cutcard*"))


def test_what_a_table_has_committed_last_is_in_it(machine: Path, tmp_path: Path) -> None:
    file = tmp_path / "saved.zip"
    with closing(a_journal(machine)) as journal:
        observed(journal, b'{"the":"last"}')
        assert (machine / "var/lib/cutcard/journal.sqlite-wal").stat().st_size > 0
        assert saved(machine, file) == 0
        observed(journal, b'{"one":"more"}')
    with ZipFile(file) as archive:
        copy = archive.read("files/var/lib/cutcard/journal.sqlite")
    assert b'{"the":"last"}' in copy
    assert b'{"one":"more"}' not in copy


@pytest.mark.parametrize("is_given", [False, True])
def test_no_card_is_in_it_for_who_has_no_passphrase(
    machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_given: bool
) -> None:
    deck = read_deck_file(machine / "etc/credstore/cutcard.deck")
    file = tmp_path / "saved.zip"
    monkeypatch.setenv("CUTCARD_PASSPHRASE", PASSPHRASE)
    assert saved(machine, file, *(["--with-decks"] if is_given else [])) == 0
    with ZipFile(file) as archive:
        assert ("decks.locked" in archive.namelist()) == is_given
        for name in archive.namelist():
            content = archive.read(name)
            assert content.startswith(HEAD) == (name == "decks.locked")
            assert not any(tag.encode() in content for tag in deck), name


def test_the_passphrase_is_in_a_file_or_asked_for(
    machine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "saved.zip"
    (tmp_path / "words").write_text(f"{PASSPHRASE}\n")
    (tmp_path / "short").write_text("123456789\n")
    given = ("--with-decks", "--passphrase-file")
    assert saved(machine, file, *given, str(tmp_path / "words")) == 0
    file.unlink()
    assert saved(machine, file, *given, str(tmp_path / "short")) == 2
    assert "at least 10 characters" in capsys.readouterr().err
    assert saved(machine, file, *given, str(tmp_path / "none")) == 1
    with pytest.raises(SystemExit):  # nobody is at the keyboard
        saved(machine, file, "--with-decks")
    assert "--with-decks needs a passphrase" in capsys.readouterr().err
    assert not file.exists()


def test_in_a_folder_each_has_its_name_and_the_oldest_go(machine: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    host = os.uname().nodename
    for day in range(1, 6):
        (stick / f"cutcard-{host}-2026010{day}-040000.zip").touch()
    (stick / "cutcard-another-20250101-040000.zip").touch()
    (stick / "photos.zip").touch()
    assert main(["--to", str(stick), "--keep", "3", "--root", str(machine)]) == 0
    left = sorted(each.name for each in stick.iterdir())
    assert left[0] == "cutcard-another-20250101-040000.zip"
    assert left[1:3] == [f"cutcard-{host}-2026010{day}-040000.zip" for day in (4, 5)]
    assert left[-1] == "photos.zip"
    assert len(left) == 5
    last = json.loads((machine / "var/lib/cutcard-room/last-backup.json").read_text())
    assert last["file"] == str(stick / left[3])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give a FILE, or a folder by --to"),
        (["a.zip", "--to", "x"], "give a FILE, or a folder by --to"),
        (["a.zip", "--keep", "3"], "--keep is for --to"),
        (["--to", "x", "--keep", "0"], "'0' is not a number from 1 to 10000"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_what_cannot_be_saved_leaves_nothing_behind(
    machine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "saved.zip"
    damaged = machine / "var/lib/cutcard-room/people.sqlite"
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:4096] + b"\xa5" * 4096 + whole[8192:])
    assert saved(machine, file) == 1
    assert "people.sqlite" in capsys.readouterr().err
    assert saved(tmp_path / "machine" / "etc", file) == 1
    assert "nothing of cutcard's to be saved" in capsys.readouterr().err
    assert saved(machine, tmp_path / "none" / "saved.zip") == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["machine"]
