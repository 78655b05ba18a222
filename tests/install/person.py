"""A person at a terminal: reads what a command says, types lines, presses Ctrl-C."""

from __future__ import annotations

import asyncio
import fcntl
import os
import sys
import termios
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Protocol

from tests.waiting import PATIENCE_S, until

ROOT = Path(__file__).parents[2]


class Runs(Protocol):
    async def run(self) -> None: ...


class Person:
    """At the terminal of one command; `text` is all that was on the screen."""

    def __init__(self, process: asyncio.subprocess.Process, fd: int) -> None:
        self.process = process
        self.text = ""
        self._seen = 0
        self._ended = False
        self._fd = fd
        os.set_blocking(fd, False)
        asyncio.get_running_loop().add_reader(fd, self._read)

    async def sees(self, words: str) -> str:
        """Wait until the words are there, after those seen before; return what came up to them."""
        deadline = time.monotonic() + PATIENCE_S
        while (at := self.text.find(words, self._seen)) < 0:
            assert time.monotonic() < deadline, f"no {words!r} in {self.text[self._seen :]!r}"
            assert not self._ended, (
                f"ended ({self.process.returncode}) without {words!r}: {self.text[self._seen :]!r}"
            )
            await asyncio.sleep(0.01)
        before = self.text[self._seen : at]
        self._seen = at + len(words)
        return before

    def types(self, line: str = "") -> None:
        os.write(self._fd, line.encode() + b"\n")

    async def answers(self, question: str, line: str = "") -> str:
        before = await self.sees(question)
        self.types(line)
        return before

    def presses_ctrl_c(self) -> None:
        os.write(self._fd, b"\x03")

    async def leaves(self) -> int:
        """Wait for the command's end; return its status."""
        async with asyncio.timeout(PATIENCE_S):
            status = await self.process.wait()
        await until(lambda: self._ended)
        return status

    def _read(self) -> None:
        try:
            data = os.read(self._fd, 65536)
        except OSError:
            data = b""
        if not data:
            self._ended = True
            asyncio.get_running_loop().remove_reader(self._fd)
        self.text += data.decode().replace("\r\n", "\n")


@asynccontextmanager
async def at_terminal(
    *arguments: str, cwd: Path, environment: dict[str, str] | None = None
) -> AsyncIterator[Person]:
    """`cutcard` with these arguments, at a terminal of its own."""
    here, there = os.openpty()

    def take_terminal() -> None:
        os.setsid()
        fcntl.ioctl(there, termios.TIOCSCTTY, 0)

    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "controller",
        *arguments,
        stdin=there,
        stdout=there,
        stderr=there,
        cwd=cwd,
        env=surroundings(environment),
        preexec_fn=take_terminal,
    )
    os.close(there)
    try:
        yield Person(process, here)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        asyncio.get_running_loop().remove_reader(here)
        os.close(here)


async def piped(
    *arguments: str, cwd: Path, answers: str = "", environment: dict[str, str] | None = None
) -> tuple[int, str, str]:
    """Run `cutcard` without a terminal: status, standard output, standard error."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "controller",
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=cwd,
        env=surroundings(environment),
    )
    async with asyncio.timeout(PATIENCE_S):
        out, err = await process.communicate(answers.encode())
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


def surroundings(more: dict[str, str] | None) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key != "XDG_RUNTIME_DIR"}
    return {**kept, "PYTHONPATH": str(ROOT), **(more or {})}


@asynccontextmanager
async def running(*devices: Runs) -> AsyncIterator[None]:
    """The devices are switched on."""
    async with AsyncExitStack() as stack:
        for device in devices:
            task = asyncio.create_task(device.run())

            async def end(task: asyncio.Task[None] = task) -> None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

            stack.push_async_callback(end)
        yield


def sync(test: Callable[[Path], Awaitable[None]]) -> Callable[[Path], None]:
    """A test that is a coroutine, for pytest."""

    def run(tmp_path: Path) -> None:
        async def inside() -> None:
            await test(tmp_path)

        asyncio.run(inside())

    run.__name__ = test.__name__
    run.__module__ = test.__module__
    return run
