"""The other processes of the demo, started again when they die: as systemd does at a real table."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from controller.process.child import die_with

GRACE_S = 0.9
AGAIN_S = 0.2
SHORT_LIFE_S = 2.0
MOST_SHORT_LIVES = 5


class Child:
    """One `cutcard` command in a process of its own, which ends with this one.

    `heard` gets each line that it says on standard output; its errors go where ours go.
    `back` is told when it has died and is started again, `over` when it has ended for good:
    by itself or for a mistake (status 0, 2 or 3), or because it dies again and again.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        heard: Callable[[str], None] = lambda _line: None,
        back: Callable[[], None],
        over: Callable[[], None],
    ) -> None:
        self._arguments = list(arguments)
        self._env = dict(env or {})
        self._heard = heard
        self._back = back
        self._over = over
        self._process: asyncio.subprocess.Process | None = None
        self._first: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Starts `cutcard ARGUMENTS`, and from then on again whenever it dies."""
        await self._spawn()
        self._task = asyncio.create_task(self._keep(), name=self._arguments[0])

    async def first_line(self, timeout_s: float) -> str:
        """What it says first on standard output; empty if it ends or says nothing in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                return await asyncio.shield(self._first)
        return ""

    async def stop(self) -> None:
        """Asks it to end, and after a grace makes it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
            try:
                async with asyncio.timeout(GRACE_S):
                    await process.communicate()
            except TimeoutError:
                process.kill()
                await process.communicate()

    async def _spawn(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "controller",
            *self._arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **self._env},
            start_new_session=True,
            preexec_fn=die_with(os.getpid()),
        )

    async def _keep(self) -> None:
        short_lives = 0
        while True:
            began = time.monotonic()
            status = await self._live()
            if not self._first.done():
                self._first.set_result("")
            short_lives = short_lives + 1 if time.monotonic() - began < SHORT_LIFE_S else 0
            if status in (0, 2, 3) or short_lives > MOST_SHORT_LIVES:
                self._over()
                return
            self._back()
            await asyncio.sleep(AGAIN_S)
            await self._spawn()

    async def _live(self) -> int:
        """Hears it until its end; returns its exit status."""
        process = self._process
        assert process is not None  # noqa: S101 - it has been started
        assert process.stdout is not None  # noqa: S101 - with a pipe
        while line := await process.stdout.readline():
            text = line.decode(errors="replace").strip()
            if not self._first.done():
                self._first.set_result(text)
            self._heard(text)
        return await process.wait()
