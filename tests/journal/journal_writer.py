"""A process that journals until it is killed, and says what has been acknowledged.

Arguments: the journal, and how many of the first messages the broker is made to acknowledge.
Lines come three at a time, beside which the loop goes on.
"""

from __future__ import annotations

import asyncio
import os
import sys
from functools import partial
from itertools import count
from pathlib import Path

from msgspec.structs import replace

from controller.contract.messages import Message
from controller.storage.committer import Committer
from controller.storage.database import DatabaseError
from controller.storage.journal import Entry, Journal

EVENTS = "cutcard/1/hall/tables/T1/health"
BURST = 3


class Writer:
    def __init__(self, path: Path, acknowledged: int) -> None:
        self._committer = Committer(Journal.open(path, report=sys.exit, keep_hands=10**6))
        self._acknowledged = acknowledged

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._committer.run())
            group.create_task(self._write())

    async def _write(self) -> None:
        await asyncio.sleep(0)
        counters = self._committer.journal.counters
        for seq in count(counters.seq):
            number, after = seq + 1000 * counters.session, replace(counters, seq=seq + 1)
            line = str(number).encode()
            entry = Entry(hand=number, counters=after, lines=(line,), checkpoint=b"c" + line)
            messages: tuple[Message, ...] = ()
            if number % 50:
                messages = (Message(EVENTS, line, 1, False),)
                entry = replace(entry, messages=messages, origin=f"c{number}", checkpoint=None)
            self._committer.submit([entry], partial(self._written, number, messages))
            if number % BURST == 0:
                written = asyncio.get_running_loop().create_future()
                self._committer.submit((), written.set_result)
                await written

    def _written(
        self, number: int, messages: tuple[Message, ...], error: DatabaseError | None
    ) -> None:
        assert error is None
        outbox = self._committer.outbox
        for message in messages:
            outbox.put(message, 0.0)
        if self._acknowledged and (waiting := outbox.take(1)):
            self._acknowledged -= 1
            outbox.done(waiting[0].key)
        os.write(1, b"%d\n" % number)


if __name__ == "__main__":
    asyncio.run(Writer(Path(sys.argv[1]), int(sys.argv[2])).run())
