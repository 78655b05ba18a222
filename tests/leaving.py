"""How a client of paho's whose loop runs in a thread leaves the broker."""

from __future__ import annotations

from contextlib import suppress

from paho.mqtt import client as mqtt


def leave(client: mqtt.Client) -> None:
    """Returns once its thread has ended. That may take itself away between paho's look at it and
    the wait for it (paho-mqtt 2.1, `loop_stop`)."""
    client.disconnect()
    with suppress(AttributeError):
        client.loop_stop()
