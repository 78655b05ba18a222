"""How a client of paho's whose loop runs in a thread leaves the broker."""

from __future__ import annotations

from contextlib import suppress

from paho.mqtt import client as mqtt


def leave(client: mqtt.Client) -> None:
    """Returns once its thread has ended. That may take itself away between paho's look at it and
    the wait for it (paho-mqtt 2.1, `loop_stop`). The pair of sockets that wakes the thread is left
    to the garbage by paho, which may come to the sockets first and warn of them."""
    client.disconnect()
    with suppress(AttributeError):
        client.loop_stop()
    client._reset_sockets(sockpair_only=True)
