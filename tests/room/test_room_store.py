from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.room.clock import at_start, running
from controller.room.did import Did
from controller.room.record import Record
from controller.room.room_time import Beat
from controller.room.store import KEPT, RoomStore, StoreError, StoreHeldError
from controller.storage.database import DatabaseError
from tests.room.evening import EVENING

RECORD = Record(clock=running(at_start(EVENING), 7), revision=3, closed=("T1",))
BEAT = Beat(1_000, "b", 5, 6)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "room.sqlite"


def kept(path: Path) -> RoomStore:
    store = RoomStore.open(path)
    store.close()
    return store


def test_an_empty_store_knows_nothing(path: Path) -> None:
    store = kept(path)
    assert (store.record, store.beat, store.history, store.damaged) == (None, None, (), "")


def test_what_was_saved_last_is_there_again(path: Path) -> None:
    store = RoomStore.open(path)
    did = Did(1, 2, "Ann", "pause", '{"reason":"tea"}')
    store.save(Record(clock=at_start(EVENING)), did, Beat(500, "b", 1, 2))
    store.save(RECORD, None, BEAT)
    store.save(None, Did(2, 3, "Bob", "go", refused="no"), BEAT)
    store.close()
    again = kept(path)
    assert again.record == RECORD
    assert [each.actor for each in again.history] == ["Ann", "Bob"]
    assert again.beat == BEAT


def test_the_last_beat_is_known_even_where_nothing_changed(path: Path) -> None:
    store = RoomStore.open(path)
    store.save(RECORD, None, BEAT)
    store.tick(Beat(9_000, "b", 8_005, 8_006))
    store.close()
    assert kept(path).beat == Beat(9_000, "b", 8_005, 8_006)


def test_a_beat_that_was_torn_is_none(path: Path) -> None:
    store = RoomStore.open(path)
    store.save(RECORD, None, BEAT)
    store.close()
    path.with_name("room.sqlite.beat").write_bytes(b'{"room_ms":99')
    assert kept(path).beat == BEAT


def test_every_commit_is_on_the_disk_when_it_is_done(path: Path) -> None:
    store = RoomStore.open(path)
    connection = store._database.connection
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2
    store.close()


def test_only_so_much_of_the_past_is_kept(path: Path) -> None:
    store = RoomStore.open(path)
    store._database.connection.execute("PRAGMA synchronous=OFF")
    for number in range(KEPT + 5):
        store.save(None, Did(number, 0, "Ann", "pause"), BEAT)
    count = store._database.connection.execute("SELECT count(*) FROM history").fetchone()[0]
    store.close()
    assert count == KEPT


@pytest.mark.parametrize("offset", [0, 4096 + 8], ids=["header", "page"])
def test_a_damaged_store_is_set_aside_and_the_beat_survives(path: Path, offset: int) -> None:
    store = RoomStore.open(path)
    store.save(RECORD, None, BEAT)
    store.tick(Beat(9_000, "b", 8_005, 8_006))
    store.close()
    data = bytearray(path.read_bytes())
    data[offset : offset + 3000] = b"\xa5" * 3000
    path.write_bytes(data)
    again = kept(path)
    assert again.record is None
    assert again.beat == Beat(9_000, "b", 8_005, 8_006)
    assert again.damaged == f"{path}.bad-1"
    assert Path(again.damaged).read_bytes() == bytes(data)
    assert kept(path).damaged == ""


def test_damage_where_nobody_reads_is_found_too(path: Path) -> None:
    store = RoomStore.open(path)
    store._database.connection.execute("PRAGMA synchronous=OFF")
    for number in range(400):
        store.save(RECORD, Did(number, 0, "Ann" * 20, "pause"), BEAT)
    store.close()
    data = bytearray(path.read_bytes())
    where = data.index(b'{"at_ms":100,') // 4096 * 4096
    data[where : where + 64] = b"\xa5" * 64
    path.write_bytes(data)
    assert kept(path).damaged


def test_a_record_that_says_nothing_is_damage_too(path: Path) -> None:
    store = RoomStore.open(path)
    store.save(RECORD, None, BEAT)
    store.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE record SET value = x'7b7d'")
    again = kept(path)
    assert again.record is None
    assert again.damaged


def test_two_rooms_cannot_have_one_store(path: Path) -> None:
    store = RoomStore.open(path)
    with pytest.raises(StoreHeldError, match="another room"):
        RoomStore.open(path)
    store.close()
    kept(path)


def test_a_store_of_a_newer_version_is_left_alone(path: Path) -> None:
    kept(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA user_version=9")
    with pytest.raises(StoreError, match="newer version"):
        RoomStore.open(path)
    assert path.exists()


def test_where_no_store_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"Not a directory|File exists"):
        RoomStore.open(tmp_path / "file" / "room.sqlite")


def test_a_store_that_another_program_holds_is_a_fault_in_words(path: Path) -> None:
    store = RoomStore.open(path)
    store._database.connection.execute("PRAGMA busy_timeout=50")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseError, match="another program is using it"):
        store.save(RECORD, None, BEAT)
    other.execute("ROLLBACK")
    other.close()
    store.save(RECORD, None, BEAT)
    store.close()
