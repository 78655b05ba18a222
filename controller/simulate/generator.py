"""The process that is many tables: told what to do on its standard input, it tells on its
standard output what came of it."""

from __future__ import annotations

import asyncio
import heapq
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence

import msgspec

from controller.broker.client import to_stderr
from controller.files.settings import config_dir
from controller.library.books import open_library
from controller.process.child import allow_files
from controller.process.pauses import keep_short
from controller.simulate.hands import RULEBOOK, Evening, deal_evening
from controller.simulate.processes import OPEN_FILES
from controller.simulate.table import SimulatedTable
from controller.simulate.told import (
    AlertsSaid,
    Begin,
    Ended,
    FromGenerator,
    Orders,
    Stop,
    Tally,
    ToGenerator,
    line,
)

TELL_S = 0.5
DRAIN_S = 15.0
"""What is not acknowledged by then after the end is lost."""
_AT_ONCE = 4
"""Steps that are told before the sockets get their turn."""
_OF_A_STEP = 3
"""So many messages follow from what is observed, in the mean."""
_LOOK_S = 0.2


class Generator:
    """Plays the tables of `orders`, at which the hands of `evening` are dealt."""

    def __init__(self, orders: Orders, evening: Evening) -> None:
        self._orders = orders
        self._opened: list[tuple[str, str, int]] = []
        self._deleted: list[tuple[str, str, int]] = []
        self._trouble = ""
        self._late_ms = self._behind_ms = 0.0
        self.stopped = False
        self._tables = [
            SimulatedTable(
                orders.site,
                name,
                endpoint,
                evening,
                random.Random(f"{orders.seed} {name}"),  # noqa: S311 - to be had again
                run=orders.run,
                errors=orders.errors,
                on_alert=self._on_alert,
                report=self._report,
            )
            for name, endpoint in orders.tables
        ]

    async def connect(self) -> None:
        """Starts the tables one after the other."""
        for table in self._tables:
            table.start()
            await asyncio.sleep(1 / self._orders.connects_per_s)

    async def play(self, begin_ns: int) -> None:
        """Deals from `begin_ns` on for as long as it is ordered, or until `stopped`, each table at
        its rate, and waits until all of it is acknowledged."""
        gap_ns = 1e9 / self._orders.rate
        end_ns = begin_ns + self._orders.seconds * 1e9
        rng = random.Random(self._orders.seed)  # noqa: S311
        spread_ns = _OF_A_STEP * gap_ns  # else all of them would speak in the same moment
        due = [(begin_ns + rng.random() * spread_ns, at) for at in range(len(self._tables))]
        heapq.heapify(due)
        told = 0
        while due[0][0] < end_ns and not self.stopped:
            at_ns, at = due[0]
            late_ns = time.monotonic_ns() - at_ns
            if late_ns < 0:
                await asyncio.sleep(min(-late_ns / 1e9, _LOOK_S))
                continue
            self._behind_ms = max(self._behind_ms, late_ns / 1e6)
            said = self._tables[at].go_on()
            heapq.heapreplace(due, (at_ns + said * gap_ns, at))
            told += 1
            if told % _AT_ONCE == 0:
                await asyncio.sleep(0)
        end = time.monotonic() + DRAIN_S
        while self._waiting() and time.monotonic() < end:  # noqa: ASYNC110 - in 1,000 places
            await asyncio.sleep(0.02)

    async def tell(self) -> None:
        """Tells how it goes, again and again."""
        while True:
            self.tell_now()
            await asyncio.sleep(TELL_S)

    def tell_now(self) -> None:
        """Tells what there is to tell."""
        opened, self._opened = self._opened, []
        deleted, self._deleted = self._deleted, []
        if opened or deleted:
            tell(AlertsSaid(tuple(opened), tuple(deleted)))
        behind, self._behind_ms = self._behind_ms, 0.0
        self._late_ms = max(self._late_ms, behind)
        boxes = [table.outbox for table in self._tables]
        tell(
            Tally(
                connected=sum(table.client.connected for table in self._tables),
                published=sum(box.published for box in boxes),
                sent=sum((box.sent for box in boxes), Counter()),
                acked=sum(box.acked for box in boxes),
                superseded=sum(box.superseded for box in boxes),
                waiting=self._waiting(),
                refused=sum(table.client.refused for table in self._tables),
                dropped=sum(box.dropped for box in boxes),
                again=sum(box.again for box in boxes),
                reconnects=sum(table.reconnects for table in self._tables),
                hands=sum(table.hands for table in self._tables),
                late_ms=self._late_ms,
                behind_ms=behind,
                trouble=self._trouble,
            )
        )

    async def tidy(self) -> None:
        """Takes away what the tables left at the broker."""
        await asyncio.gather(*(table.tidy() for table in self._tables))

    def _waiting(self) -> int:
        return sum(len(table.outbox) for table in self._tables)

    def _on_alert(self, table: str, finding: str, opened: bool) -> None:
        said = self._opened if opened else self._deleted
        said.append((table, finding, time.monotonic_ns()))

    def _report(self, trouble: str) -> None:
        self._trouble = self._trouble or trouble


def tell(value: FromGenerator) -> None:
    """One line to whoever started us."""
    sys.stdout.buffer.write(line(value))
    sys.stdout.buffer.flush()


async def _run() -> None:
    orders_in = asyncio.StreamReader(limit=64 * 1024 * 1024)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders_in), sys.stdin)
    orders = msgspec.json.decode(await orders_in.readline(), type=Orders)
    library = open_library(config_dir())
    library.book(RULEBOOK)
    generator = Generator(orders, await deal_evening(library, orders.seed))
    keep_short()
    telling = asyncio.create_task(generator.tell(), name="tell")
    connecting = asyncio.create_task(generator.connect(), name="connect")
    playing: asyncio.Task[None] | None = None
    while given := await orders_in.readline():
        order = msgspec.json.decode(given, type=ToGenerator)
        if isinstance(order, Begin):
            playing = asyncio.create_task(_play(generator, order.at_ns), name="play")
        elif isinstance(order, Stop):
            generator.stopped = True
        else:
            telling.cancel()
            await generator.tidy()
            break
    for task in (telling, connecting, playing):
        if task is not None:
            task.cancel()


async def _play(generator: Generator, at_ns: int) -> None:
    await generator.play(at_ns)
    generator.tell_now()
    tell(Ended())


def main(_argv: Sequence[str]) -> int:
    """Runs until its standard input ends."""
    allow_files(OPEN_FILES)
    try:
        asyncio.run(_run())
    except (BrokenPipeError, KeyboardInterrupt):
        return 0
    except msgspec.DecodeError as error:
        to_stderr(f"simulate: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
