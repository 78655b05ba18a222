"""A frozen table is lost to the floor's page within five seconds: real processes and broker."""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path

import pytest

from controller.broker.own import RunningBroker, find_mosquitto
from display.web.floor import floor
from tests.table.felt import Felt, Room, a_table
from tests.waiting import until
from tests.web.hall import EVENING, Hall

KNOWN_S = 5.0
SLACK_S = 2.0
"""For a machine with other work; the broker's own word comes after 7.5 s and more."""

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto is not installed")


def lost(hall: Hall) -> tuple[str, ...]:
    return hall.get(lambda: floor(hall.room.view()).lost)


async def _frozen(felt: Felt, room: Room, broker: RunningBroker) -> None:
    hall = Hall(broker, EVENING, [], site="demo")
    await asyncio.to_thread(hall.start)
    try:
        await until(lambda: room.states()[-1:] == ["ready"])
        await until(lambda: hall.get(hall.room.view).tables and lost(hall) == ())
        heard = len(room.messages)
        await until(lambda: beats(room, heard))
        assert felt.process is not None
        felt.process.send_signal(signal.SIGSTOP)
        began = time.monotonic()
        await until(lambda: lost(hall) == ("T1",))
        took_s = time.monotonic() - began
        felt.process.send_signal(signal.SIGCONT)
        await until(lambda: lost(hall) == ())
        assert took_s < KNOWN_S + SLACK_S
    finally:
        await asyncio.to_thread(hall.stop)


def beats(room: Room, since: int) -> int:
    """How often the table has only said that it is there."""
    return sum(topic.endswith("T1/$state") for topic, _ in room.messages[since:])


def test_a_frozen_table_is_lost_within_five_seconds_and_comes_back(tmp_path: Path) -> None:
    async def run() -> None:
        async with a_table(tmp_path) as (felt, room, broker):
            await _frozen(felt, room, broker)

    asyncio.run(run())
