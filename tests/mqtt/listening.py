"""A client of which a test knows when the broker has taken its subscriptions."""

from __future__ import annotations

from controller.broker.client import MqttClient
from tests.waiting import until


class Listening(MqttClient):
    """`taken` counts them over all connections."""

    taken = 0

    def _subscribed(self, *told: object) -> None:
        super()._subscribed(*told)  # type: ignore[arg-type]
        self.taken += 1

    async def hears(self, taken: int = 1) -> None:
        """Waits until so many are taken: what is published from now on comes."""
        await until(lambda: self.taken >= taken)
