"""`kill -9` at any moment: what was acknowledged is there, in order, and is sent once."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import pytest

from controller.broker.client import Backoff, Incoming, MqttClient
from controller.broker.own import find_mosquitto, start_broker
from controller.contract.messages import Message
from controller.storage.committer import Committer
from controller.storage.journal import Entry, Journal, verify
from tests.journal.killed import written_until_killed
from tests.mqtt.listening import Listening
from tests.waiting import until

WRITER = Path(__file__).parent / "journal_writer.py"
EVENTS = "cutcard/1/hall/tables/T1/health"
QUICK = Backoff(0.05, 0.1)


def lines_of(path: Path) -> tuple[list[int], list[int]]:
    """The numbers of all lines in the file, and of the messages that wait."""
    journal = Journal.open(path, report=pytest.fail)
    rows = journal._database.connection.execute("SELECT line FROM observations ORDER BY n")
    written = [int(line) for (line,) in rows]
    waiting = [int(each.message.payload) for each in journal.waiting()]
    assert {f"c{number}" for number in written if number % 50} == set(journal.origins())
    journal.close()
    return written, waiting


def test_what_was_acknowledged_is_there_in_order(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    acknowledged: list[int] = []
    extra = 0
    for _ in range(15):
        acknowledged += written_until_killed(WRITER, str(path), "0", after=random.randrange(1, 90))
        assert verify(path) is None  # beside what the kill left behind, before any repair
        written, waiting = lines_of(path)
        assert written == sorted(written)
        more = set(written) - set(acknowledged)
        assert set(acknowledged) <= set(written)
        assert len(more) <= extra + 3  # committed, and killed before it could say so
        extra = len(more)
        assert waiting == [number for number in written if number % 50]
        assert verify(path) is None


def test_a_killed_hand_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    said = written_until_killed(WRITER, str(path), "0", after=130)
    journal = Journal.open(path, report=pytest.fail)
    checkpoint, lines = journal.since_checkpoint()
    assert checkpoint is not None
    written = [int(line) for line in lines]
    first, last = int(checkpoint[1:]), written[-1]
    assert last >= said[-1]  # it may have been killed before it could say so
    assert first == last - last % 50
    assert written == list(range(first, last + 1))
    journal.close()


@pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto not installed")
def test_the_unsent_and_nothing_else_is_sent_in_order(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    written_until_killed(WRITER, str(path), "40", after=120)
    written, unsent = lines_of(path)
    assert unsent == [number for number in written if number % 50][40:]

    async def run() -> None:
        got: list[int] = []

        def take(incoming: Incoming) -> None:
            got.append(int(incoming.payload))

        with start_broker("hall", ["T1"], kind="mosquitto") as broker:
            room = Listening(broker.room, "room", backoff=QUICK)
            room.subscribe(EVENTS)
            room.start(take)
            await room.hears()
            journal = Journal.open(path, report=pytest.fail)
            committer = Committer(journal)
            outbox = committer.outbox
            client = MqttClient(
                broker.tables["T1"],
                "table-1",
                outbox=outbox,
                backoff=QUICK,
                now_s=time.time,
            )
            client.start()
            await until(lambda: not len(outbox))
            await until(lambda: len(got) >= len(unsent))
            fresh = Message(EVENTS, b"1", 1, False)
            entry = Entry(
                hand=9000,
                counters=journal.counters,
                lines=(b"1",),
                messages=(fresh,),
                origin="c1",
            )
            committer.submit([entry], lambda _error: client.publish(fresh))
            assert len(outbox) == 1
            await until(lambda: not len(outbox))
            await until(lambda: len(got) > len(unsent))
            assert client.callback_errors == 0
            await client.close()
            await room.close()
            journal.close()
        assert got == [*unsent, 1]

    asyncio.run(run())
    assert lines_of(path)[1] == []
