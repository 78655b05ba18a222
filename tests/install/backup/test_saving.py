"""A backup is made while everything runs, and names no card."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from controller.install.backup.backup_command import main
from controller.install.backup.rotation import is_on_another_disk
from controller.storage.passphrase import HEAD
from controller.table.deck_file import read_deck_file
from tests.install.backup.machine import PASSPHRASE, a_journal, a_machine, observed
from tests.waiting import wait_until

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
    (stick / f"cutcard-{host}-2-20250101-040000.zip").touch()  # of a machine with such a name
    (stick / "photos.zip").touch()
    assert main(["--to", str(stick), "--keep", "3", "--root", str(machine)]) == 0
    left = sorted(each.name for each in stick.iterdir())
    own = [name for name in left if re.fullmatch(rf"cutcard-{host}-\d{{8}}-\d{{6}}.zip", name)]
    assert own[:2] == [f"cutcard-{host}-2026010{day}-040000.zip" for day in (4, 5)]
    others = {"cutcard-another-20250101-040000.zip", f"cutcard-{host}-2-20250101-040000.zip"}
    assert {*left} - {*own} == {*others, "photos.zip"}
    assert len(own) == 3
    last = machine / "var/lib/cutcard-room/last-backup.json"
    assert json.loads(last.read_text())["file"] == str(stick / own[2])
    assert stat.S_IMODE(last.stat().st_mode) == 0o644


def test_the_one_just_made_stays_whatever_the_clock_says(machine: Path, tmp_path: Path) -> None:
    later = tmp_path / f"cutcard-{os.uname().nodename}-20991231-235959.zip"
    later.touch()
    assert main(["--to", str(tmp_path), "--keep", "1", "--root", str(machine)]) == 0
    assert len(list(tmp_path.glob("cutcard-*.zip"))) == 2


def test_nothing_is_saved_where_no_stick_is(
    machine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path if Path("/").stat().st_dev == tmp_path.stat().st_dev else Path("/")
    assert main(["--to", str(folder), "--mounted", "--root", str(machine)]) == 1
    assert "nothing is mounted there" in capsys.readouterr().err
    assert is_on_another_disk(Path("/dev/shm"))  # noqa: S108 - a disk of its own


@pytest.mark.parametrize(
    "line",
    [
        '"E004015012345678" = "As"',
        "'E004015012345678' = 'As'",
        "E004015012345678='As'",
        '"E0:04:01:50:12:34:56:78"="""As"""',
        'deck = { E004015012345678 = "As", E004015012345679 = "Ks" }',
        '{"kind":"table","deck":{"E004015012345678":"As"}}',
        'x = 1\r"E004015012345678" = "As"\r',
    ],
)
def test_whatever_says_which_card_a_tag_is_is_a_deck(
    machine: Path, tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine / "etc/cutcard/notes.txt").write_text(f"# a line\n{line}\n")
    assert saved(machine, tmp_path / "saved.zip", "--json") == 0
    assert "/etc/cutcard/notes.txt" in json.loads(capsys.readouterr().out)["without"]
    with ZipFile(tmp_path / "saved.zip") as archive:
        assert not any(b"12345678" in archive.read(name) for name in archive.namelist())


def test_every_name_is_saved_and_a_link_is_told(
    machine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = machine / "etc/cutcard"
    names = ("rules (2).toml", "Hausregeln-ü.toml", "a,b.toml", "house.new", "x" * 150)
    for name in names:
        (settings / name).write_text("# ours\n")
    (settings / "away.toml").symlink_to("/etc/passwd")
    (machine / "etc/credstore/cutcard.deck_red").write_text("# being enrolled\n")
    os.utime(settings / "a,b.toml", (0, 0))
    assert saved(machine, tmp_path / "saved.zip", "--json") == 1
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert {f"/etc/cutcard/{name}" for name in names} <= {*told["files"]}
    assert told["missing"] == ["/etc/cutcard/away.toml: a link"]
    assert "not saved: /etc/cutcard/away.toml: a link" in said.err
    assert "/etc/credstore/cutcard.deck_red" in told["without"]


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


@pytest.mark.parametrize("damage", ["a page", "its beginning"])
def test_what_is_damaged_is_named_and_the_rest_is_saved(
    machine: Path, tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = machine / "var/lib/cutcard-room/people.sqlite"
    whole = damaged.read_bytes()
    spoiled = bytes(16) + whole[16:]
    if damage == "a page":
        spoiled = whole[:4096] + b"\xa5" * 4096 + whole[8192:]
    damaged.write_bytes(spoiled)
    assert saved(machine, tmp_path / "saved.zip", "--json") == 1
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert told["missing"] == ["/var/lib/cutcard-room/people.sqlite: it is damaged"]
    assert sorted([*told["files"], "/var/lib/cutcard-room/people.sqlite"]) == SAVED


def test_what_cannot_be_saved_leaves_nothing_behind(
    machine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert saved(machine / "etc", tmp_path / "saved.zip") == 1
    assert "nothing of cutcard's to be saved" in capsys.readouterr().err
    assert saved(machine, tmp_path / "none" / "saved.zip") == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["machine"]


def test_who_ends_it_finds_nothing_of_it(machine: Path, tmp_path: Path) -> None:
    fifo = machine / "etc/cutcard/slow.toml"
    fifo.write_bytes(b"# slow\n" * 2_000_000)
    command = [sys.executable, "-m", "controller", "backup", "--root", str(machine)]
    with subprocess.Popen([*command, str(tmp_path / "saved.zip")]) as process:
        wait_until(lambda: bool(list(tmp_path.glob(".cutcard-*"))) or process.poll() is not None)
        process.terminate()
    assert not list(tmp_path.glob(".cutcard-*"))
