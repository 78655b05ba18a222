"""One table fills the broker with retained messages: the others get through, and it can be shut
out. Docs/broker.md has the figures for larger floods."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

from controller.broker.client import Incoming, MqttClient
from controller.contract.messages import TABLE_ALERT, TABLE_STATE, Message, State
from controller.room.inbox import _OF_ROOMS, _OF_TABLES
from tests.broker_rights.peer import REFUSED, Peer, peer
from tests.broker_rights.shipped import SITE, Shipped
from tests.waiting import until, wait_until

TOPICS = 4_000
BODY = b"{" + b"x" * 1_000
EVENTS = f"cutcard/1/{SITE}/tables/T1/events"
STATE = TABLE_STATE.message(SITE, "T1", payload=State("ready", "s", "0"))


def event(number: int) -> Message:
    return Message(EVENTS, str(number).encode(), 1, False)


class Room:
    """It asks for what a room asks for."""

    def __init__(self, shipped: Shipped, hear: Callable[[Incoming], None] | None = None) -> None:
        self.topics: list[str] = []
        self.events: list[int] = []
        self.client = MqttClient(shipped.login("room"), "room", report=lambda _line: None)
        for each in (*_OF_TABLES, *_OF_ROOMS):
            self.client.subscribe(each.filter(SITE))
        self.client.start(hear or self._hear)

    def floods(self) -> int:
        return sum("/T2/alerts/" in topic for topic in self.topics)

    def _hear(self, incoming: Incoming) -> None:
        self.topics.append(incoming.topic)
        if incoming.topic == EVENTS:
            self.events.append(int(incoming.payload))


def flood(intruder: Peer) -> None:
    alerts = {TABLE_ALERT.name(SITE, "T2", str(n)): BODY for n in range(TOPICS)}
    assert set(intruder.publish(alerts, retain=True).values()) == {0}


def test_the_room_gets_through_and_the_table_can_be_shut_out(folder: Path) -> None:
    shipped = Shipped(folder)
    shipped.make_certificate()
    shipped.set_up("--tables", "T1", "T2")
    asyncio.run(_flooded(shipped))


async def _flooded(shipped: Shipped) -> None:
    table = MqttClient(shipped.login("table-T1"), "table-1", report=lambda _line: None)
    table.publish(STATE)
    with shipped.running():
        table.start()
        room = Room(shipped)
        await until(lambda: STATE.topic in room.topics)
        with peer(shipped.login("table-T2")) as intruder:
            flooding = threading.Thread(target=flood, args=(intruder,))
            flooding.start()
            number = 0
            while flooding.is_alive():
                number += 1
                table.publish(event(number))
                await until(lambda: room.events[-1:] == [number])  # noqa: B023 - awaited here
            assert number
            await until(lambda: room.floods() == TOPICS)
            assert room.events == list(range(1, number + 1))
            await room.client.close()
            # A room that comes then has to hear all of it, and hears the others too.
            late = Room(shipped)
            await until(lambda: STATE.topic in late.topics)
            table.publish(event(number + 1))
            await until(lambda: late.events == [number + 1])
            await until(lambda: late.floods() == TOPICS)
            await late.client.close()
            # The way out: it loses its login,
            shipped.set_up("--remove", "table-T2")
            shipped.reload()
            await asyncio.to_thread(wait_until, lambda: intruder.lost)
        with peer(shipped.login("table-T2")) as intruder:
            assert intruder.entered == REFUSED
        assert table.connected
    # and what it has left goes with the next start, after which the others say theirs again.
    with shipped.running():
        clean = Room(shipped)
        await until(lambda: STATE.topic in clean.topics)
        table.publish(event(0))
        await until(lambda: clean.events == [0])
        assert clean.floods() == 0
        await clean.client.close()
        await table.close()
