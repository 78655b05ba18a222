"""Somebody at the broker who does what he likes: paho as it comes, over TLS."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import paho.mqtt.client as mqtt
from msgspec import Struct
from paho.mqtt.enums import CallbackAPIVersion

from controller.broker.client import Endpoint
from tests.leaving import leave
from tests.waiting import wait_until

REFUSED = 135
"""Not authorized (MQTT 5, 2.4)."""


class Heard(Struct, frozen=True):
    topic: str
    payload: bytes
    retain: bool


class Peer:
    """`entered` is the reason code with which the broker answered, None before; `lost`: the
    connection has ended."""

    def __init__(self, endpoint: Endpoint, client_id: str = "", *, will: str | None = None) -> None:
        self.heard: list[Heard] = []
        self.entered: int | None = None
        self.lost = False
        self._subscribed = 0
        self._answered: dict[int, int] = {}
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id,
            protocol=mqtt.MQTTv5,
            reconnect_on_failure=False,
        )
        client.max_inflight_messages_set(0)
        if endpoint.user is not None:
            client.username_pw_set(endpoint.user, endpoint.password)
        if will is not None:
            client.will_set(will, b"the will", 1, retain=True)
        client.tls_set_context(ssl.create_default_context(cafile=endpoint.ca_file))
        client.on_connect = self._connected
        client.on_disconnect = self._disconnected
        client.on_message = self._received
        client.on_publish = self._published
        client.on_subscribe = self._taken
        self.client = client
        client.connect(endpoint.host, endpoint.port, keepalive=20)
        client.loop_start()
        wait_until(lambda: self.entered is not None or self.lost)

    def subscribe(self, *filters: str) -> None:
        """Returns when the broker has taken them; it takes any."""
        before = self._subscribed
        for each in filters:
            self.client.subscribe(each, qos=1)
        wait_until(lambda: self._subscribed == before + len(filters))

    def publish(self, messages: Mapping[str, bytes], *, retain: bool = False) -> dict[str, int]:
        """Topic → payload; returns with what reason code each was answered."""
        sent = {
            topic: self.client.publish(topic, payload, 1, retain).mid
            for topic, payload in messages.items()
        }
        wait_until(lambda: self.lost or self._answered.keys() >= set(sent.values()))
        assert not self.lost
        return {topic: self._answered[mid] for topic, mid in sent.items()}

    def hears(self, payload: bytes) -> None:
        """Waits for it."""
        wait_until(lambda: any(each.payload == payload for each in self.heard))

    def drop(self) -> None:
        """Ends the connection without a word."""
        sock: Any = self.client.socket()
        sock.close()

    def close(self) -> None:
        leave(self.client)

    def _connected(self, _c: object, _d: object, _f: object, code: Any, _p: object) -> None:  # noqa: ANN401
        self.entered = code.value

    def _disconnected(self, *_: object) -> None:
        self.lost = True

    def _received(self, _c: object, _d: object, message: mqtt.MQTTMessage) -> None:
        self.heard.append(Heard(message.topic, bytes(message.payload), message.retain))

    def _published(self, _c: object, _d: object, mid: int, code: Any, _p: object) -> None:  # noqa: ANN401
        self._answered[mid] = code.value

    def _taken(self, *_: object) -> None:
        self._subscribed += 1


@contextmanager
def peer(endpoint: Endpoint, client_id: str = "", *, will: str | None = None) -> Iterator[Peer]:
    """One who is there for a while."""
    one = Peer(endpoint, client_id, will=will)
    try:
        yield one
    finally:
        one.close()
