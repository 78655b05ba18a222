"""A real table in a room with two events: it goes by the clock of the one whose list names it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from controller.broker.client import MqttClient
from controller.room.clock import at_start
from controller.room.composition import RoomSettings, make_room
from controller.room.event_file import asked
from controller.room.publisher import RoomRun
from controller.room.record import Record
from controller.room.room_time import RoomClocks, readings
from tests.room.evening import EVENING
from tests.room.events import act, lists
from tests.table.felt import Felt, a_table
from tests.waiting import PATIENCE_S, until


async def shows_level(felt: Felt, number: int) -> None:
    """Waits until the dealer's screen gets this level."""
    reader, writer = await asyncio.open_unix_connection(felt.folder / "dealer.sock")
    async with asyncio.timeout(PATIENCE_S):
        while line := await reader.readline():
            level = json.loads(line).get("view", {}).get("level") or {}
            if level.get("level") == number:
                break
    writer.close()


def test_a_table_goes_by_the_clock_of_its_event(tmp_path: Path) -> None:
    asyncio.run(_goes_by_the_clock_of_its_event(tmp_path))


async def _goes_by_the_clock_of_its_event(folder: Path) -> None:
    async with a_table(folder, "uk-tda") as (felt, ear, broker):
        client = MqttClient(broker.room, "the-room")
        room = make_room(
            RoomRun("demo", "s1", "0"),
            Record(clock=at_start(EVENING), lineage="club"),
            RoomSettings(listen_ms=0),
            clocks=RoomClocks(readings(), None),
            publish=client.publish,
        )
        for each in room.filters:
            client.subscribe(each)
        room.start()
        client.start(room.received, room.link)
        ticking = asyncio.create_task(room.run())
        await until(lambda: [each.live for each in room.view().tables] == [True])
        room.act("start", {"actor": "Ann"})
        room.create(asked({"id": "turbo", "name": "Turbo"}))
        turbo = room.event("turbo")
        assert turbo is not None
        act(turbo, "start")
        act(turbo, "next")
        await shows_level(felt, 1)

        lists(turbo, "T1")
        await shows_level(felt, 2)
        await until(lambda: [each.level for each in turbo.teller.levels()] == ["current"])
        await felt.deal()  # the level counts from this riffle on
        await until(lambda: (ear.last("T1/hand") or {})["view"]["blinds"]["big"] == 100)
        assert room.first.teller.levels() == ()

        act(turbo, "pause")
        room.close_event("turbo")
        await shows_level(felt, 1)
        assert [each.id for each in room.first.view().tables] == ["T1"]
        room.close()
        ticking.cancel()
        await client.close()
