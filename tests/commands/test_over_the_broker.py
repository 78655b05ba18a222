"""Room, broker and a table that judges: a command there and its answer back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from controller.broker.client import Endpoint, Incoming, MqttClient
from controller.broker.own import find_mosquitto, start_broker
from controller.contract.events import Blinds
from controller.contract.messages import TABLE_COMMAND, Message
from controller.contract.observations import Close, FloorRuling, Level, Open
from controller.room.clock import at_start
from controller.room.commander import OrderError
from controller.room.composition import RoomSettings, make_room
from controller.room.publisher import RoomRun
from controller.room.record import Record
from controller.room.room_time import RoomClocks, readings
from controller.room.service import RoomService
from controller.room.structure import Entry, Structure
from controller.table.commands import Refused
from tests.commands.fake_table import SITE, FakeTable
from tests.waiting import until

SHORT = Structure("short", (Entry(60_000, Blinds(1, 2)),))
DECIDED: dict[str, Any] = {"actor": "Ann", "session": "s-T1", "hand": 12}

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto not installed")


class Hall:
    def __init__(self, room: RoomService, client: MqttClient, tables: list[FakeTable]) -> None:
        self.room = room
        self.client = client
        self.t1, self.t2 = tables

    def status(self) -> list[tuple[str, str]]:
        return [(each.status, each.words) for each in self.room.view().orders]


@asynccontextmanager
async def hall() -> AsyncIterator[Hall]:
    with start_broker(SITE, ["T1", "T2"], kind="mosquitto") as broker:
        client = MqttClient(broker.room, "room")
        room = make_room(
            RoomRun(SITE, "r1", "0"),
            Record(clock=at_start(SHORT)),
            RoomSettings(listen_ms=0),
            clocks=RoomClocks(readings()),
            publish=client.publish,
        )
        for topic_filter in room.filters:
            client.subscribe(topic_filter)
        client.start(room.received, room.link)
        tables = [FakeTable(broker.tables[id_], id_) for id_ in ("T1", "T2")]
        for table in tables:
            table.start()
        tables[0].alert(17, "Four-card flop", at=1)
        try:
            await until(lambda: room.view().alerts and len(room.view().tables) == 2)
            await until(lambda: all(each.live for each in room.view().tables))
            yield Hall(room, client, tables)
        finally:
            for table in tables:
                await table.client.close()
            await client.close()


def test_levels_and_breaks_reach_the_tables_and_their_answers_the_room() -> None:
    async def run() -> None:
        async with hall() as here:

            async def ticking(condition: Callable[[], object]) -> None:
                def holds() -> object:
                    here.room.tick()
                    return condition()

                await until(holds)

            here.room.act("start", {"actor": "Ann"})
            await ticking(
                lambda: all(
                    Level(t=7.0, small=1, big=2) in each.taken for each in (here.t1, here.t2)
                )
            )
            assert {each.level for each in here.room.view().levels} == {"old"}
            here.t2.show(phase="complete")
            await until(lambda: here.room.view().levels[1].level == "current")
            here.room.act("break", {"actor": "Ann", "duration_ms": 60_000})
            await ticking(lambda: Close(t=7.0) in here.t2.taken)
            here.t2.show(is_open=False)
            here.room.act("next", {"actor": "Ann"})
            await ticking(lambda: Open(t=7.0) in here.t2.taken)
            assert [type(each) for each in here.t1.taken] == [Level]
            assert here.room.view().orders == ()  # the floor has not decided that

    asyncio.run(run())


def test_a_ruling_reaches_the_table_and_its_answer_the_room() -> None:
    async def run() -> None:
        async with hall() as here:
            fields = {**DECIDED, "finding": 17, "outcome": "redeal-flop"}
            here.room.order("T1", "ruling", fields, role="floor")
            await until(lambda: here.status() == [("confirmed", "")])
            (taken,) = here.t1.taken
            assert isinstance(taken, FloorRuling)
            assert (taken.by, taken.finding, taken.outcome) == ("Ann", 17, "redeal-flop")
            assert here.t2.verdicts == []
            assert here.room.ignored.unknown_topic == 0

    asyncio.run(run())


def test_what_is_no_longer_so_is_refused_in_words() -> None:
    async def run() -> None:
        async with hall() as here:
            fields = {**DECIDED, "hand": 11, "finding": 17}
            here.room.order("T1", "dismiss", fields, role="floor")
            words = "decided for hand 11, but the table is at hand 12"
            await until(lambda: here.status() == [("refused", words)])
            assert here.t1.taken == []

    asyncio.run(run())


def test_the_same_command_twice_is_carried_out_once() -> None:
    async def run() -> None:
        async with hall() as here:
            order = here.room.order("T1", "coming", DECIDED, role="floor")
            await until(lambda: here.status() == [("confirmed", "")])
            here.client.publish(TABLE_COMMAND.message(SITE, "T1", "coming", payload=order.command))
            await until(lambda: len(here.t1.verdicts) == 2)
            again = here.t1.verdicts[1]
            assert isinstance(again, Refused)
            assert again.reason == "repeated"
            assert len(here.t1.taken) == 1

    asyncio.run(run())


def test_a_command_that_the_broker_kept_is_refused() -> None:
    async def run() -> None:
        async with hall() as here:
            topic = TABLE_COMMAND.name(SITE, "T2", "coming")
            payload = b'{"v":1,"id":"k","actor":"A","role":"floor","session":"s-T2","hand":12}'
            here.client.publish(Message(topic, payload, 1, retain=True))
            await until(lambda: len(here.t2.verdicts) == 1)  # live, so carried out
            here.t2.ids.clear()
            here.t2.client.subscribe(topic)  # a new subscription gets what was kept
            await until(lambda: len(here.t2.verdicts) == 2)
            kept = here.t2.verdicts[1]
            assert isinstance(kept, Refused)
            assert kept.reason == "retained"

    asyncio.run(run())


def test_a_table_may_answer_and_do_nothing_else_below_room() -> None:
    async def run() -> None:
        async with hall() as here:
            heard: list[Incoming] = []
            screen = MqttClient(here_screen(here), "screen")
            screen.subscribe(f"cutcard/1/{SITE}/room/#")
            screen.start(heard.append)
            await until(lambda: screen.connected)
            for below in ("clock", "answers", "answers/a/b", "answers/r9"):
                here.t1.client.publish(Message(f"cutcard/1/{SITE}/room/{below}", b"{}", 1, False))
            await until(lambda: tables_own(heard))
            await until(lambda: len(here.t1.client.outbox) == 0)
            assert tables_own(heard) == [f"cutcard/1/{SITE}/room/answers/r9"]
            assert here.t1.client.refused == 3
            await screen.close()

    def tables_own(heard: list[Incoming]) -> list[str]:
        return [each.topic for each in heard if each.payload == b"{}"]

    def here_screen(here: Hall) -> Endpoint:
        return replace(here.client._endpoint, user=None, password=None)

    asyncio.run(run())


def test_a_table_that_cannot_be_heard_is_told_nothing() -> None:
    async def run() -> None:
        async with hall() as here:
            here.t1.lost()
            await until(lambda: not here.room.view().tables[0].live)
            with pytest.raises(OrderError, match="table T1 cannot be reached"):
                here.room.order("T1", "coming", DECIDED, role="floor")
            with pytest.raises(OrderError, match="no table 'T3'"):
                here.room.order("T3", "coming", DECIDED, role="floor")
            assert here.t1.verdicts == []

    asyncio.run(run())
