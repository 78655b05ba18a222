"""What came in is acknowledged in the order in which it came (MQTT 5, 4.6.0-2)."""

from __future__ import annotations

import asyncio
import gc
import socket
import sys
from itertools import permutations

import pytest

from controller.broker.client import Endpoint, Incoming, MqttClient
from controller.broker.own import RunningBroker
from controller.broker.ports import LOOPBACK
from controller.broker.receipts import Receipts
from tests.mqtt.listening import Listening
from tests.mqtt.relay import Relay
from tests.mqtt.test_client import EVENTS, QUICK, event
from tests.waiting import until


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_what_is_settled_leaves_behind_all_that_came_before_it(order: tuple[int, ...]) -> None:
    receipts = Receipts()
    mids = [65_535, 1, 7, 3]
    for mid in mids:
        receipts.came(mid)
    left: list[int] = []
    for count, index in enumerate(order, start=1):
        left += receipts.settle(mids[index])
        done = set(order[:count])
        assert left == [mids[i] for i in range(4) if set(range(i + 1)) <= done]
    assert left == mids


def test_what_never_came_and_what_is_settled_twice_are_nothing() -> None:
    receipts = Receipts()
    assert receipts.settle(1) == []
    receipts.came(1)
    receipts.came(2)
    assert [receipts.settle(mid) for mid in (9, 2, 2, 1, 1)] == [[], [], [], [1, 2], []]


def test_three_acknowledged_out_of_order_leave_in_order(broker: RunningBroker) -> None:
    async def run() -> None:
        relay, heard, links = Relay(broker.port), list[Incoming](), list[bool]()
        async with relay.open() as port:
            there = Endpoint(LOOPBACK, port, broker.room.user, broker.room.password)
            holder = MqttClient(there, "holder", holds=9, backoff=QUICK, report=lambda _: None)
            holder.subscribe(EVENTS)
            holder.start(heard.append, links.append)
            await until(lambda: holder.connected and b"\x90" in relay.heard)  # SUBACK
            teller = MqttClient(broker.tables["T1"], "teller", report=lambda _: None)
            teller.start()
            for number in range(3):
                teller.publish(event(number))
            await until(lambda: len(heard) == 3)
            holder.acknowledge(heard[2].receipt)
            holder.acknowledge(heard[1].receipt)
            teller.publish(event(3))
            await until(lambda: len(heard) == 4)
            assert relay.acknowledged() == []
            holder.acknowledge(heard[0].receipt)
            await until(lambda: len(relay.acknowledged()) == 3)
            holder.acknowledge(heard[3].receipt)
            await until(lambda: len(relay.acknowledged()) == 4)
            assert relay.acknowledged() == relay.delivered()
            teller.publish(event(4))
            await until(lambda: len(heard) == 5)
            assert links == [True]  # iotcore throws a client out that is out of order
            await teller.close()
            await holder.close()

    asyncio.run(run())


def test_a_message_that_a_bug_has_lost_holds_up_none_behind_it(broker: RunningBroker) -> None:
    async def run() -> None:
        heard: list[Incoming] = []

        def hear(incoming: Incoming) -> None:
            if incoming.payload == b"1":
                raise RuntimeError
            heard.append(incoming)
            holder.acknowledge(incoming.receipt)

        holder = Listening(broker.room, "holder", holds=2, report=lambda _: None)
        holder.subscribe(EVENTS)
        holder.start(hear)
        await holder.hears()
        teller = MqttClient(broker.tables["T1"], "teller", report=lambda _: None)
        teller.start()
        for number in range(9):
            teller.publish(event(number))
        await until(lambda: len(heard) == 8)
        assert holder.callback_errors == 1
        await teller.close()
        await holder.close()

    asyncio.run(run())


def test_a_broker_that_never_answers_leaves_no_traceback_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A dropped client is collected later, when its socket is long closed."""
    failed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda given: failed.append(given.exc_value))

    async def run() -> None:
        with socket.create_server((LOOPBACK, 0)) as mute:
            lines: list[str] = []
            there = Endpoint(LOOPBACK, mute.getsockname()[1])
            client = MqttClient(there, "waits", report=lines.append)
            client.start()
            await until(lambda: lines)
            await client.close()
            gc.collect()

    asyncio.run(run())
    assert failed == []


def test_the_lines_about_the_broker_name_the_client(broker: RunningBroker) -> None:
    async def run() -> None:
        lines: list[str] = []
        client = MqttClient(broker.room, "watchful", backoff=QUICK, report=lines.append)
        client.start()
        await until(lambda: client.connected)
        assert client._client is not None
        sock = client._client.socket()
        assert isinstance(sock, socket.socket)
        sock.shutdown(socket.SHUT_RDWR)
        await until(lambda: len(lines) == 2)
        where = f"{LOOPBACK}:{broker.port}"
        assert lines[0].startswith(f"watchful: lost the broker at {where} (")
        assert lines[1] == f"watchful: the broker at {where} is back"
        await client.close()

    asyncio.run(run())
