"""`cutcard capture` beside a table's service, and what is played of its files."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.table.felt import Room
from tests.waiting import PATIENCE_S, until

Event = dict[str, Any]


class Recording:
    """A running `cutcard capture`."""

    def __init__(self, folder: Path, process: asyncio.subprocess.Process) -> None:
        self.folder = folder
        self.process = process

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.glob("capture-*.jsonl"))

    @property
    def reaches(self) -> float:
        """The table's time of the last line that was written."""
        lines = self.files[-1].read_bytes().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith(b"\n")]
        return float(json.loads(whole[-1])["t"]) if whole else 0.0

    async def end(self, number: int) -> tuple[int, str, str]:
        """Sends a signal; returns exit status, standard output and standard error."""
        if self.process.returncode is None:
            self.process.send_signal(number)
        return await self.ended()

    async def ended(self) -> tuple[int, str, str]:
        out, err = await asyncio.wait_for(self.process.communicate(), PATIENCE_S)
        assert self.process.returncode is not None
        return self.process.returncode, out.decode(), err.decode()


async def record(table: Path, *options: str) -> Recording:
    """Starts `cutcard capture` at a table; `table` is the folder of its table.toml."""
    folder = table / "captures"
    folder.mkdir(exist_ok=True)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller", "capture", "--config", str(table / "table.toml"),
        "--out", str(folder), *options,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    return Recording(folder, process)


@asynccontextmanager
async def recording(table: Path, room: Room, *options: str) -> AsyncIterator[Recording]:
    """The same, once the table's picture says that it is recorded."""
    started = await record(table, *options)
    try:
        await until(lambda: is_shown(room))
        yield started
    finally:
        if started.process.returncode is None:
            started.process.kill()
            await started.process.wait()


def is_shown(room: Room) -> bool:
    """Whether the picture of the table says that it is recorded."""
    return bool((room.last("T1/hand") or {}).get("view", {}).get("capture"))


async def replay(path: Path) -> tuple[list[Event], str]:
    """The events of a capture, and what was said on standard error."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller", "replay", "--json", str(path),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    assert process.returncode == 0, err
    return [json.loads(line) for line in out.splitlines()], err.decode()


def until_the_end(path: Path, live: list[Event], again: list[Event]) -> list[Event]:
    """The live events without those that came when the capture had just ended."""
    end = json.loads(path.read_bytes().splitlines()[-1])["t"]
    missing = [event for event in live[len(again) :] if event["t"] <= end - 0.5]
    assert not missing, (end, [(e["t"], e["kind"], e.get("text_id")) for e in live + again])
    return live[: len(again)]


def same_but_for_faces(live: Iterable[Event], again: Iterable[Event]) -> None:
    """The same events at the same times; in each hand each card stands for one other."""
    live, again = list(live), list(again)
    bare = [{key: value for key, value in event.items() if key != "cards"} for event in live]
    assert [{k: v for k, v in event.items() if k != "cards"} for event in again] == bare
    faces: dict[tuple[int, str], str] = {}
    for one, other in zip(live, again, strict=True):
        assert len(one.get("cards", ())) == len(other.get("cards", ()))
        for card, face in zip(one.get("cards", ()), other.get("cards", ()), strict=True):
            assert faces.setdefault((one["hand"], card), face) == face
    for hand in {hand for hand, _ in faces}:
        here = [face for (number, _), face in faces.items() if number == hand]
        assert len(set(here)) == len(here)
