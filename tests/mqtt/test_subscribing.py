"""What a client listens to it hears from the same moment on."""

from __future__ import annotations

import asyncio

from controller.broker.client import Endpoint, Incoming, MqttClient
from controller.broker.own import RunningBroker
from controller.broker.ports import LOOPBACK
from controller.contract.messages import TABLE_ALERT, TABLE_EVENT, TABLE_HAND, TABLE_STATE
from tests.mqtt.relay import SUBSCRIBE, Relay, packets
from tests.mqtt.test_client import QUICK, event
from tests.waiting import until

SITE = "hall"
FILTERS = [each.filter(SITE) for each in (TABLE_STATE, TABLE_HAND, TABLE_ALERT, TABLE_EVENT)]


def test_all_filters_are_in_one_packet_so_that_no_event_falls_between_them(
    broker: RunningBroker,
) -> None:
    async def run() -> None:
        relay, heard = Relay(broker.port), list[Incoming]()
        async with relay.open() as port:
            there = Endpoint(LOOPBACK, port, broker.room.user, broker.room.password)
            room = MqttClient(there, "room", backoff=QUICK, report=lambda _: None)
            for each in FILTERS:
                room.subscribe(each)
            room.start(heard.append)
            await until(lambda: room.connected and b"\x90" in relay.heard)  # SUBACK
            told = [body for kind, body in packets(bytes(relay.said)) if kind == SUBSCRIBE]
            assert len(told) == 1
            at = [told[0].find(each.encode()) for each in FILTERS]
            assert -1 not in at
            assert at == sorted(at)
            table = MqttClient(broker.tables["T1"], "table", report=lambda _: None)
            table.start()
            table.publish(event(1))
            await until(lambda: heard)
            await table.close()
            await room.close()

    asyncio.run(run())
