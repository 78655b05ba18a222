"""A `cutcard table` that goes on, and is killed, while the room is away."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.archive import archivist, missing
from controller.archive.kept import Gap, HandRecord
from controller.archive.opening import open_archive
from controller.archive.running import Archiving, HistoryOptions
from tests.table.felt import Room, a_table
from tests.waiting import until


def test_it_tells_what_the_room_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing, "SETTLE_MS", 300)
    monkeypatch.setattr(missing, "AGAIN_MS", 300)
    monkeypatch.setattr(archivist, "ASK_EVERY_S", 0.1)
    asyncio.run(_missed(tmp_path))


async def _missed(folder: Path) -> None:
    store = str(folder / "history.sqlite")
    async with a_table(folder) as (felt, room, broker):

        def archiving() -> Archiving:
            started = Archiving(broker.room, "demo", HistoryOptions(store), report=lambda _: None)
            started.start()
            return started

        one = archiving()
        await felt.deal()
        await until(lambda: one.health().kept > 3)
        await one.close()
        await felt.enter(kind="dealer", input="misdeal")
        await until(lambda: "misdeal" in [each["phase"] for each in room.events("phase")])
        await felt.kill()
        await until(lambda: room.states()[-1:] == ["lost"])
        await felt.start()
        await until(lambda: room.states()[-1:] == ["ready"])
        two = archiving()
        await felt.deal()
        await until(lambda: len(sessions(room)) == 2)
        await until(lambda: (two.health().kept, two.health().missing) >= (5, 0))
        await until(lambda: whole(store, room))
        await two.close()


def sessions(room: Room) -> set[str]:
    return {json.loads(p)["session"] for t, p in room.messages if t.endswith("/events")}


def whole(store: str, room: Room) -> bool:
    """Whether the archive has each event that the table ever said, once."""
    said = {
        (told["session"], told["seq"]): told["event"]
        for topic, payload in room.messages
        if topic.endswith("/events") and (told := json.loads(payload))
    }
    with closing(open_archive(store, read_only=True)) as archive:
        records = [archive.hand("T1", number) for number in (1, 2)]
        kept = {
            (each.session, each.seq): json.loads(msgspec.json.encode(each.event))
            for record in records
            if isinstance(record, HandRecord)
            for each in record.told
            if not isinstance(each, Gap)
        }
        return not archive.gaps() and kept == said
