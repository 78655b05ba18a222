"""Of a register on the disk only what has changed is written, and all of it is there again."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.room.acts import ActError
from controller.room.asking import read
from controller.room.register import KEPT_DRAWS
from controller.room.store import RoomStore
from tests.room.evening import Hall
from tests.room.test_entered import TABLES


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


def begun(store: RoomStore) -> Hall:
    hall = Hall(store=store)
    hall.room.link(True)
    hall.act("tables", tables=TABLES)
    return hall


def test_whatever_is_done_is_there_again(path: Path) -> None:
    store = RoomStore.open(path)
    hall, chance = begun(store), random.Random(5)
    for number in range(300):
        player = f"p{chance.randint(1, 40)}"
        things: list[tuple[str, dict[str, object]]] = [
            ("enter", {"name": f"P{number}"}),
            ("draw", {"seed": str(number)}),
            ("stand", {"player": player}),
            ("withdraw", {"player": player}),
            ("mark", {"player": player, "status": "absent"}),
            ("correct", {"player": player, "paid": True}),
            ("sit", {"player": player, "table": "T1", "seat": chance.randint(1, 9)}),
            ("clear" if number % 5 == 0 else "draw", {"seed": "again"}),
        ]
        name, fields = chance.choice(things)
        if name == "clear":
            fields = {}
        try:
            hall.act(name, **fields)
        except ActError:
            continue
        assert read(path).register == hall.room.view().register, (number, name)
    register = hall.room.view().register
    assert register.players
    assert register.draws
    hall.room.close()
    again = RoomStore.open(path)
    assert again.record is not None
    assert again.record.register == register
    again.close()


def test_a_change_of_one_writes_one(path: Path) -> None:
    store = RoomStore.open(path)
    hall = begun(store)
    hall.act("import", players=[{"name": f"P{n}"} for n in range(500)])
    before = store._database.connection.total_changes
    hall.act("correct", player="p7", paid=True)
    after = store._database.connection.total_changes
    assert after - before == 3, "the player, what is left of the record, and who asked"


def test_of_the_draws_the_last_ones_are_kept(path: Path) -> None:
    store = RoomStore.open(path)
    hall = begun(store)
    for number in range(KEPT_DRAWS + 5):
        hall.act("enter", name=f"P{number}")
        hall.act("draw", seed=str(number))
        hall.act("withdraw", player=f"p{number + 1}")
    draws = read(path).register.draws
    assert [each.draw.seed for each in draws] == [str(n) for n in range(5, KEPT_DRAWS + 5)]


def test_a_record_of_before_has_its_players_in_it(path: Path) -> None:
    store = RoomStore.open(path)
    hall = begun(store)
    hall.act("enter", name="Ann")
    record = read(path)
    store.close()
    with closing(sqlite3.connect(path)) as db, db:
        for table in ("player", "draw", "at_tables"):
            db.execute(f"DROP TABLE {table}")
        db.execute("PRAGMA user_version=3")
        db.execute("UPDATE record SET value = ?", (msgspec.json.encode(record),))
    store = RoomStore.open(path)
    assert store.record == record
    hall = begun(store)
    hall.act("enter", name="Bob")
    store.close()
    assert [each.name for each in read(path).register.players] == ["Ann", "Bob"]


def test_what_could_not_be_written_is_with_the_next(path: Path) -> None:
    store = RoomStore.open(path)
    hall = begun(store)
    store._database.connection.execute("PRAGMA busy_timeout=20")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    hall.act("enter", name="Ann")
    other.execute("ROLLBACK")
    other.close()
    hall.act("enter", name="Bob")
    assert [each.name for each in read(path).register.players] == ["Ann", "Bob"]
    store.close()
