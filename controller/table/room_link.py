"""A table's connection to the broker of its room."""

from __future__ import annotations

import time
from collections.abc import Callable

from controller.broker.client import Incoming, MqttClient
from controller.contract.messages import TABLE_ALERT, TABLE_COMMAND, Message
from controller.storage.outbox import Outbox
from controller.table.config import TableConfig
from controller.table.publisher import Publisher
from controller.table.room_heard import HEARD


class RoomLink:
    """Without a `client`, at a table that has no room, nobody is told anything. What is said
    waits in the `outbox` until the room has had it."""

    def __init__(self, client: MqttClient | None, outbox: Outbox) -> None:
        self._client = client
        self._outbox = outbox
        self._said_s = time.monotonic()

    @property
    def is_through(self) -> bool:
        """Whether there is a room, and it has had all that was said."""
        return self._client is not None and not len(self._outbox)

    @property
    def quiet_s(self) -> float:
        """For how many seconds nothing has been said."""
        return time.monotonic() - self._said_s

    def publish(self, message: Message) -> None:
        """Tells the room, now or when it is back."""
        self._said_s = time.monotonic()
        if self._client is not None:
            self._client.publish(message)

    def start(self, received: Callable[[Incoming], None]) -> None:
        """Connects; `received` gets what the room says."""
        if self._client is not None:
            self._client.start(received)

    async def close(self) -> None:
        """Disconnects."""
        if self._client is not None:
            await self._client.close()


def link_of(
    config: TableConfig, publisher: Publisher, outbox: Outbox, *, say: Callable[[str], None]
) -> RoomLink:
    """The link of the table of these settings, not connected yet. Raises ConfigError for a
    password that can't be read."""
    endpoint = config.endpoint()
    if endpoint is None:
        return RoomLink(None, outbox)
    site, table = config.site, config.table.id
    client = MqttClient(
        endpoint,
        f"cutcard-table-{table}",
        will=publisher.state("lost"),
        outbox=outbox,
        report=say,
        now_s=time.time,
    )
    client.subscribe(TABLE_COMMAND.name(site, table, "x")[:-1] + "+", as_published=True)
    client.subscribe(TABLE_ALERT.name(site, table, "x")[:-1] + "+")
    for topic in HEARD:
        client.subscribe(topic.filter(site), topic.qos)
    return RoomLink(client, outbox)
