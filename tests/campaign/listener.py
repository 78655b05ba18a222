"""A subscriber that belongs to nobody: it hears all that the broker passes on, and when."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from controller.broker.client import Endpoint
from tests.leaving import leave


class Heard(NamedTuple):
    """A message; `at_s` is monotonic."""

    at_s: float
    topic: str
    payload: bytes

    @property
    def fields(self) -> dict[str, Any]:
        """The payload, read; empty where the topic was deleted."""
        return msgspec.json.decode(self.payload) if self.payload else {}


class Listener:
    """It connects again by itself, without a name: at a broker of one's own that may read all."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.messages: list[Heard] = []
        self.connections = 0
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_message = self._take
        self._client.on_connect = self._connected
        self._client.connect_async(endpoint.host, endpoint.port, keepalive=60)
        self._client.loop_start()

    def of(self, ending: str) -> list[Heard]:
        """What was heard on topics with this ending."""
        return [each for each in list(self.messages) if each.topic.endswith(ending)]

    def last(self, ending: str) -> dict[str, Any]:
        """The latest of them; empty before there is one."""
        found = self.of(ending)
        return found[-1].fields if found else {}

    def close(self) -> None:
        """Done."""
        leave(self._client)

    def _connected(self, client: mqtt.Client, *_: object) -> None:
        self.connections += 1
        client.subscribe("cutcard/#", qos=1)

    def _take(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        self.messages.append(Heard(time.monotonic(), message.topic, bytes(message.payload)))
