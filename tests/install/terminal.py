"""A command at a pty, as a person has it before them."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.waiting import PATIENCE_S, until

_CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\a]")


class Terminal:
    """What a running command shows, and its keyboard."""

    def __init__(self, host: int, process: asyncio.subprocess.Process) -> None:
        self._host = host
        self._process = process
        self._raw = b""
        self._ended = False
        self._heard = 0

    def readable(self) -> None:
        try:
            data = os.read(self._host, 4096)
        except OSError:  # nobody has the other end any more
            data = b""
        self._raw += data
        if not data:
            self._ended = True
            asyncio.get_running_loop().remove_reader(self._host)

    @property
    def screen(self) -> str:
        """All that was shown, without control characters."""
        return _CONTROLS.sub("", self._raw.decode(errors="replace"))

    async def says(self, words: str) -> str:
        """Waits for words after those that were waited for last; returns what came with them."""
        async with asyncio.timeout(PATIENCE_S):
            while (at := self.screen.find(words, self._heard)) < 0:
                assert not self._ended, self.screen
                await asyncio.sleep(0.02)
        shown = self.screen[self._heard : at + len(words)]
        self._heard = at + len(words)
        return shown

    def press(self, keys: str) -> None:
        os.write(self._host, keys.encode())

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)

    async def status(self) -> int:
        """Its exit status, once it has ended."""
        status = await asyncio.wait_for(self._process.wait(), PATIENCE_S)
        await until(lambda: self._ended)
        return status

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows what is typed, as it did before."""
        return bool(termios.tcgetattr(self._host)[3] & termios.ECHO)


@asynccontextmanager
async def typing(*argv: str) -> AsyncIterator[Terminal]:
    """`cutcard` with these arguments at a terminal of its own, its session's controlling one."""
    host, port = os.openpty()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "import fcntl, runpy, sys, termios\n"
        "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
        "sys.argv[0] = 'cutcard'\n"
        "runpy.run_module('controller', run_name='__main__')",
        *argv,
        stdin=port,
        stdout=port,
        stderr=port,
        start_new_session=True,
    )
    os.close(port)
    terminal = Terminal(host, process)
    asyncio.get_running_loop().add_reader(host, terminal.readable)
    try:
        yield terminal
    finally:
        asyncio.get_running_loop().remove_reader(host)
        if process.returncode is None:
            process.kill()
            await process.wait()
        os.close(host)


async def piped(*argv: str, keys: str | None = None) -> tuple[int, str, str]:
    """`cutcard` with these arguments and plain pipes: status, standard output, standard error."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller", *argv,
        stdin=asyncio.subprocess.PIPE if keys is not None else asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    said, complained = await asyncio.wait_for(
        process.communicate(None if keys is None else keys.encode()), PATIENCE_S
    )
    return process.returncode or 0, said.decode(), complained.decode()
