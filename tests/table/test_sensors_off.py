"""Dealing by hand: the sensors are turned off and on, and the gap is on record."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from controller.contract.cards import CARDS
from tests.journal.lines import kept as kept_lines
from tests.table.felt import ZONES, Felt, Room, a_table, pause
from tests.waiting import until


def view(room: Room) -> dict[str, Any]:
    return (room.last("T1/hand") or {}).get("view", {})  # type: ignore[no-any-return]


def kept(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line)["o"] for line in kept_lines(folder / "journal.sqlite")]


def without_stalls(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rest of them: a machine that stood still for a second says so."""
    return [one for one in lines if one.get("why") != "stall"]


def readers(folder: Path, status: str, since: int) -> set[str]:
    """The zones of which this was told after so many lines: a stall before tells it too."""
    lines = kept(folder)[since:]
    told = [one for one in lines if one["kind"] == "reader" and one["status"] == status]
    return {one["zone"] for one in told}


async def turn(felt: Felt, *, on: bool) -> None:
    await felt.enter(kind="sensors", on=on)


def ready(room: Room, *states: str) -> bool:
    return room.states()[-len(states) :] == [*states]


async def started_anew(felt: Felt, room: Room) -> None:
    """Kills the table and starts it; how often it connects until it is ready is not looked at."""
    before = len(room.states())
    await felt.kill()
    (felt.folder / "dealer.sock").unlink()
    await felt.start()
    await until(lambda: "init" in room.states()[before:] and ready(room, "ready"))


def test_a_gap_in_a_hand_is_on_record_and_the_next_one_is_watched(tmp_path: Path) -> None:
    asyncio.run(_gap(tmp_path))


async def _gap(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: ready(room, "ready"))
        await felt.deal()
        await felt.shows(to_act=3)
        begin = len(kept(folder))
        await turn(felt, on=False)
        await until(lambda: view(room).get("is_watched") is False)
        assert readers(folder, "lost", begin) == set(ZONES)
        assert without_stalls(kept(folder))[-len(ZONES) - 1]["input"] == "unwatched"
        before = len(kept(folder))
        # A board card without a burn, and before the round is complete: nothing is seen of it.
        for card in CARDS[6:10]:
            felt.place("board", card)
        felt.virtual.press(3, "call")
        await until(lambda: room.events("action"))
        await pause(2)
        told = [one["kind"] for one in without_stalls(kept(folder)[before:])]
        assert [kind for kind in told if kind != "tick"] == ["press"]
        assert "board" not in view(room)
        # What was taken back is not watched again.
        await felt.enter(kind="dealer", input="undo")
        await until(lambda: any(one.get("input") == "undo" for one in kept(folder)))
        await until(lambda: view(room).get("is_watched") is False)

        await turn(felt, on=True)
        await until(lambda: "sensors" not in view(room))
        await pause(2)
        assert not readers(folder, "ok", begin)
        assert "board" not in view(room)
        await felt.enter(kind="dealer", input="award")
        await until(lambda: readers(folder, "ok", begin) == set(ZONES))
        for card, seat in zip(CARDS[:6], (1, 2, 3, 1, 2, 3), strict=True):
            felt.virtual.take(f"seat/{seat}", felt.tags[card])
        for card in CARDS[6:10]:
            felt.virtual.take("board", felt.tags[card])
        await pause(3)
        assert room.events("finding") == []
        await felt.enter(kind="riffle")
        await until(lambda: view(room)["hand"] == 2)
        await until(lambda: view(room).get("is_watched", True))
        for card in CARDS[:3]:
            felt.place("seat/2", card)
            await pause(0.8)
        await until(lambda: room.events("finding"))


def test_the_riffle_of_the_next_hand_ends_the_gap_too(tmp_path: Path) -> None:
    asyncio.run(_riffle(tmp_path))


async def _riffle(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: ready(room, "ready"))
        await felt.deal()
        await felt.shows(to_act=3)
        begin = len(kept(folder))
        await turn(felt, on=False)
        await until(lambda: view(room).get("sensors") is False)
        for card, seat in zip(CARDS[6:9], (3, 2, 3), strict=True):
            felt.place(f"seat/{seat}", card)
        await pause(2)
        await turn(felt, on=True)
        await until(lambda: "sensors" not in view(room))
        await felt.enter(kind="riffle")
        await until(lambda: view(room)["hand"] == 2)
        await until(lambda: readers(folder, "ok", begin) == set(ZONES))
        await until(lambda: view(room).get("is_watched", True))
        await pause(2)  # the cards of the last hand, which still lie there, are no deal
        assert room.events("finding") == []
        told = [one["kind"] for one in kept(folder)]
        last = len(told) - told[::-1].index("reader")
        assert not {"seen", "gone"} & {*told[last:]}


def test_a_hand_that_begins_meanwhile_is_not_watched(tmp_path: Path) -> None:
    asyncio.run(_meanwhile(tmp_path))


async def _meanwhile(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: ready(room, "ready"))
        await turn(felt, on=False)
        await until(lambda: view(room).get("sensors") is False)
        await felt.enter(kind="riffle")
        await until(lambda: view(room).get("hand") == 1)
        await until(lambda: view(room).get("is_watched") is False)
        await started_anew(felt, room)
        await until(lambda: view(room).get("sensors") is False)
        for card, seat in zip(CARDS[:4], (1, 2, 1, 2), strict=True):
            felt.place(f"seat/{seat}", card)
        await pause(2)
        assert not [one for one in kept(folder) if one["kind"] == "seen"]
        await felt.enter(kind="dealer", input="award")
        await until(lambda: view(room)["phase"] == "complete")
        # Cards are out at two seats: that hand is not watched either.
        await turn(felt, on=True)
        await until(lambda: "sensors" not in view(room))
        assert any("watching starts with the next hand" in line for line in felt.said())
        await until(lambda: len([one for one in kept(folder) if one["kind"] == "seen"]) == 4)
        await until(lambda: view(room).get("is_watched") is False)
        assert len(room.events("start")) == 1
        assert room.events("finding") == []


def test_waiting_for_the_next_hand_survives_a_kill(tmp_path: Path) -> None:
    asyncio.run(_waiting(tmp_path))


async def _waiting(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: ready(room, "ready"))
        await felt.deal()
        await felt.shows(to_act=3)
        begin = len(kept(folder))
        await turn(felt, on=False)
        await turn(felt, on=True)
        await until(lambda: any("next hand" in one.get("reason", "") for one in kept(folder)))
        await started_anew(felt, room)
        assert not readers(folder, "ok", begin)
        await until(lambda: view(room).get("is_watched") is False)
        await felt.enter(kind="dealer", input="award")
        await until(lambda: readers(folder, "ok", begin) == set(ZONES))
