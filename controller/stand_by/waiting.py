"""Standing by at a broker, until this room has to lead."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from controller.broker.client import Endpoint, MqttClient, to_stderr
from controller.stand_by.following import Following

LOOKS_S = 0.1


async def stand_by(
    endpoint: Endpoint,
    following: Following,
    stop: asyncio.Event,
    *,
    alive: Callable[[], object],
    report: Callable[[str], None] = to_stderr,
) -> bool:
    """Whether this room has to lead: False once `stop` is set. `alive` is told that this goes on.
    The room before has been told to end by then, if there was one."""
    client = MqttClient(endpoint, "cutcard-room", report=report)
    for each in following.filters:
        client.subscribe(each)
    client.start(following.received, following.link)
    said = ""
    try:
        while not following.is_due:
            if stop.is_set():
                return False
            alive()
            if (asked := following.asks()) is not None:
                client.publish(asked)
            state = _state(following)
            if state != said:
                said = state
                report(state)
            await asyncio.sleep(LOOKS_S)
        client.publish(following.taken())
        return True
    finally:
        await client.close()


def _state(following: Following) -> str:
    if not following.leader:
        return "listens whether another room leads"
    if following.is_complete:
        return "stands by: all that the other room has is here"
    return "stands by: what the other room has is on its way"
