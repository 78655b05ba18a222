"""What the table knows stays in memory: no part of it is swapped, and no other process has it."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.install.doctor.swap import locked
from controller.install.doctor.system import System
from controller.process.memory import held_in_memory
from tests.table.felt import Felt, Room, a_table
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it looks into /proc")
SHARE = """
from pathlib import Path
from controller.process.memory import keep_memory_private
keep_memory_private()
much = [bytearray(1 << 20) for _ in range(64)]
print(Path("/proc/self/status").read_text())
"""
"""A process that keeps its memory private and takes 64 MiB more."""
MAY = "from controller.process import memory; print(memory._may_lock_all())"
LOCKS = "import ctypes, mmap; mmap.mmap(-1, 1 << 27); print(ctypes.CDLL(None).mlockall(3))"


def figures(text: str) -> dict[str, int]:
    """The figures of a process or of one of its mappings, in KiB."""
    return {name: int(kib) for name, kib in re.findall(r"^(\w+):\s+(\d+) kB$", text, re.MULTILINE)}


def mapping(smaps: str, name: str) -> dict[str, int]:
    """Those of a file that it has in memory."""
    parts = re.split(r"^(?=[0-9a-f]+-[0-9a-f]+ )", smaps, flags=re.MULTILINE)
    (found,) = (part for part in parts if part.partition("\n")[0].endswith(name))
    return figures(found)


def said(code: str, *before: str) -> str:
    """What a process prints that is started by these words."""
    done = subprocess.run(
        [*before, sys.executable, "-c", code],
        capture_output=True, text=True, timeout=PATIENCE_S, check=True,
    )  # fmt: skip
    return done.stdout


def may_lock() -> bool:
    """Whether this user may lock more memory than any usual limit allows."""
    return said(LOCKS) == "0\n"


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv is not installed")
def test_all_is_locked_and_no_more_is_used_and_at_a_limit_memory_does_not_end() -> None:
    drop = ("--bounding-set", "-ipc_lock,-sys_resource", "--inh-caps", "-all")
    at_a_limit = ("sh", "-c", 'ulimit -l 4096 && exec setpriv "$@"', "sh", *drop)
    assert said(MAY, *at_a_limit) == "False\n"
    limited = figures(said(SHARE, *at_a_limit))
    assert limited["VmLck"] == 0
    if not may_lock():
        pytest.skip("this user may not lock memory")
    locked = figures(said(SHARE))
    assert locked["VmLck"] > locked["VmRSS"] > 64 << 10
    assert locked["VmRSS"] - limited["VmRSS"] < 2 << 10


def test_a_file_that_is_not_there_is_not_held(tmp_path: Path) -> None:
    assert held_in_memory(tmp_path / "none") is None
    (tmp_path / "empty").touch()
    assert held_in_memory(tmp_path / "empty") is None


async def _at_a_table(felt: Felt, room: Room) -> None:
    await until(lambda: room.states()[-1:] == ["ready"])
    await felt.deal()
    assert felt.process is not None
    proc = Path(f"/proc/{felt.process.pid}")
    found = figures((proc / "status").read_text())
    if not may_lock():
        pytest.skip("this user may not lock memory")
    assert found["VmLck"] > found["VmRSS"]
    assert found["VmSwap"] == 0
    assert True in locked(System())  # others may run beside it
    key = mapping((proc / "smaps").read_text(), "keys/hand.key")
    assert key["Locked"] == key["Rss"] > 0


def test_the_tables_memory_and_its_key_are_locked(tmp_path: Path) -> None:
    async def run() -> None:
        async with a_table(tmp_path) as (felt, room, _):
            await _at_a_table(felt, room)

    asyncio.run(run())
