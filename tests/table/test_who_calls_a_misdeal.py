"""The house says who may call a misdeal: its dealers, or only the floor."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from controller.contract.observations import Observation
from controller.table.screens import Screens
from tests.table.felt import a_table
from tests.waiting import until

MISDEAL = {"kind": "dealer", "input": "misdeal"}


@pytest.mark.parametrize("may", [True, False])
def test_a_dealers_misdeal_is_taken_only_where_the_house_lets_it(tmp_path: Path, may: bool) -> None:
    asyncio.run(_entered(tmp_path / "socket", may))


async def _entered(path: Path, may: bool) -> None:
    taken: list[Observation] = []
    screens = Screens(path, dealer_misdeals=may)
    running = asyncio.create_task(screens.run(taken.append, lambda: 1.0, lambda _: False))
    await until(path.exists)
    _, writer = await asyncio.open_unix_connection(path)
    for line in (MISDEAL, {"kind": "riffle"}):
        writer.write(json.dumps(line).encode() + b"\n")
    await until(lambda: len(taken) == 1 + may)
    assert [type(one).__name__ for one in taken] == ["DealerMisdeal"] * may + ["Riffle"]
    assert screens.refused == 1 - may
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    writer.close()


def test_a_table_of_such_a_house_tells_its_screens(tmp_path: Path) -> None:
    asyncio.run(_table(tmp_path))


def _by_the_floor(folder: Path) -> None:
    file = folder / "table.toml"
    file.write_text(file.read_text().replace("button = 3", 'button = 3\nmisdeal = "floor"'))


async def _table(folder: Path) -> None:
    async with a_table(folder, prepare=_by_the_floor) as (felt, room, _):
        await until(lambda: room.states()[-1:] == ["ready"])
        await felt.deal()
        await felt.enter(**MISDEAL)
        await felt.enter(kind="dealer", input="call-floor")
        await until(lambda: room.events("floor-called"))
        assert room.last("T1/hand") is not None
        view = (room.last("T1/hand") or {})["view"]
        assert view["dealer_misdeals"] is False
        assert view["phase"] != "misdeal"
        room.command("misdeal", session=(room.last("T1/hand") or {})["session"], hand=1, id="m1")
        await until(lambda: (room.last("T1/hand") or {})["view"]["phase"] == "misdeal")
