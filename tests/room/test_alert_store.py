"""What the room remembers of its alerts, whatever ends it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from controller.room.alerts import FloorRecord, Happened, RoomAlert
from controller.room.clock import at_start
from controller.room.did import Did
from controller.room.floor_history import MOST_SINCE
from controller.room.record import Record
from controller.room.room_time import Beat
from controller.room.store import _SCHEMA, KEPT_LINES, RoomStore
from tests.room.evening import EVENING, Machine
from tests.room.test_alert_life import Floor

BEAT = Beat(1_000, "b", 5, 6)
ALERT = RoomAlert(key="T1/1", table="T1", kind="finding", at=5, priority=1, code="x")


def opened(folder: Path, machine: Machine, *, just_up: bool = False) -> Floor:
    store = RoomStore.open(folder / "room.sqlite")
    return Floor(machine=machine, store=store, just_up=just_up)


def killed(floor: Floor) -> None:
    """As after `kill -9`: nothing more is written."""
    store = floor.room.first.keeper._store
    assert store is not None
    floor.room._floor._store = None
    floor.room.first.keeper._store = None
    store.close()


def test_a_room_that_was_killed_knows_who_has_what(tmp_path: Path) -> None:
    machine = Machine()
    floor = opened(tmp_path, machine)
    floor.alert("T1", 1)
    floor.alert("T1", 2, prio=2)
    floor.does("duty", on=True)
    floor.does("take", key="T1/1")
    floor.does("shelve", key="T1/2", minutes=15, reason="busy")
    floor.does("note", text="Watch T1.")
    at = floor.one().at
    killed(floor)
    machine.passes(60_000)
    again = opened(tmp_path, machine, just_up=True)
    assert (again.one().owner, again.one().at) == ("Ann", at)
    again.alert("T1", 1)
    again.alert("T1", 2, prio=2)
    again.passes(4_000)
    assert (again.one().owner, again.one().at) == ("Ann", at)
    shelf = again.one("T1/2").shelf
    assert shelf is not None
    assert shelf.reason == "busy"
    assert [each.name for each in again.room.view().shift.people] == ["Ann"]
    assert [each.text for each in again.room.view().shift.notes] == ["Watch T1."]
    names = [name for name, _ in again.happened()]
    assert names == ["raised", "raised", "duty-on", "take", "shelve", "note"]
    numbers = [each.n for each in again.room.since(0)[1]]
    assert numbers == list(range(1, 7))
    again.room.close()


def test_what_a_table_closed_meanwhile_is_closed(tmp_path: Path) -> None:
    machine = Machine()
    floor = opened(tmp_path, machine)
    floor.alert("T1", 1)
    floor.does("take", key="T1/1")
    killed(floor)
    again = opened(tmp_path, machine)
    again.passes(4_000)
    assert again.alerts() == {}
    assert again.room.view().shift.news[0].act == "gone"
    again.room.close()


def test_what_a_table_said_is_on_the_disk_within_a_second(tmp_path: Path) -> None:
    floor = opened(tmp_path, Machine())
    floor.alert("T1", 1)
    floor.passes(1_000)
    killed(floor)
    store = RoomStore.open(tmp_path / "room.sqlite")
    record, lines = store.floor()
    assert set(record.alerts) == {"T1/1"}
    assert lines[0].what == "raised"
    store.close()


KILLED = """
import sys, time
from pathlib import Path
from controller.room.alerts import FloorRecord, Happened, RoomAlert
from controller.room.store import RoomStore
store = RoomStore.open(Path(sys.argv[1]))
for n in range(1, 100_000):
    alert = RoomAlert(key="T1/1", table="T1", kind="finding", at=n, priority=1)
    line = Happened(at_ms=n, what="raised", n=n)
    store.save_floor(FloorRecord(counted=n), {"T1/1": alert}, [line], 0)
    print(n, flush=True)
