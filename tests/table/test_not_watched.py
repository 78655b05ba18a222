"""Nobody watches for a while, and people play on: a restart, a stall, a damaged journal."""

from __future__ import annotations

import asyncio
import json
import re
import resource
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.contract.cards import CARDS
from tests.campaign.control import VARIABLE, Control
from tests.journal.lines import kept as kept_lines
from tests.table.felt import Felt, Room, a_table, but_stalls, pause
from tests.waiting import until

WATCHED = re.compile(r"not watched \d\d:\d\d:\d\d–\d\d:\d\d:\d\d \((restart|stall)\)")


def view(room: Room) -> dict[str, Any]:
    return (room.last("T1/hand") or {}).get("view", {})  # type: ignore[no-any-return]


def kinds(folder: Path) -> list[str]:
    return [json.loads(line)["o"]["kind"] for line in kept_lines(folder / "journal.sqlite")]


async def _to_the_last_call(felt: Felt) -> None:
    await felt.deal()
    for seat, label in ((3, "call"), (1, "call")):
        await felt.shows(to_act=seat)
        felt.virtual.press(seat, label)
    await felt.shows(to_act=2)


async def _a_correct_flop(felt: Felt) -> None:
    """The last player presses, and then the flop comes, as it should."""
    felt.virtual.press(2, "check")
    await pause(3.5)
    felt.place("burn", CARDS[6])
    await pause(1)
    for card in CARDS[7:10]:
        felt.place("board", card)
        await pause(0.2)
    await pause(7)


async def _sees_the_flop(room: Room) -> None:
    """An empty board is not told: the street may come before its cards."""
    await until(lambda: view(room).get("phase") == "flop" and len(view(room).get("board", ())) == 3)


async def _goes_on(felt: Felt, room: Room, folder: Path) -> None:
    await _sees_the_flop(room)
    await until(lambda: any(WATCHED.fullmatch(words) for words in view(room).get("links", ())))
    assert kinds(folder).count("gap") == 1
    await felt.shows(to_act=1)
    checks = [e for e in room.events("action") if e["seat"] == 2]
    assert [(e["action"], e["by"]) for e in checks] == [("check", "press")]
    for seat, label in ((1, "check"), (2, "all-in"), (3, "fold"), (1, "fold")):
        await felt.shows(to_act=seat)
        felt.virtual.press(seat, label)
    await until(lambda: room.events("result"))
    assert room.events("finding") == []
    [result] = room.events("result")
    assert result["stacks"]


def test_people_who_play_on_while_the_service_is_away(tmp_path: Path) -> None:
    asyncio.run(_away(tmp_path))


async def _away(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: room.states()[-1:] == ["ready"])
        await _to_the_last_call(felt)
        await felt.kill()
        await _a_correct_flop(felt)
        await felt.start()
        await _goes_on(felt, room, folder)


def test_people_who_play_on_while_the_service_stands_still(tmp_path: Path) -> None:
    asyncio.run(_stands_still(tmp_path))


async def _stands_still(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: room.states()[-1:] == ["ready"])
        await _to_the_last_call(felt)
        assert felt.process is not None
        felt.process.send_signal(signal.SIGSTOP)
        await _a_correct_flop(felt)
        felt.process.send_signal(signal.SIGCONT)
        await _goes_on(felt, room, folder)


@pytest.mark.long
def test_a_slow_disk_holds_up_what_is_shown_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "control"))
    asyncio.run(_slow_disk(tmp_path, Control.at(str(tmp_path / "control"))))


async def _slow_disk(folder: Path, disk: Control) -> None:
    """Each commit takes three seconds for a while, and people play on: nothing is missed, no press
    either, and everybody is told why nothing moves."""
    async with a_table(folder, program="tests.campaign.child") as (felt, room, _):
        await until(lambda: room.states()[-1:] == ["ready"])
        await _to_the_last_call(felt)
        disk.commit_ms = 3_000
        await felt.enter(kind="dealer", input="call-floor")
        await until(lambda: "the disk is slow" in str(view(room).get("links")))
        assert view(room)["to_act"] == 2
        await _a_correct_flop(felt)
        disk.commit_ms = 0
        await _sees_the_flop(room)
        assert "gap" not in kinds(folder)
        assert room.events("finding") == []
        await until(lambda: not but_stalls(view(room).get("links", ())))


