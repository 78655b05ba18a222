"""Runs `cutcard doctor --bench`: at a terminal a table that is drawn again and again, else a line
a second."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import aclosing
from typing import Literal

from controller.install.bench import Bench, BenchEndedError, BenchError, open_bench
from controller.install.doctor.antennas import antennas
from controller.install.tuning import shown
from controller.install.tuning.meter import Meters
from controller.storage.database import DatabaseError
from controller.table.config import TableConfig

How = Literal["screen", "lines", "json"]
DRAWN_EVERY_S = 0.5
TOLD_EVERY_S = 1.0
LOOKED_EVERY_S = 2.0
_SCREEN, _PLAIN = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_HOME, _TO_LINE_END, _TO_END = "\x1b[H", "\x1b[K", "\x1b[J"


def how_to_tell(*, as_json: bool) -> How:
    """How whoever reads standard output is told."""
    if as_json:
        return "json"
    return "screen" if sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb" else "lines"


def tune(config: TableConfig, *, how: How, seconds: float | None) -> int:
    """Tells how well each antenna reads until Ctrl-C, or for so many seconds, and sums it up.

    Returns 0 if it ended as planned; 1 where a hand is open or begins, or the bench is lost.
    """
    try:
        return asyncio.run(_Tuning(config, how, seconds).run())
    except (BenchError, DatabaseError) as error:
        sys.stderr.write(f"cutcard doctor: {error}\n")
        return 1
    except BrokenPipeError:  # whoever read along has gone
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - nothing more can be written
        return 0


class _Tuning:
    def __init__(self, config: TableConfig, how: How, seconds: float | None) -> None:
        self._config = config
        self._how = how
        self._seconds = seconds
        self._meters = Meters(antenna for antenna, _ in antennas(config))
        self._stop = asyncio.Event()
        self._began = time.monotonic()
        self._troubles: tuple[str, ...] = ()
        self._others: tuple[str, ...] = ()

    async def run(self) -> int:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop.set)
        ended = ""
        async with open_bench(self._config) as bench:
            self._began = time.monotonic()
            listening = asyncio.create_task(self._listen(bench))
            looking = asyncio.create_task(self._look(bench))
            self._write(_SCREEN if self._how == "screen" else "")
            try:
                await self._show(listening)
            except BenchEndedError as error:
                ended = error.reason
            finally:
                for task in (listening, looking):
                    task.cancel()
                await asyncio.gather(listening, looking, return_exceptions=True)
                self._write(_PLAIN if self._how == "screen" else "")
        self._sum_up()
        if ended:
            sys.stderr.write(f"cutcard doctor: {ended}\n")
        return int(bool(ended))

    async def _listen(self, bench: Bench) -> None:
        async with aclosing(bench.counts()) as counts:
            async for count in counts:
                if not self._meters.add(count, time.monotonic()) and not self._others:
                    self._others = (f"{count.zone} is read there and is not in these settings",)

    async def _look(self, bench: Bench) -> None:
        """What is wrong with devices; that the bench is lost is said by who listens."""
        with contextlib.suppress(BenchError):
            while True:
                await asyncio.sleep(LOOKED_EVERY_S)  # at first nobody has answered yet
                links = (await bench.health()).links
                troubles = (*self._others, *(link.text for link in links if link.text))
                if troubles != self._troubles and self._how == "lines":
                    sys.stderr.write("".join(f"{each}\n" for each in troubles))
                self._troubles = troubles

    async def _show(self, listening: asyncio.Task[None]) -> None:
        """Until it is to end; raises what ended the listening."""
        every = DRAWN_EVERY_S if self._how == "screen" else TOLD_EVERY_S
        stopped = asyncio.create_task(self._stop.wait())
        try:
            while not stopped.done():
                left = every if self._seconds is None else self._seconds - self._elapsed
                if left <= 0:
                    break
                await asyncio.wait(
                    (stopped, listening),
                    timeout=min(every, left),
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if listening.done():
                    await listening
                if not stopped.done():
                    self._tell()
        finally:
            stopped.cancel()
            await asyncio.gather(stopped, return_exceptions=True)

    @property
    def _elapsed(self) -> float:
        return time.monotonic() - self._began

    def _tell(self) -> None:
        figures = self._meters.recent(time.monotonic())
        if self._how == "json":
            self._write(shown.as_json("now", figures, self._troubles, self._elapsed) + "\n")
        elif self._how == "lines":
            self._write(shown.line(figures, self._elapsed) + "\n")
        else:
            title = f"Table {self._config.table.id}"
            self._draw(
                shown.screen(
                    figures, self._troubles, title, self._elapsed, shutil.get_terminal_size()
                )
            )

    def _draw(self, lines: Iterable[str]) -> None:
        self._write(_HOME + "\n".join(line + _TO_LINE_END for line in lines) + _TO_END)

    def _sum_up(self) -> None:
        figures = self._meters.whole()
        if self._how == "json":
            self._write(shown.as_json("summary", figures, self._troubles, self._elapsed) + "\n")
        else:
            self._write("\n".join(shown.summary(figures, self._elapsed)) + "\n")

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
