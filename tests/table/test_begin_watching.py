"""Watching begins in the middle of a hand: nothing of it is a finding, and it is said so."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.broker.own import start_broker
from controller.contract.cards import CARDS
from tests.table.felt import SEATS, Felt, Room, pause
from tests.waiting import answers, until


@pytest.fixture(autouse=True)
def _as_slow_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes its time to read what lies on the antennas."""
    monkeypatch.setattr("tests.table.felt.SPEED", 1.0)


def test_cards_that_are_out_already_begin_no_hand(tmp_path: Path) -> None:
    asyncio.run(_out_already(tmp_path))


async def _out_already(folder: Path) -> None:
    with start_broker("demo", ["T1"]) as broker:
        felt = Felt(folder, broker)
        room = Room(broker)
        for card, seat in zip(CARDS[:6], 2 * SEATS, strict=True):
            felt.place(f"seat/{seat}", card)
        scanning = asyncio.create_task(felt.virtual.run())
        try:
            await felt.start()
            await until(lambda: (room.last("T1/$state") or {}).get("state") == "ready")
            await until(
                lambda: (room.last("T1/hand") or {}).get("view", {}).get("is_watched") is False
            )
            felt.place("board", CARDS[6])
            await pause(4)
            assert room.events("start") == room.events("finding") == []
            view = (room.last("T1/hand") or {})["view"]
            assert view["is_watched"] is False
            assert any("watching starts with the next hand" in line for line in felt.said())
            await felt.kill()
            (folder / "dealer.sock").unlink()
            await felt.start()
            for zone, card in [(f"seat/{s}", c) for c, s in zip(CARDS, 2 * SEATS, strict=False)]:
                felt.virtual.take(zone, felt.tags[card])
            felt.virtual.take("board", felt.tags[CARDS[6]])
            await until(lambda: answers(folder / "dealer.sock"))
            await pause(2)
            await felt.deal()
            await until(lambda: room.events("start"))
            assert room.events("finding") == []
            await until(lambda: (room.last("T1/hand") or {})["view"].get("small"))
            assert (room.last("T1/hand") or {})["view"].get("is_watched", True) is True
        finally:
            room.close()
            await felt.kill()
            scanning.cancel()
            await asyncio.gather(scanning, return_exceptions=True)


def test_a_hand_dealt_while_nobody_watched_is_not_judged(tmp_path: Path) -> None:
    asyncio.run(_dealt_meanwhile(tmp_path))


async def _dealt_meanwhile(folder: Path) -> None:
    with start_broker("demo", ["T1"]) as broker:
        felt = Felt(folder, broker)
        room = Room(broker)
        scanning = asyncio.create_task(felt.virtual.run())
        try:
            await felt.start()
            await until(lambda: (room.last("T1/$state") or {}).get("state") == "ready")
            await felt.kill()
            # Seat 3 has none: watched from its beginning this would be a finding.
            for card, seat in zip(CARDS[:4], (1, 2, 1, 2), strict=True):
                felt.place(f"seat/{seat}", card)
            await felt.start()
            await until(lambda: any("starts with the next hand" in line for line in felt.said()))
            await pause(4)
            assert room.events("start") == room.events("finding") == []
        finally:
            room.close()
            await felt.kill()
            scanning.cancel()
            await asyncio.gather(scanning, return_exceptions=True)
