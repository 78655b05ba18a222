"""A database is checked, brought up to date, left alone, or set aside."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.storage.database import DamagedError, Database, DatabaseError, Row
from controller.storage.opening import Layout, open_whole, prepare, set_aside, user_version

ONE = ("CREATE TABLE a(x INTEGER) STRICT",)
TWO = ("CREATE TABLE b(y TEXT) STRICT",)
BEFORE, NOW = Layout((ONE,)), Layout((ONE, TWO))
EXACT = Layout((ONE, TWO), exact=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ours.sqlite"


def tables(database: Database) -> list[Row]:
    return database.rows("SELECT name FROM sqlite_master ORDER BY name")


def opened(path: Path, layout: Layout = NOW) -> tuple[int, Sequence[Row], Path | None]:
    database, aside = open_whole(path, layout, lambda database: database)
    with closing(database):
        assert database.rows("PRAGMA journal_mode") == [("wal",)]
        assert database.rows("PRAGMA synchronous") == [(2,)]
        return user_version(database), tables(database), aside


def do(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        for each in statements:
            db.execute(each)
        db.commit()


def test_a_new_one_goes_through_all_steps_and_an_old_one_through_the_rest(path: Path) -> None:
    assert opened(path, BEFORE) == (1, [("a",)], None)
    do(path, "INSERT INTO a VALUES (7)")
    assert opened(path) == (2, [("a",), ("b",)], None)
    database, _ = open_whole(path, NOW, lambda database: database)
    with closing(database):
        assert database.rows("SELECT x FROM a") == [(7,)]


def test_it_is_its_owners_alone(path: Path) -> None:
    path.touch(mode=0o644)
    database, _ = open_whole(path, NOW, lambda database: database)
    files = [path, *path.parent.glob("*-*")]
    assert len(files) == 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    database.close()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("PRAGMA user_version=3", "it was written by a newer version of cutcard"),
        ("CREATE TABLE theirs(x)", "it is another program's"),
    ],
)
def test_what_is_not_ours_is_left_alone(path: Path, statement: str, said: str) -> None:
    do(path, statement)
    with pytest.raises(DatabaseError) as caught:
        opened(path)
    assert str(caught.value) == f"{path}: {said}"
    assert [file.name for file in path.parent.glob("*.bad-*")] == []


def test_one_that_fits_its_version_badly_is_damaged_only_where_that_counts(path: Path) -> None:
    opened(path)
    do(path, "CREATE INDEX more ON b(y)")
    assert opened(path)[2] is None
    assert opened(path, EXACT)[1:] == ([("a",), ("b",)], path.with_name("ours.sqlite.bad-1"))


def test_what_is_damaged_or_cannot_be_read_is_set_aside(path: Path) -> None:
    path.write_bytes(b"no database at all")
    (path.parent / "ours.sqlite.bad-7").touch()
    database, aside = open_whole(path, NOW, lambda database: database, number=7)
    database.close()
    assert aside == path.with_name("ours.sqlite.bad-8")
    assert aside.read_bytes() == b"no database at all"

    tried: list[Database] = []

    def read(database: Database) -> int:
        tried.append(database)
        if len(tried) == 1:
            raise msgspec.DecodeError("this is no record")
        return 7

    assert open_whole(path, NOW, read) == (7, path.with_name("ours.sqlite.bad-1"))
    with pytest.raises(DatabaseError):
        tried[0].rows("SELECT 1")
    tried[1].close()


def test_one_that_is_damaged_again_says_where_the_first_is(path: Path) -> None:
    def read(database: Database) -> None:
        raise DamagedError(database.path)

    with pytest.raises(DatabaseError) as caught:
        open_whole(path, NOW, read)
    aside = path.with_name("ours.sqlite.bad-1")
    said = f"{path}: it is damaged again; what was there before is now {aside}"
    assert str(caught.value) == said
    assert aside.exists()


def test_what_belongs_to_it_goes_along(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).write_text(end)
    aside = set_aside(path)
    assert [aside.with_name(aside.name + end).read_text() for end in ("", "-wal", "-shm")] == [
        "",
        "-wal",
        "-shm",
    ]
    assert list(path.parent.glob("ours.sqlite-*")) == []


def test_one_in_memory_is_no_other(tmp_path: Path) -> None:
    database = Database(Path(":memory:"))
    prepare(database, NOW)
    assert tables(database) == [("a",), ("b",)]
    database.close()
    assert list(tmp_path.iterdir()) == []