"""


def test_kill_9_takes_back_nothing_that_was_said(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite"
    command = [sys.executable, "-c", KILLED, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as room:
        assert room.stdout is not None
        said = 0
        while said < 20:
            said = int(room.stdout.readline())
        os.kill(room.pid, signal.SIGKILL)
        rest = room.stdout.read().split("\n")[:-1]
    said = int(rest[-1]) if rest else said
    store = RoomStore.open(path)
    record, lines = store.floor()
    store.close()
    assert record.counted >= said
    assert record.alerts["T1/1"].at == record.counted == lines[-1].n
    assert [each.n for each in lines] == list(range(1, record.counted + 1))


def test_a_store_of_before_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite"
    store = RoomStore.open(path)
    store.save(Record(clock=at_start(EVENING), revision=3), Did(1, 2, "Ann", "pause"), BEAT)
    store.close()
    db = sqlite3.connect(path)
    for table in ("floor", "alert", "happened", "asked", "player", "draw", "at_tables"):
        db.execute(f"DROP TABLE {table}")
    db.execute("PRAGMA user_version=1")
    db.commit()
    made = db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()[0]
    assert made == len(_SCHEMA)
    db.close()
    again = RoomStore.open(path)
    assert again.record is not None
    assert (again.record.revision, [each.actor for each in again.history]) == (3, ["Ann"])
    assert again.floor() == (FloorRecord(), ())
    again.save_floor(FloorRecord(counted=2), {"T1/1": ALERT}, [], 0)
    assert again.floor()[0] == FloorRecord(counted=2, alerts={"T1/1": ALERT})
    again.close()


def test_the_history_is_as_long_as_it_may_be_and_as_old(tmp_path: Path) -> None:
    store = RoomStore.open(tmp_path / "room.sqlite")
    lines = [Happened(at_ms=n, what="raised", n=n) for n in range(1, KEPT_LINES + 11)]
    store.save_floor(None, {}, lines, 0)
    assert [store.floor()[1][i].n for i in (0, -1)] == [11, KEPT_LINES + 10]
    last = Happened(at_ms=KEPT_LINES + 11, what="raised", n=KEPT_LINES + 11)
    store.save_floor(None, {}, [last], KEPT_LINES)
    assert [each.n for each in store.floor()[1]] == list(range(KEPT_LINES, KEPT_LINES + 12))
    store.close()


def test_a_disk_that_is_full_stops_nobody(tmp_path: Path) -> None:
    floor = opened(tmp_path, Machine())
    floor.alert("T1", 1)
    store = floor.room.first.keeper._store
    assert store is not None
    db = store._database.connection
    db.execute("PRAGMA query_only=ON")
    floor.does("take", key="T1/1")
    assert floor.one().owner == "Ann"
    assert any("can't be saved" in each for each in floor.room.view().faults)
    assert any("the alerts can't be saved" in each for each in floor.said)
    db.execute("PRAGMA query_only=OFF")
    floor.passes(1_000)
    assert store.floor()[0].alerts["T1/1"].owner == "Ann"
    assert floor.room.view().faults == ()
    floor.room.close()


def test_what_was_missed_is_asked_for_by_time() -> None:
    floor = Floor()
    floor.alert("T1", 1)
    floor.passes(60_000)
    then = floor.clocks.now_ms()
    floor.does("take", key="T1/1")
    more, lines = floor.room.since(then)
    assert not more
    assert [each.act for each in lines] == ["take"]
    for _ in range(MOST_SINCE):
        floor.does("note", text="x")
        floor.does("read-note", id=floor.room.view().shift.notes[0].id)
    more, lines = floor.room.since(0)
    assert more
    assert len(lines) == MOST_SINCE
    assert lines[-1].act == "read-note"


def test_an_alert_that_is_closed_is_not_kept(tmp_path: Path) -> None:
    machine = Machine()
    floor = opened(tmp_path, machine)
    floor.alert("T1", 1)
    floor.passes(1_000)
    floor.closes("T1", 1)
    floor.passes(1_000)
    killed(floor)
    again = opened(tmp_path, machine, just_up=True)
    assert again.said == []
    assert again.alerts() == {}
    again.room.close()


def test_alerts_that_cannot_be_read_stop_no_room(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite"
    RoomStore.open(path).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO alert(key, value) VALUES ('T1/1', X'7B')")
    floor = opened(tmp_path, Machine())
    assert floor.said == [f"earlier alerts are lost: {path}: they cannot be read"]
    floor.alert("T1", 1)
    floor.does("take", key="T1/1")
    assert floor.one().owner == "Ann"
    floor.room.close()
