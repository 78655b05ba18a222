"""`cutcard doctor` as a person meets it: at a terminal, or from a program."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from firmware_bridge.virtual.table import VirtualTable
from tests.table.felt import BUTTONS, SEATS, ZONES, write_table
from tests.waiting import PATIENCE_S

CYCLE_S = 0.03
"""Four times as fast as a real one: forty scans take a second."""


@asynccontextmanager
async def a_virtual_table(
    folder: Path, *, lamps: int = len(SEATS)
) -> AsyncIterator[tuple[VirtualTable, dict[str, str]]]:
    """One that no service reads, with its settings in `folder`; and the tag of each card."""
    tags = write_table(folder, "roberts")
    virtual = VirtualTable(
        ZONES, BUTTONS, clock=time.monotonic, cycle=CYCLE_S, lamps=lamps, link=folder / "port"
    )
    scanning = asyncio.create_task(virtual.run())
    try:
        yield virtual, tags
    finally:
        scanning.cancel()
        await asyncio.gather(scanning, return_exceptions=True)


class Terminal:
    """The doctor on a pty. `said` is all that it has written so far."""

    def __init__(self, master: int, process: asyncio.subprocess.Process) -> None:
        self._master = master
        self.process = process
        self.said = ""
        self._moved, self._ended = asyncio.Event(), asyncio.Event()
        asyncio.get_running_loop().add_reader(master, self._readable)

    def _readable(self) -> None:
        try:
            data = os.read(self._master, 65536)
        except OSError:
            data = b""
        if not data:
            self._ended.set()
            asyncio.get_running_loop().remove_reader(self._master)
        self.said += data.decode().replace("\r\n", "\n")
        self._moved.set()

    async def until(self, words: str) -> None:
        """Waits for words that come after those that were waited for before, and takes them."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while words not in self._rest:
                    self._moved.clear()
                    await self._moved.wait()
        except TimeoutError:
            raise AssertionError(f"no {words!r} in:\n{self.said}") from None
        self._taken += self._rest.index(words) + len(words)

    _taken = 0

    @property
    def _rest(self) -> str:
        return self.said[self._taken :]

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    async def end(self) -> int:
        async with asyncio.timeout(PATIENCE_S):
            status = await self.process.wait()
            await self._ended.wait()
        return status


@asynccontextmanager
async def a_terminal(*arguments: str) -> AsyncIterator[Terminal]:
    master, slave = os.openpty()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller", "doctor", *arguments,
        stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    terminal = Terminal(master, process)
    try:
        yield terminal
    finally:
        asyncio.get_running_loop().remove_reader(master)
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        os.close(master)


async def doctor(*arguments: str, answers: bytes | None = None) -> tuple[int, str, str]:
    """Status, standard output and standard error of a run from a program."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller", "doctor", *arguments,
        stdin=asyncio.subprocess.DEVNULL if answers is None else asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await asyncio.wait_for(process.communicate(answers), PATIENCE_S)
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def checks(*arguments: str, answers: bytes | None = None) -> list[dict[str, Any]]:
    """What `--json` says."""
    _, out, _ = await doctor("--json", *arguments, answers=answers)
    found: list[dict[str, Any]] = json.loads(out)
    return found


def of(found: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The one check of this name."""
    (one,) = [each for each in found if each["name"] == name]
    return one


def names_no_card(text: str, tags: dict[str, str]) -> bool:
    return not any(tag in text for tag in tags.values()) and not re.search(r"E0040150", text)
