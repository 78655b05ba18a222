"""An alert of a real table in a real room: taken, ruled on, amended, until the next riffle."""

from __future__ import annotations

import asyncio
from pathlib import Path

from controller.broker.client import MqttClient
from controller.room.clock import at_start
from controller.room.composition import RoomSettings, make_room
from controller.room.publisher import RoomRun
from controller.room.record import Record
from controller.room.room_time import RoomClocks, readings
from display.web.timeline import Timelines
from tests.room.evening import EVENING
from tests.table.felt import a_table, play_to_a_four_card_flop
from tests.waiting import until


def test_an_alert_from_the_felt_to_the_ruling(tmp_path: Path) -> None:
    asyncio.run(_from_the_felt_to_the_ruling(tmp_path))


async def _from_the_felt_to_the_ruling(folder: Path) -> None:
    async with a_table(folder, "uk-tda") as (felt, _, broker):
        client = MqttClient(broker.room, "the-room")
        room = make_room(
            RoomRun("demo", "s1", "0"),
            Record(clock=at_start(EVENING), lineage="club"),
            RoomSettings(listen_ms=0, tell_tables=False),
            clocks=RoomClocks(readings(), None),
            publish=client.publish,
        )
        for each in room.filters:
            client.subscribe(each)
        client.start(room.received, room.link)
        await until(lambda: [each.live for each in room.view().tables] == [True])
        await play_to_a_four_card_flop(felt)
        await until(lambda: room.view().shift.alerts)
        (alert,) = room.view().shift.alerts
        assert (alert.code, alert.priority, alert.state) == ("four-card-flop", 1, "new")
        room.floor_act("take", {"actor": "Ann", "key": alert.key})
        await until(lambda: room.view().tables[0].hand.view.floor_by == "Ann")  # type: ignore[union-attr]
        (alert,) = room.view().shift.alerts
        decision = {
            "session": alert.session,
            "hand": alert.hand,
            "finding": int(alert.finding),
            "outcome": "stands",
        }
        room.order("T1", "ruling", {"actor": "Ann", **decision}, role="floor")
        await until(lambda: not room.view().shift.alerts and room.view().shift.ruled)
        await until(lambda: room.view().shift.ruled[0].made.by == "Ann")  # type: ignore[union-attr]
        (ruled,) = room.view().shift.ruled
        assert (ruled.how, ruled.amendable, ruled.refused) == ("ruled", True, "")
        told = Timelines().of(room.view(), alert.key)
        assert told is not None
        assert not told.missing
        assert "Four-card flop" in "\n".join(told.lines)
        other = {**decision, "outcome": "redeal-flop", "amend": True}
        room.order("T1", "ruling", {"actor": "Bo", **other}, role="floor")
        await until(lambda: room.view().shift.ruled[0].made.by == "Bo")  # type: ignore[union-attr]
        assert room.view().shift.ruled[0].made.outcome == "redeal-flop"  # type: ignore[union-attr]
        room.close()
        await client.close()
