"""What older versions kept is read by this one: each store has a version, and what is of a version
stays as it was.

`older/STORE-VERSION-COMMIT.sqlite.gz` is a store as that commit left it: journal and room of a demo
that was killed in a hand, people with an admin and a floorperson.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from controller.archive import tables
from controller.people import staff_store
from controller.people.staff_store import StaffStore
from controller.room import store as room_store
from controller.room.store import RoomStore
from controller.storage import journal
from controller.storage.journal import Entry, Journal, verify
from controller.storage.opening import Layout

OLDER = sorted((Path(__file__).parent / "older").glob("*.sqlite.gz"))
LAYOUTS: Mapping[str, Layout] = {
    "journal": journal.LAYOUT,
    "people": staff_store.LAYOUT,
    "room": room_store.LAYOUT,
}
WRITTEN: Mapping[str, Sequence[str]] = {
    "journal": ["940db59431bd3de4", "286438c2f3c63012", "d4130a192c1cbcac", "01a7ee78efd05abc"],
    "people": ["087084b665528f6d", "63d7e8a42cfddb47"],
    "room": [
        "0f74cc45abb8bf1d",
        "cc1ee1332f1c0344",
        "90edb82e723850a0",
        "c9273fa68cc56d4c",
        "d09a3a8a373f602f",
    ],
}
"""Digests of what makes each version of the one before it. Never change one: add another version,
and a store that this one has written to those in `older`."""
HISTORY = {3: "deeeb3085a684653"}
"""The same of all tables of the history, whose way from version 1 is in `migrating`."""


def digest(statements: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(statements).encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_makes_a_version_never_changes(name: str) -> None:
    assert [digest(step) for step in LAYOUTS[name].steps] == WRITTEN[name]


def test_nor_do_the_tables_of_the_history() -> None:
    assert {tables.SCHEMA_VERSION: digest(tables.TABLES)} == HISTORY


@pytest.mark.parametrize("name", LAYOUTS)
def test_there_is_one_of_every_version_before(name: str) -> None:
    there = {int(path.name.split("-")[1]) for path in OLDER if path.name.startswith(name)}
    assert there == set(range(1, len(LAYOUTS[name].steps) + 1))


def laid(older: Path, folder: Path) -> Path:
    """The store in a file of its own."""
    path = folder / "store.sqlite"
    path.write_bytes(gzip.decompress(older.read_bytes()))
    return path


def of(name: str) -> pytest.MarkDecorator:
    found = [path for path in OLDER if path.name.startswith(name)]
    return pytest.mark.parametrize("older", found, ids=lambda path: path.name.split(".")[0])


def silent(line: str) -> None:
    raise AssertionError(line)


@of("journal")
def test_a_journal_goes_on(older: Path, tmp_path: Path) -> None:
    path = laid(older, tmp_path)
    assert verify(path) is None
    for opening in (1, 2):
        with closing(Journal.open(path, report=silent)) as table:
            checkpoint, lines = table.since_checkpoint()
            assert (table.counters.session, table.counters.hands) == (1 + opening, 2)
            assert checkpoint
            assert len(lines) > 10
            name = table.head.chain
            table.commit([Entry(hand=2, counters=table.counters, lines=(b"x",))])
    assert verify(path) is None
    with closing(Journal.open(path, report=silent)) as table:
        assert table.head.chain == name


@of("people")
def test_people_sign_in(older: Path, tmp_path: Path) -> None:
    path = laid(older, tmp_path)
    for _ in (1, 2):
        with closing(StaffStore.open(path)) as store:
            assert not store.damaged
            told = [(each.name, each.role, each.tables) for each in store.people()]
            assert told == [("Ada", "admin", ()), ("Bob", "floor", ("T1",))]
            assert all(each.kept for each in store.people())


@of("room")
def test_a_rooms_clock_goes_on(older: Path, tmp_path: Path) -> None:
    path = laid(older, tmp_path)
    for _ in (1, 2):
        with closing(RoomStore.open(path)) as store:
            assert not store.damaged
            assert store.record is not None
            assert store.record.clock.begun
            assert len(store.history) >= 1
