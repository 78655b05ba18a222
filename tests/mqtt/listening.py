"""A client of which a test knows when the broker has taken its subscriptions."""

from __future__ import annotations

from paho.mqtt.client import Client
from paho.mqtt.reasoncodes import ReasonCode

from controller.broker.client import MqttClient
from tests.waiting import until


class Listening(MqttClient):
    """`taken` counts them over all connections."""

    taken = 0

    def _subscribed(
        self, client: Client, data: object, mid: int, codes: list[ReasonCode], given: object
    ) -> None:
        super()._subscribed(client, data, mid, codes, given)
        self.taken += len(codes)

    async def hears(self, taken: int = 1) -> None:
        """Waits until so many are taken: what is published from now on comes."""
        await until(lambda: self.taken >= taken)
