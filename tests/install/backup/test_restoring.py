"""What was saved comes back to where it was, and to nowhere else."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest

from controller.archive.kept import Query
from controller.archive.opening import open_archive
from controller.install.backup import backup_command
from controller.install.backup.restore_command import main
from controller.people.staff_store import StaffStore
from controller.room.store import RoomStore
from controller.storage.journal import verify
from controller.table.deck_file import read_deck_file
from firmware_bridge.virtual.table import VirtualTable
from tests.install.backup.machine import PASSPHRASE, a_journal, a_machine, service
from tests.table.felt import BUTTONS, ZONES
from tests.waiting import PATIENCE_S, answers, until

HOUR_MS = 3_600_000


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A machine and its backup, of which each test has copies."""
    folder = tmp_path_factory.mktemp("once")
    a_machine(folder / "machine")
    (folder / "words").write_text(PASSPHRASE)
    given = ["--with-decks", "--passphrase-file", str(folder / "words")]
    file = str(folder / "saved.zip")
    assert backup_command.main([file, *given, "--root", str(folder / "machine")]) == 0
    return folder


@pytest.fixture
def machine(once: Path, tmp_path: Path) -> Path:
    return shutil.copytree(once / "machine", tmp_path / "machine", symlinks=True)


@pytest.fixture
def file(once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CUTCARD_PASSPHRASE", PASSPHRASE)
    return Path(shutil.copy(once / "saved.zip", tmp_path))


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    root = tmp_path / "fresh"
    root.mkdir(mode=0o755)
    return root


def back(file: Path, root: Path, *more: str) -> int:
    return main([str(file), "--root", str(root), *more])


def contents(root: Path) -> dict[str, tuple[int, bytes]]:
    """Modes and contents of all files, but not of databases."""
    return {
        str(each.relative_to(root)): (stat.S_IMODE(each.stat().st_mode), each.read_bytes())
        for each in sorted(root.rglob("*"))
        if each.is_file() and ".sqlite" not in each.name
    }


def test_a_fresh_machine_has_it_all(machine: Path, file: Path, fresh: Path) -> None:
    assert back(file, fresh) == 0
    was = contents(machine)
    for none in ("etc/credstore/other.secret", "var/lib/cutcard-room/last-backup.json"):
        del was[none]
    assert contents(fresh) == was
    deck = "etc/credstore/cutcard.deck"
    assert read_deck_file(fresh / deck) == read_deck_file(machine / deck)
    room = fresh / "var/lib/cutcard-room"
    with closing(StaffStore.open(room / "people.sqlite")) as people:
        assert [each.name for each in people.people()] == ["Ada"]
    for store in (room / "room.sqlite", room / "room.sqlite.events/side.sqlite"):
        with closing(RoomStore.open(store)) as clock:
            assert clock.record is not None
    with closing(open_archive(room / "history.sqlite")) as history:
        assert len(history.search(Query()).hands) == 2
    assert not list(fresh.rglob("*-wal"))
    for folder, mode in (("etc/credstore", 0o700), ("var/lib/cutcard", 0o700), ("", 0o755)):
        assert stat.S_IMODE((fresh / folder).stat().st_mode) == mode
    assert stat.S_IMODE((room / "https").stat().st_mode) == 0o711


def test_a_table_goes_on_under_another_name_above_all_that_it_had(
    machine: Path, file: Path, fresh: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(a_journal(machine)) as before:
        name, counters = before.head.chain, before.counters
        assert counters.open == counters.hands
    capsys.readouterr()
    assert back(file, fresh, "--json") == 0
    assert json.loads(capsys.readouterr().out)["hands"] == 1_000
    assert verify(fresh / "var/lib/cutcard/journal.sqlite") is None
    with closing(a_journal(fresh)) as after:
        assert after.head.chain != name
        assert (after.counters.hands, after.counters.findings) == (1_000, 1_000)
        assert after.counters.t == counters.t
        assert after.counters.open is None
        assert after.since_checkpoint() == (None, [])
    assert not list((fresh / "var/lib/cutcard").glob("*.bad-*"))


def test_a_table_that_is_back_begins_with_a_new_hand(once: Path, file: Path, fresh: Path) -> None:
    assert back(file, fresh) == 0
    settings = fresh / "etc/cutcard/table.toml"
    journal, deck = fresh / "var/lib/cutcard/journal.sqlite", fresh / "etc/credstore/cutcard.deck"
    text = settings.read_text().replace('"journal.sqlite"', f'"{journal}"')
    settings.write_text(text.replace('"deck.toml"', f'"{deck}"'))

    async def first_hand() -> dict[str, Any]:
        felt = VirtualTable(
            ZONES, BUTTONS, clock=time.monotonic, link=once / "machine/var/lib/cutcard/port"
        )
        scanning = asyncio.create_task(felt.run())
        path = settings.with_name("dealer.sock")
        with service("table", "--config", str(settings)):
            await until(lambda: answers(path))
            reader, writer = await asyncio.open_unix_connection(path, limit=1 << 20)
            view: dict[str, Any] = {}
            while view.get("phase") != "deal":
                view = json.loads(await asyncio.wait_for(reader.readline(), PATIENCE_S))["view"]
                assert "hand 2" not in str(view)
                writer.write(b'{"kind":"riffle"}\n')
            writer.close()
        scanning.cancel()
        await asyncio.wait([scanning])
        return view

    assert asyncio.run(first_hand())["hand"] > 1_000


def test_the_older_it_is_the_further_above(file: Path, fresh: Path) -> None:
    def a_month(told: dict[str, Any]) -> None:
        told["made_ms"] -= 30 * 24 * HOUR_MS

    rewrite(file, a_month)
    assert back(file, fresh) == 0
    with closing(a_journal(fresh)) as journal:
        assert journal.counters.hands == 44_000  # 720 hours of 60


def test_what_is_there_is_moved_aside_and_folders_stay_as_they_are(
    machine: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room = machine / "var/lib/cutcard-room"
    (machine / "etc/cutcard/table.toml").write_text("# changed\n")
    (machine / "etc/cutcard/new.toml").write_text("# stays\n")
    room.chmod(0o750)
    (room / "people.sqlite-wal").write_bytes(b"")
    capsys.readouterr()
    assert back(file, machine, "--json") == 0
    aside = Path(json.loads(capsys.readouterr().out)["aside"])
    assert aside.parent == machine / "var/backups"
    assert (aside / "etc/cutcard/table.toml").read_text() == "# changed\n"
    assert (aside / "var/lib/cutcard-room/people.sqlite").exists()
    assert (aside / "var/lib/cutcard-room/people.sqlite-wal").exists()
    assert "changed" not in (machine / "etc/cutcard/table.toml").read_text()
    assert (machine / "etc/cutcard/new.toml").read_text() == "# stays\n"
    assert (machine / "etc/credstore/other.secret").read_text() == "not ours\n"
    assert stat.S_IMODE(room.stat().st_mode) == 0o750


def test_without_the_passphrase_there_are_no_decks(
    file: Path, fresh: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CUTCARD_PASSPHRASE", "nine of another")
    assert back(file, fresh) == 2
    assert "not the right passphrase" in capsys.readouterr().err
    monkeypatch.delenv("CUTCARD_PASSPHRASE")
    assert back(file, fresh) == 2
    assert "decks are in it" in capsys.readouterr().err
    assert not list(fresh.glob("etc"))
    assert back(file, fresh, "--without-decks") == 0
    assert not (fresh / "etc/credstore/cutcard.deck").exists()
    assert (fresh / "etc/cutcard/table.toml").exists()


def everything(root: Path) -> dict[str, bytes | str]:
    """All files and links below a root."""
    return {
        str(each): str(each.readlink()) if each.is_symlink() else each.read_bytes()
        for each in root.rglob("*")
        if each.is_symlink() or each.is_file()
    }


def planted_link(machine: Path) -> None:
    shutil.rmtree(machine / "var/lib/cutcard-room/https")
    (machine / "var/lib/cutcard-room/https").symlink_to("../../../etc")


def planted_file(machine: Path) -> None:
    (machine / "var/lib/cutcard/floor-guesses.json").unlink()
    (machine / "var/lib/cutcard/floor-guesses.json").symlink_to("/etc/passwd")


def file_for_a_folder(machine: Path) -> None:
    shutil.rmtree(machine / "etc/cutcard/books")
    (machine / "etc/cutcard/books").write_text("no folder\n")


def folder_for_a_file(machine: Path) -> None:
    (machine / "etc/cutcard/room.env").unlink()
    (machine / "etc/cutcard/room.env").mkdir()


def leads_nowhere(machine: Path) -> None:
    shutil.rmtree(machine / "var/lib/cutcard-room")
    (machine / "var/lib/cutcard-room").symlink_to("private/cutcard-room")


@pytest.mark.parametrize(
    "spoil", [planted_link, planted_file, file_for_a_folder, folder_for_a_file, leads_nowhere]
)
def test_where_it_cannot_be_put_nothing_is_changed(
    machine: Path, file: Path, spoil: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(machine)
    before = everything(machine)
    capsys.readouterr()
    assert back(file, machine) == 1
    assert "nothing was changed" in capsys.readouterr().err
    assert everything(machine) == before


def test_what_was_there_comes_back_where_anything_fails(
    machine: Path, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine / "etc/cutcard/table.toml").write_text("# changed\n")
    shutil.rmtree(machine / "etc/cutcard/books")
    before = everything(machine)
    copied: list[object] = []
    really = shutil.copyfileobj

    def copy(*given: Any) -> None:  # noqa: ANN401 - shutil's own
        copied.append(given)
        if len(copied) == 8:
            raise OSError(errno.ENOSPC, "No space left on device")
        really(*given)

    monkeypatch.setattr(shutil, "copyfileobj", copy)
    capsys.readouterr()
    assert back(file, machine) == 1
    assert "No space left on device" in capsys.readouterr().err
    assert everything(machine) == before
    assert not (machine / "etc/cutcard/books").exists()
    assert not list((machine / "var/backups").iterdir())


def test_of_one_that_the_power_cut_short_the_next_says_so(
    machine: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = (
        "import os, sys; from controller.install.backup import placing;"
        "from controller.install.backup.restore_command import main;"
        "placing.sync = lambda folder: os._exit(9); main(sys.argv[1:])"
    )
    command = [sys.executable, "-c", code, str(file), "--root", str(machine)]
    assert subprocess.run(command, check=False).returncode == 9
    capsys.readouterr()
    assert back(file, machine) == 0
    assert re.search(r"one was cut short before: .*/var/backups/cutcard-", capsys.readouterr().err)


def test_systemds_own_links_are_followed(file: Path, fresh: Path) -> None:
    (fresh / "var/lib/private/cutcard-room").mkdir(parents=True)
    (fresh / "var/lib/cutcard-room").symlink_to("private/cutcard-room")
    assert back(file, fresh) == 0
    assert (fresh / "var/lib/private/cutcard-room/people.sqlite").exists()
    assert (fresh / "var/lib/cutcard-room").is_symlink()


# --- what is no backup ---


Told = dict[str, Any]


def same(told: Told) -> None:
    del told


def rewrite(
    file: Path,
    change: Callable[[Told], None],
    contents: Callable[[dict[str, bytes]], None] | None = None,
) -> None:
    """The same backup with another manifest, and other contents perhaps."""
    with ZipFile(file) as archive:
        inside = {name: archive.read(name) for name in archive.namelist()}
    told: Told = json.loads(inside["manifest.json"])
    if contents is not None:
        contents(inside)
        for each in told["files"]:
            data = inside[f"files{each['path']}"]
            each |= {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    change(told)
    inside["manifest.json"] = msgspec.json.encode(told)
    with ZipFile(file, "w") as archive:
        for name, data in inside.items():
            archive.writestr(name, data)


def moved(path: str) -> Callable[[Path], None]:
    """The room's settings are said to be another file."""

    def spoil(file: Path) -> None:
        with ZipFile(file) as archive:
            inside = {name: archive.read(name) for name in archive.namelist()}
        told: Told = json.loads(inside["manifest.json"])
        before = "/etc/cutcard/room.env"
        next(each for each in told["files"] if each["path"] == before)["path"] = path
        inside[f"files{path}"] = inside.pop(f"files{before}")
        inside["manifest.json"] = msgspec.json.encode(told)
        with ZipFile(file, "w") as archive:
            for name, data in inside.items():
                archive.writestr(name, data)

    return spoil


def newer_store(name: str) -> Callable[[Path], None]:
    def spoil(file: Path) -> None:
        def newer(inside: dict[str, bytes]) -> None:
            path = file.with_name("store")
            path.write_bytes(inside[f"files{name}"])
            with closing(sqlite3.connect(path)) as db, db:
                if "history" in name:
                    db.execute("UPDATE meta SET value = 99 WHERE key = 'schema'")
                else:
                    db.execute("PRAGMA user_version=99")
            inside[f"files{name}"] = path.read_bytes()
            path.unlink()

        rewrite(file, same, newer)

    return spoil


def told_newer(file: Path) -> None:
    rewrite(file, lambda told: told.update(v=99, cutcard="9.0"))


def told_another(file: Path) -> None:
    rewrite(file, lambda told: told.update(kind="a picture"))


def told_too_much(file: Path) -> None:
    rewrite(file, lambda told: told["files"].pop())


def no_zip(file: Path) -> None:
    file.write_bytes(b"hello")


def gone(file: Path) -> None:
    file.unlink()


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-2_000])


def flipped(file: Path) -> None:
    def flip(told: Told) -> None:
        told["files"][0]["sha256"] = "0" * 64

    rewrite(file, flip)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (no_zip, "no backup of cutcard, or it is damaged"),
        (gone, "No such file or directory"),
        (cut, "no backup of cutcard, or it is damaged"),
        (flipped, "is damaged in it"),
        (told_newer, "a newer version of cutcard (9.0) has made it"),
        (told_another, "no backup of cutcard"),
        (told_too_much, "what is in it is not what its manifest says"),
        (moved("/etc/passwd"), "'/etc/passwd' is no file of cutcard's"),
        (moved("/etc/cutcard/../passwd"), "is no file of cutcard's"),
        (moved("/etc/cutcard/a/../../passwd"), "is no file of cutcard's"),
        (moved("etc/cutcard/x"), "is no file of cutcard's"),
        (moved("/etc/credstore/other"), "is no file of cutcard's"),
        (moved("/var/lib/cutcard/journal.sqlite-wal"), "is no file of cutcard's"),
        (newer_store("/var/lib/cutcard/journal.sqlite"), "newer version of cutcard"),
        (newer_store("/var/lib/cutcard-room/people.sqlite"), "newer version of cutcard"),
        (newer_store("/var/lib/cutcard-room/history.sqlite"), "newer version of cutcard"),
        (newer_store("/var/lib/cutcard-room/room.sqlite.events/side.sqlite"), "newer version"),
    ],
)
def test_it_is_refused_and_nothing_is_changed(
    machine: Path,
    file: Path,
    spoil: Callable[[Path], None],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def all_of_it() -> dict[str, bytes]:
        return {str(each): each.read_bytes() for each in machine.rglob("*") if each.is_file()}

    spoil(file)
    before = all_of_it()
    capsys.readouterr()
    assert back(file, machine) == 1
    line = capsys.readouterr().err
    assert said in line
    assert line.startswith("cutcard restore: ")
    assert line.count("\n") == 1
    assert all_of_it() == before


def test_what_is_in_it_can_be_seen(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main([str(file), "--list"]) == 0
    said = capsys.readouterr().out
    assert "/var/lib/cutcard/journal.sqlite\n" in said
    assert "/etc/credstore/cutcard.deck (locked)\n" in said
    assert main([str(file), "--list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["decks"] == ["/etc/credstore/cutcard.deck"]
