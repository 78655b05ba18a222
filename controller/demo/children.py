"""The other processes of the demo: the room and the dealer's screen."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Mapping, Sequence

from controller.child import die_with

GRACE_S = 0.7


class Child:
    """One `cutcard` command in a process of its own, which ends with this one."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Made by `start`."""
        self._process = process

    @classmethod
    async def start(cls, arguments: Sequence[str], env: Mapping[str, str] | None = None) -> Child:
        """Starts `cutcard ARGUMENTS`; its errors go where ours go."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "controller",
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **(env or {})},
            start_new_session=True,
            preexec_fn=die_with(os.getpid()),
        )
        return cls(process)

    async def first_line(self, timeout_s: float) -> str:
        """What it says first on standard output; empty if it ends or says nothing in time."""
        assert self._process.stdout is not None  # noqa: S101 - it was started with a pipe
        with contextlib.suppress(TimeoutError):
            line = await asyncio.wait_for(self._process.stdout.readline(), timeout_s)
            return line.decode(errors="replace").strip()
        return ""

    async def ended(self) -> int:
        """Waits for its end; returns its exit status."""
        return await self._process.wait()

    async def stop(self) -> None:
        """Asks it to end, and after a grace makes it."""
        if self._process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
            try:
                await asyncio.wait_for(self._process.wait(), GRACE_S)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
