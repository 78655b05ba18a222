"""How far tables' journals had come, as the room keeps it: once, however often it is heard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.archive.incoming import head_heard
from controller.archive.kept import Archive, ArchiveError, KeptHead
from controller.archive.latest import LatestHeads
from controller.archive.opening import open_archive
from controller.archive.running import Archiving, HistoryOptions
from controller.broker.client import MqttClient
from controller.broker.own import find_mosquitto, start_broker
from controller.contract.messages import TABLE_CHAIN, Chain, MessageError
from tests.archive.halls import SITE
from tests.waiting import until


def head(hand: int, *, table: str = "T1", link: str = "ab", heard_ms: int = 5_000) -> KeptHead:
    return KeptHead(
        table, "1-a", "chain1", hand, 10 * hand, link * 32, hand, "", 1_000 + hand, heard_ms
    )


def test_it_is_kept_once_and_as_it_was_heard_first(
    archive: Archive, opened: Callable[..., Archive]
) -> None:
    archive.add_heads([head(1), head(2), head(1, table="T2")])
    again = [msgspec.structs.replace(head(n), session="2-b", heard_ms=9_000) for n in (1, 2, 3)]
    opened().add_heads(again)
    reading = opened(read_only=True)
    assert [(h.hand, h.session, h.heard_ms) for h in reading.heads("T1")] == [
        (1, "1-a", 5_000),
        (2, "1-a", 5_000),
        (3, "2-b", 9_000),
    ]
    assert reading.heads("T2") == (head(1, table="T2"),)
    assert len(reading.heads()) == 4
    archive.add_heads([head(2, link="cd")])
    assert [h.link[:2] for h in reading.heads("T1") if h.hand == 2] == ["ab", "cd"]


def test_it_goes_when_hands_and_findings_go(archive: Archive) -> None:
    archive.add_heads([head(1, heard_ms=1_000), head(2, heard_ms=2_000)])
    archive.forget(events_ms=10_000, findings_ms=0)
    assert len(archive.heads()) == 2
    archive.forget(events_ms=10_000, findings_ms=2_000)
    assert archive.heads() == (head(2, heard_ms=2_000),)


def a_chain(hand: int) -> Chain:
    return Chain("1-a", 1_000, "chain1", hand, 10 * hand, "ab" * 32, hand, "cd" * 32)


@pytest.mark.parametrize(
    "wrong", [{"n": -1}, {"boxes": 1 << 63}, {"link": "ab"}, {"link": "AB" * 32}, {"chain": "a/b"}]
)
def test_what_no_store_could_keep_is_refused(wrong: dict[str, object]) -> None:
    payload = msgspec.to_builtins(a_chain(1)) | wrong
    with pytest.raises(MessageError):
        head_heard("T1", msgspec.json.encode(payload), 1)


def test_a_later_word_stands_for_one_that_waits() -> None:
    receipts: list[int] = []
    waiting = LatestHeads(receipts.append, most=2)
    assert waiting.put(head(1), 11)
    assert waiting.put(head(1, table="T2"), 12)
    assert not waiting.put(head(1, table="T3"), 13)
    assert waiting.put(head(2), 14)
    assert receipts == [11]
    taken = waiting.take()
    assert [h.hand for h, _ in taken.values()] == [2, 1]
    waiting.put(head(3), 15)
    waiting.back(taken)
    assert receipts == [11, 14]  # hand 3 stands for it
    again = waiting.take()
    assert sorted((h.table, h.hand) for h, _ in again.values()) == [("T1", 3), ("T2", 1)]
    waiting.kept(again)
    assert sorted(receipts) == [11, 12, 14, 15]
    assert len(waiting) == 0


@pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto not installed")
def test_it_is_heard_by_an_archive_that_comes_late(tmp_path: Path) -> None:
    store = str(tmp_path / "history.sqlite")

    async def run() -> None:
        with start_broker(SITE, ["T1"], kind="mosquitto") as broker:
            table = MqttClient(broker.tables["T1"], "table-1")
            table.start(lambda _: None)
            table.publish(TABLE_CHAIN.message(SITE, "T1", payload=a_chain(1)))
            table.publish(TABLE_CHAIN.message(SITE, "T1", payload=a_chain(2)))
            for _ in range(2):
                archiving = Archiving(broker.room, SITE, HistoryOptions(store), report=pytest.fail)
                archiving.start()
                await until(lambda: kept()[-1:] == [2])
                await archiving.close()
            archiving = Archiving(broker.room, SITE, HistoryOptions(store), report=pytest.fail)
            archiving.start()
            await until(lambda: archiving.connected)
            table.publish(TABLE_CHAIN.message(SITE, "T1", payload=a_chain(3)))
            await until(lambda: kept()[-2:] == [2, 3])
            assert archiving.health().malformed == 0
            await archiving.close()
            await table.close()

    def kept() -> list[int]:
        try:
            with closing(open_archive(store, read_only=True)) as archive:
                return [each.hand for each in archive.heads("T1")]
        except ArchiveError:  # it is not there yet
            return []

    asyncio.run(run())
