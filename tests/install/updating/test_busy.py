"""No update while a hand is played or a clock runs, in any of a room's events."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.install.updating.busy import why_busy
from controller.room.clock import at_start, running
from controller.room.record import Record
from controller.room.room_time import Beat
from controller.room.store import RoomStore
from controller.storage.journal import Entry
from tests.install.backup.machine import a_journal
from tests.web.clockroom import NIGHT

BEAT = Beat(room_ms=1, boot="b", boot_ms=1, wall_ms=1)


def keep(file: Path, record: Record) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(RoomStore.open(file)) as store:
        store.save(record, None, BEAT)


def test_nothing_is_there_and_nobody_is_busy(tmp_path: Path) -> None:
    assert why_busy(tmp_path) == ""


def test_a_hand_that_is_open(tmp_path: Path) -> None:
    (tmp_path / "var/lib/cutcard").mkdir(parents=True)
    with closing(a_journal(tmp_path)) as journal:
        assert why_busy(tmp_path) == ""
        open_now = replace(journal.counters, hands=17, open=17)
        journal.commit([Entry(hand=17, counters=open_now, lines=(b"{}",))])
        assert why_busy(tmp_path) == "hand 17 is being played"
        journal.commit([Entry(hand=17, counters=replace(open_now, open=None), lines=(b"{}",))])
    assert why_busy(tmp_path) == ""


@pytest.mark.parametrize("name", ["room.sqlite", "room.sqlite.events/side.sqlite"])
def test_a_clock_that_runs(tmp_path: Path, name: str) -> None:
    room = tmp_path / "var/lib/cutcard-room"
    standing = Record(clock=at_start(NIGHT))
    keep(room / "room.sqlite", standing)
    keep(room / name, standing)
    assert why_busy(tmp_path) == ""
    keep(room / name, replace(standing, clock=running(standing.clock, 5)))
    assert why_busy(tmp_path) == "the tournament's clock is running"


def test_what_cannot_be_read_is_no_reason(tmp_path: Path) -> None:
    for file in ("var/lib/cutcard/journal.sqlite", "var/lib/cutcard-room/room.sqlite"):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_bytes(b"no database")
    assert why_busy(tmp_path) == ""
