"""What a table has left at the broker is taken back in its name, so that no room shows it for ever.

Its chain stays: by that an auditor sees how far its journal had come.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

from controller.broker.client import Endpoint, Incoming, MqttClient
from controller.contract.messages import (
    TABLE_ALERT,
    TABLE_HAND,
    TABLE_HEALTH,
    TABLE_STATE,
    Message,
)

PATIENCE_S = 3.0


async def take_back(
    endpoint: Endpoint, site: str, table: str, *, report: Callable[[str], None]
) -> bool:
    """Logs in as the table, and deletes what is kept of it; False where the broker didn't have it
    done in time."""
    word = Message(
        f"{TABLE_ALERT.name(site, table, 'doctor')}/doctor", secrets.token_bytes(8), 1, retain=False
    )
    alerts: set[str] = set()
    heard = asyncio.Event()

    def hear(incoming: Incoming) -> None:
        names = TABLE_ALERT.names(site, incoming.topic)
        if names is not None and incoming.payload:
            alerts.add(names[1])
        elif incoming.payload == word.payload:
            heard.set()  # and all that was kept came before it

    client = MqttClient(endpoint, "cutcard-farewell", report=report)
    client.subscribe(f"{TABLE_ALERT.name(site, table, '-').removesuffix('-')}#")
    client.publish(word)
    client.start(hear)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await heard.wait()
    except TimeoutError:
        return False
    else:
        for each in sorted(alerts):
            client.publish(TABLE_ALERT.deletion(site, table, each))
        client.publish(TABLE_HAND.deletion(site, table))
        client.publish(TABLE_HEALTH.deletion(site, table))
        client.publish(TABLE_STATE.deletion(site, table))  # with which the room forgets it
    finally:
        await client.close(PATIENCE_S)
    return not len(client.outbox)
