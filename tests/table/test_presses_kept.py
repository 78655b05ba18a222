"""A press is in the journal once, whenever the table is killed: its device tells it until then."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.campaign.control import VARIABLE, Control, Point
from tests.journal.lines import kept as kept_lines
from tests.table.felt import a_table, pause
from tests.waiting import until


def presses(folder: Path) -> list[tuple[int, str]]:
    lines = [json.loads(line)["o"] for line in kept_lines(folder / "journal.sqlite")]
    return [(line["seat"], line["button"]) for line in lines if line["kind"] == "press"]


@pytest.mark.parametrize("away_s", [0.0, 6.0])
@pytest.mark.parametrize("point", ["before-commit", "after-commit"])
def test_a_press_that_was_under_way_to_the_disk_at_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: Point, away_s: float
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "control"))
    asyncio.run(_killed(tmp_path, Control.at(str(tmp_path / "control")), point, away_s))


async def _killed(folder: Path, control: Control, point: Point, away_s: float) -> None:
    """Killed at the press's own commit, and another one behind it has been heard, too."""
    async with a_table(folder, program="tests.campaign.child") as (felt, room, _):
        await until(lambda: room.states()[-1:] == ["ready"])
        await felt.deal()
        await felt.shows(to_act=3)
        assert felt.process is not None
        control.commit_ms = 900
        control.kill_at(point)
        felt.virtual.press(3, "call")
        await pause(1)
        felt.virtual.press(1, "call")
        await felt.process.wait()
        control.commit_ms = 0
        await pause(away_s)
        await felt.start()
        await until(lambda: room.states().count("ready") == 2)
        await felt.shows(to_act=2)
        assert presses(folder) == [(3, "call"), (1, "call")]
        await until(lambda: [event["seat"] for event in room.events("action")] == [3, 1])
        assert room.events("finding") == []


def test_a_press_that_waits_for_the_inventory_at_a_kill(tmp_path: Path) -> None:
    asyncio.run(_killed_at_each_start(tmp_path))


async def _killed_at_each_start(folder: Path) -> None:
    """Wherever a start has come to, a press that nobody has told yet is told again."""
    async with a_table(folder) as (felt, room, _):
        await until(lambda: room.states()[-1:] == ["ready"])
        await felt.deal()
        await felt.shows(to_act=3)
        await felt.kill()
        felt.virtual.press(3, "call")
        for lived in (0.35, 0.45, 0.55, 0.65, 0.75, 0.9):
            await felt.start()
            await asyncio.sleep(lived)
            await felt.kill()
        await pause(1)
        before = (room.last("T1/hand") or {})["session"]
        await felt.start()
        await until(lambda: (room.last("T1/hand") or {})["session"] != before)
        await felt.shows(to_act=1)
        felt.virtual.press(1, "call")
        await felt.shows(to_act=2)
        assert presses(folder) == [(3, "call"), (1, "call")]
