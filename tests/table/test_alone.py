"""One table, one service."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from controller.table.config import load_table_config
from tests.table.felt import a_table, write_table
from tests.waiting import PATIENCE_S, answers, until


def test_a_second_service_leaves_the_first_one_its_sockets(tmp_path: Path) -> None:
    asyncio.run(_second(tmp_path))


async def _second(folder: Path) -> None:
    async with a_table(folder) as (felt, _, _broker):
        second = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "controller", "table", "--config", str(folder / "table.toml"),
            stderr=subprocess.PIPE,
        )  # fmt: skip
        async with asyncio.timeout(PATIENCE_S):
            _, said = await second.communicate()
        assert second.returncode == 1
        assert said.decode() == "cutcard table: this table's service runs already\n"
        await felt.shows(hand=None)
        await felt.kill()
        await felt.start()
        await until(lambda: answers(folder / "dealer.sock"))
        await felt.shows(hand=None)


def test_where_there_can_be_no_folder_of_keys_it_is_said(tmp_path: Path) -> None:
    write_table(tmp_path, "roberts")
    config = load_table_config(tmp_path / "table.toml")
    config.keys.parent.mkdir(parents=True, exist_ok=True)
    config.keys.write_bytes(b"")
    done = subprocess.run(
        [sys.executable, "-m", "controller", "table", "--config", str(tmp_path / "table.toml")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"cutcard table: {config.keys}: File exists ([journal] keys)\n"
