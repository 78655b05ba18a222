"""The counting subscriber, a process of its own: hears what all tables say, and counts."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from controller.broker.client import Incoming, MqttClient
from controller.contract.messages import VERSION
from controller.simulate.told import PREFIX, Counted, CounterOrders, kind_of, line, table_of

TELL_S = 0.25

_NICE = 10
"""It only looks on: on few cores nobody waits for it."""


class _Said(Struct):
    session: str
    seq: int = 0


class Counts:
    """Counts what the tables of one run say."""

    def __init__(self, run: str) -> None:
        self._run = run
        self.received: Counter[str] = Counter()
        self.bytes = 0
        self.doubles = 0
        self._seqs: dict[str, set[int]] = {}

    def heard(self, incoming: Incoming) -> None:
        """Takes a message. What the broker had kept from before is none of this run."""
        kind, table = kind_of(incoming.topic), table_of(incoming.topic)
        if kind is None or incoming.retain or not table.startswith(PREFIX):
            return
        if incoming.payload:
            said = msgspec.json.decode(incoming.payload, type=_Said)
            if not said.session.startswith(self._run):
                return
            if kind == "events":
                seqs = self._seqs.setdefault(table, set())
                if said.seq in seqs:
                    self.doubles += 1
                    return
                seqs.add(said.seq)
        self.received[kind] += 1
        self.bytes += len(incoming.payload) + len(incoming.topic)

    @property
    def gaps(self) -> int:
        """Events that are missing before the last one of their table."""
        return sum(max(seqs) - len(seqs) for seqs in self._seqs.values())


async def _run() -> None:
    orders_in = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders_in), sys.stdin)
    orders = msgspec.json.decode(await orders_in.readline(), type=CounterOrders)
    counts = Counts(orders.run)
    trouble: list[str] = []
    client = MqttClient(
        orders.endpoint, f"cutcard-count-{orders.run}", report=trouble.append, keepalive_s=30
    )
    client.subscribe(f"cutcard/{VERSION}/{orders.site}/tables/#")
    client.start(counts.heard)
    ending = asyncio.create_task(orders_in.readline())
    while not ending.done():
        told = Counted(
            connected=client.connected,
            received=counts.received,
            doubles=counts.doubles,
            gaps=counts.gaps,
            bytes=counts.bytes,
            trouble=trouble[0] if trouble else "",
        )
        sys.stdout.buffer.write(line(told))
        sys.stdout.buffer.flush()
        await asyncio.wait((ending,), timeout=TELL_S)
    await client.close()


def main(_argv: Sequence[str]) -> int:
    """Runs until its standard input ends."""
    try:
        os.nice(_NICE)
        asyncio.run(_run())
    except (BrokenPipeError, KeyboardInterrupt):
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
