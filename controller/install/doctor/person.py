"""Whoever sits at the table and answers: lines from standard input, questions on standard error."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import suppress

LONGEST_LINE = 1000
FIRST_ANSWER_S = 5.0
"""Without a terminal: who has an answer has it ready."""


class NobodyError(Exception):
    """Nobody answers: there is no terminal, and standard input has ended or says nothing."""


class LeftError(Exception):
    """The person wants no more of this part."""


class Person:
    """Lines that come in at `fd`; `at_terminal` tells whether somebody types them.

    Needs a running loop from the first question on.
    """

    def __init__(self, fd: int, *, at_terminal: bool) -> None:
        self._fd = fd
        self._patience_s = None if at_terminal else FIRST_ANSWER_S
        self._lines: asyncio.Queue[str | None] | None = None

    def say(self, text: str) -> None:
        """One line to read."""
        with suppress(OSError):
            sys.stderr.write(text + "\n")
            sys.stderr.flush()

    async def line(self) -> str:
        """The next line, without blanks around it. Raises NobodyError."""
        if self._lines is None:
            self._lines = asyncio.Queue()
            threading.Thread(
                target=self._read, args=(asyncio.get_running_loop(), self._lines), daemon=True
            ).start()
        try:
            async with asyncio.timeout(self._patience_s):
                line = await self._lines.get()
        except TimeoutError:
            line = None
        if line is None:
            self._lines.put_nowait(None)
            raise NobodyError
        return line

    async def yes(self, question: str) -> bool | None:
        """Yes or no; None if that is to be skipped. Raises NobodyError, LeftError."""
        while True:
            self.say(f"{question} [y/n, s skips, q ends this part]")
            match (await self.line()).lower():
                case "y" | "yes":
                    return True
                case "n" | "no":
                    return False
                case "s":
                    return None
                case "q":
                    raise LeftError

    def _read(self, loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[str | None]) -> None:
        """Straight from the descriptor: a thread that waits in Python's own buffer would hold up
        the end of the process."""
        rest = b""
        while True:
            try:
                data = os.read(self._fd, LONGEST_LINE)
            except OSError:
                data = b""
            *whole, rest = (rest + data).split(b"\n")
            if not data and rest:
                whole, rest = [rest], b""
            told = [line.decode(errors="replace").strip() for line in whole]
            with suppress(RuntimeError):  # the loop may be gone by now
                for line in (*told, *(() if data else (None,))):
                    loop.call_soon_threadsafe(lines.put_nowait, line)
            if not data:
                return
            rest = rest[-LONGEST_LINE:]
