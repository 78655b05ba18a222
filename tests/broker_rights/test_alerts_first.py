"""After an outage: what somebody has to come for does not wait behind what was."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from controller.broker.client import Incoming, MqttClient
from controller.contract.messages import TABLE_ALERT, TABLE_EVENT, TABLE_STATE, Message, State
from controller.storage.committer import Committer
from controller.storage.journal import Entry, Journal
from tests.broker_rights.shipped import SITE, Shipped
from tests.mqtt.listening import Listening
from tests.waiting import until

EVENTS = 5_000
ALERT = TABLE_ALERT.name(SITE, "T1", "7")
STATE = TABLE_STATE.message(SITE, "T1", payload=State("ready", "s", "0"))


def event(seq: int) -> Message:
    """As long as one is, and with what makes it one of its kind."""
    payload = {"v": 1, "session": "s", "seq": seq, "at": 0, "event": {"filler": "x" * 200}}
    return Message(TABLE_EVENT.name(SITE, "T1"), msgspec.json.encode(payload), 1, False)


def test_an_alert_comes_before_five_thousand_events(shipped: Shipped, tmp_path: Path) -> None:
    """With the outbox that a table has, on the disk."""
    journal = Journal.open(tmp_path / "journal.sqlite3", report=pytest.fail)
    asyncio.run(_run(shipped, journal))
    journal.close()


async def _run(shipped: Shipped, journal: Journal) -> None:
    heard: list[Incoming] = []
    room = Listening(shipped.login("room"), "room", report=lambda _line: None)
    for each in (TABLE_EVENT, TABLE_ALERT, TABLE_STATE):
        room.subscribe(each.filter(SITE))
    room.start(heard.append)
    await room.hears(3)
    messages = [event(seq) for seq in range(1, EVENTS + 1)]
    committer = Committer(journal)
    outbox = committer.outbox
    committer.submit(
        [Entry(hand=1, counters=journal.counters, lines=(b"line",), messages=tuple(messages))],
        lambda _error: None,
    )
    table = MqttClient(shipped.login("table-T1"), "table", outbox=outbox, report=lambda _line: None)
    for message in messages:
        table.publish(message)
    table.publish(STATE)
    table.publish(Message(ALERT, b"found", 1, True))
    assert len(outbox) == EVENTS + 2
    table.start()
    # One more while the others are on their way; and what it says later of the first.
    await until(lambda: len(outbox) < EVENTS - 100)
    acknowledged = EVENTS + 2 - len(outbox)
    assert acknowledged < EVENTS - 1_000
    table.publish(Message(TABLE_ALERT.name(SITE, "T1", "8"), b"found too", 1, True))
    table.publish(Message(ALERT, b"ruled", 1, True))
    table.publish(event(EVENTS + 1))
    await until(lambda: not len(outbox))
    await until(lambda: len(heard) >= EVENTS + 5)
    await table.close()
    await room.close()
    told = [(each.topic.rpartition("T1/")[2], each.payload) for each in heard]
    assert told[:2] == [("$state", STATE.payload), ("alerts/7", b"found")]
    late = told.index(("alerts/8", b"found too"))
    assert told.index(("alerts/7", b"ruled")) == late + 1
    assert acknowledged <= late <= acknowledged + 100  # so many are under way at once
    events = [msgspec.json.decode(said)["seq"] for kind, said in told if kind == "events"]
    assert events == list(range(1, EVENTS + 2))
    assert len(told) == EVENTS + 5
