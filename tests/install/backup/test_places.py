"""Every file that the program keeps is either saved or known not to be."""

from __future__ import annotations

import json
import re
from pathlib import Path, PurePosixPath

import pytest

from controller.install.backup.places import PLACES, place_of
from controller.install.broker import OWN_LOGINS
from display.dealer.kept import Kept, place
from tests.install.backup.machine import put, service
from tests.table.felt import write_table
from tests.waiting import wait_until

NOT_SAVED = re.compile(r".*(-wal|-shm|\.beat)")
"""What is in the copies of the databases, and when a room was last there."""


def kept(root: Path) -> list[PurePosixPath]:
    """The files below a root, as the machine would call them."""
    found = (each for each in root.rglob("*") if each.is_file())
    return sorted(PurePosixPath("/") / each.relative_to(root) for each in found)


def test_the_logins_that_the_broker_keeps_are_saved() -> None:
    file = PurePosixPath(OWN_LOGINS)
    place = place_of(file)
    assert place is not None
    assert place.owner == "mosquitto"
    assert place_of(file.with_name(f"{file.name}.new")) is None  # which mosquitto writes first


def test_what_table_room_and_screen_write_is_known(tmp_path: Path) -> None:
    root = tmp_path / "root"
    table, room, screen = (root / "var/lib" / f"cutcard{end}" for end in ("", "-room", "-dealer"))
    settings = tmp_path / "settings"
    for folder in (table, room, screen, settings):
        folder.mkdir(parents=True)
    write_table(settings, "roberts")
    text = (settings / "table.toml").read_text()
    (settings / "table.toml").write_text(re.sub(r'path = "journal.sqlite"\n', "", text))
    put(
        settings / "room.toml",
        f'[broker]\nport = 1\n[room]\nstore = "{room}/room.sqlite"\n[web]\nport = 0\n',
    )
    with service("table", "--config", str(settings / "table.toml"), STATE_DIRECTORY=str(table)):
        wait_until((table / "journal.sqlite-wal").exists)
    with service("room", "--config", str(settings / "room.toml"), "--json") as running:
        assert running.stdout is not None
        assert json.loads(running.stdout.readline())["url"]
        wait_until((room / "history.sqlite").exists)
        wait_until((room / "room.sqlite.beat").exists)
    environment = {"STATE_DIRECTORY": str(screen)}
    Kept(place(environment), "en").choose("fr")
    written = kept(root)
    names = {each.name for each in written}
    assert {"journal.sqlite", "room.sqlite", "people.sqlite", "history.sqlite"} <= names
    assert {"screen.json", "room.sqlite.beat"} <= names
    unknown = [
        str(each)
        for each in written
        if place_of(each) is None and not NOT_SAVED.fullmatch(each.name)
    ]
    assert unknown == []


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/etc/cutcard",
        "/etc/cutcard/../shadow",
        "/etc/cutcard/a/b/c/d/e/f/g/h/i/j",
        "/etc/cutcard/.hidden",
        "/etc/credstore/root",
        "/var/lib/cutcard/keys/1",
        "/var/lib/cutcard/journal.sqlite-shm",
        "/var/lib/cutcard/journal.sqlite.bad-1",
        "/var/lib/cutcard-room/room.sqlite.beat",
        "/var/lib/cutcard-other/room.sqlite",
        "/opt/cutcard/bin/cutcard",
    ],
)
def test_what_is_not_of_it(path: str) -> None:
    assert place_of(PurePosixPath(path)) is None


def test_folders_lie_beside_one_another() -> None:
    for one in PLACES:
        others = [other.folder for other in PLACES if other is not one]
        assert not any(one.folder.is_relative_to(other) for other in others)