def test_what_a_full_disk_did_not_take_is_in_the_gap(tmp_path: Path) -> None:
    asyncio.run(_full_disk(tmp_path))


async def _full_disk(folder: Path) -> None:
    """The table is killed while nothing is recorded: all that it saw then is not known to it."""
    async with a_table(folder) as (felt, room, _):
        await until(lambda: room.states()[-1:] == ["ready"])
        await _to_the_last_call(felt)
        assert felt.process is not None
        resource.prlimit(felt.process.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        felt.virtual.press(2, "check")
        await until(lambda: "nothing is recorded" in str(view(room).get("links")))
        await until(lambda: [e["seat"] for e in room.events("action")] == [3, 1, 2])
        await pause(6)
        assert len(room.events("action")) == 3
        await felt.kill()
        await felt.start()
        await until(lambda: "gap" in kinds(folder))
        told = [json.loads(line)["o"] for line in kept_lines(folder / "journal.sqlite")]
        [gap] = [o for o in told if o["kind"] == "gap" and o["why"] != "stall"]
        assert gap["since"] <= room.events("action")[2]["t"]
        assert gap["t"] - gap["since"] > 6


def test_a_damaged_journal_is_told_and_the_numbers_go_on(tmp_path: Path) -> None:
    asyncio.run(_damaged(tmp_path))


async def _damaged(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: room.states()[-1:] == ["ready"])
        await felt.deal()
        for seat, label in ((3, "fold"), (1, "fold")):
            await felt.shows(to_act=seat)
            felt.virtual.press(seat, label)
        await until(lambda: room.events("result"))
        for seat, card in zip((1, 2, 3, 1, 2, 3), CARDS[:6], strict=True):
            felt.virtual.take(f"seat/{seat}", felt.tags[card])
        await pause(3)
        await felt.deal()
        await until(lambda: len(room.events("start")) == 2)
        await felt.kill()
        with closing(sqlite3.connect(folder / "journal.sqlite")) as journal, journal:
            journal.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            n = journal.execute("SELECT max(n) FROM observations").fetchone()[0]
            journal.execute("UPDATE observations SET line = x'7b7d' WHERE n = ?", (n - 2,))
        await felt.start()
        await until(lambda: "damaged" in str(view(room).get("links")))
        assert any("the journal was damaged" in line for line in felt.said())
        await felt.enter(kind="riffle")
        await until(lambda: view(room).get("hand") == 3)
        assert room.events("finding") == []
        await felt.enter(kind="dealer", input="award")
        await felt.enter(kind="riffle")
        await until(lambda: view(room).get("hand") == 4)
        await until(lambda: "damaged" not in str(view(room).get("links")))
        numbers = [event["hand"] for event in room.events("start")]
        assert numbers == [1, 2, 3, 4]
        assert [["stack" in seat for seat in event["seats"]] for event in room.events("start")] == [
            [True] * 3,
            [True] * 3,
            [False] * 3,
            [False] * 3,
        ]


def test_a_card_that_lay_there_before_a_power_cut_is_no_stranger(tmp_path: Path) -> None:
    asyncio.run(_power_cut(tmp_path))


async def _power_cut(folder: Path) -> None:
    """One card of the next hand is out, and no key is left to know it by."""
    async with a_table(folder) as (felt, room, _):
        await until(lambda: room.states()[-1:] == ["ready"])
        felt.place("seat/1", CARDS[0])
        await until(lambda: "seen" in kinds(folder))
        await felt.kill()
        for kept in (folder / "keys").iterdir():
            kept.unlink()
        await felt.start()
        await until(lambda: room.states()[-2:] == ["init", "ready"])
        await until(lambda: "not watched ?–" in str(view(room).get("links")))
        await pause(3)
        for card, seat in zip(CARDS[1:6], (2, 3, 1, 2, 3), strict=True):
            felt.place(f"seat/{seat}", card)
            await pause(0.5)
        await until(lambda: room.events("start"))
        await until(lambda: not view(room).get("links"))
        await felt.enter(kind="dealer", input="award")
        await until(lambda: view(room)["phase"] == "complete")
        await pause(4)
        assert not view(room).get("links")
        assert "foreign-card" not in [event["code"] for event in room.events("finding")]
