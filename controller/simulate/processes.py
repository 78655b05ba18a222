"""The other processes of a simulation, which end with it however it ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence

from msgspec import Struct

from controller.process.child import die_with
from controller.simulate.told import line

OPEN_FILES = 8192
"""For the connections of the most tables there may be, at the broker and at what generates."""
_LINE = 16 * 1024 * 1024
_GRACE_S = 3.0


class Process:
    """A module that is run by our Python; `inputs`: it is told things on its standard input."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.pid = process.pid

    @classmethod
    async def start(
        cls, module: str, arguments: Sequence[str] = (), env: Mapping[str, str] | None = None
    ) -> Process:
        """Starts it; what it says on standard error goes where ours goes."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            module,
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **(env or {})},
            start_new_session=True,
            limit=_LINE,
            preexec_fn=die_with(os.getpid()),
        )
        return cls(process)

    def tell(self, value: Struct) -> None:
        """Tells it something; if it has ended, nobody hears."""
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(line(value))

    async def lines(self) -> AsyncIterator[bytes]:
        """What it says, until it ends."""
        assert self._process.stdout is not None  # noqa: S101 - with a pipe
        while text := await self._process.stdout.readline():
            yield text

    async def first_line(self, timeout_s: float) -> bytes:
        """What it says first; empty if it ends or says nothing in time."""
        assert self._process.stdout is not None  # noqa: S101 - with a pipe
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                return await self._process.stdout.readline()
        return b""

    async def ended(self, timeout_s: float) -> bool:
        """Whether it ends by itself in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._process.wait()
        return self._process.returncode is not None

    async def stop(self) -> None:
        """Asks it to end, and after a grace makes it."""
        if self._process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
            if not await self.ended(_GRACE_S):
                self._process.kill()
                await self._process.wait()
