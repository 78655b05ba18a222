"""What is not acknowledged holds the broker back."""

from __future__ import annotations

import asyncio

from controller.broker.client import Incoming, MqttClient
from controller.broker.own import RunningBroker
from controller.contract.messages import Message
from tests.mqtt.listening import Listening
from tests.waiting import until


async def _until(heard: list[Incoming], count: int) -> None:
    await until(lambda: len(heard) >= count)


def test_no_more_comes_than_is_held(mosquitto: RunningBroker) -> None:
    async def run() -> None:
        heard: list[Incoming] = []
        holder = Listening(mosquitto.room, "holder", holds=5, report=lambda _: None)
        holder.subscribe("cutcard/1/hall/tables/+/events")
        holder.start(heard.append)
        teller = MqttClient(mosquitto.tables["T1"], "teller", report=lambda _: None)
        teller.start()
        await holder.hears()
        for n in range(20):
            topic = "cutcard/1/hall/tables/T1/events"
            teller.publish(Message(topic, b"%d" % n, qos=1, retain=False))
        await _until(heard, 5)
        await asyncio.sleep(0.3)
        assert [each.payload for each in heard] == [b"%d" % n for n in range(5)]
        holder.acknowledge(heard[0].receipt)
        holder.acknowledge(0)
        holder.acknowledge(heard[1].receipt + 65_536)  # of another connection
        await _until(heard, 6)
        await asyncio.sleep(0.2)
        assert len(heard) < 20  # mosquitto sends some more than one
        done = 1
        while done < 20:
            await _until(heard, done + 1)
            holder.acknowledge(heard[done].receipt)
            done += 1
        assert [each.payload for each in heard] == [b"%d" % n for n in range(20)]
        await teller.close()
        await holder.close()

    asyncio.run(run())
