"""Disturbed streams of every codec; as a command, a million of each through it.

`python -m tests.readers.mutate [COUNT]` prints, for each protocol, what came of it. It fails on
an exception, on a splitter that holds too much, and on memory that grows.
"""

from __future__ import annotations

import gc
import random
import sys
import time
import tracemalloc
from collections.abc import Iterator

from firmware_bridge.families import PROTOCOLS
from tests.readers.frames import LONGEST, SPLITTERS, VALID

MAY_GROW = 50_000
"""Bytes; what the interpreter itself keeps over a run."""


def noise(rng: random.Random) -> bytes:
    """Some bytes, often none."""
    return rng.randbytes(rng.choice((0, 0, 1, 3, 20)))


def mutated(protocol: str, rng: random.Random, count: int) -> Iterator[bytes]:
    """So many portions: frames that are whole, changed, cut, doubled, shuffled, in noise."""
    frames = [vector.data for vector in VALID if vector.protocol == protocol]
    for _ in range(count):
        data = bytearray(rng.choice(frames))
        for _ in range(rng.choice((0, 0, 1, 1, 2, 5))):
            at = rng.randrange(len(data)) if data else 0
            match rng.randrange(6):
                case 0 if data:
                    data[at] = rng.randrange(256)
                case 1 if data:
                    data[at] ^= 1 << rng.randrange(8)
                case 2 if data:
                    del data[at : at + rng.randrange(1, 6)]
                case 3:
                    data[at:at] = rng.randbytes(rng.randrange(1, 6))
                case 4:
                    del data[at:]
                case _:
                    data += rng.choice(frames)
        yield noise(rng) + bytes(data)


def main() -> int:
    """Runs the command; 1 if memory grew."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    status = 0
    for protocol, make in SPLITTERS.items():
        splitter = make()
        rng = random.Random(protocol)
        began = time.monotonic()
        tracemalloc.start()
        base = 0
        for number, data in enumerate(mutated(protocol, rng, count)):
            splitter.feed(data)
            if splitter.buffered > LONGEST[protocol]:
                raise AssertionError(f"{protocol} holds {splitter.buffered} bytes")
            if number % 10 == 0:
                PROTOCOLS[protocol].dissect(data)
            if number == count // 10:
                gc.collect()
                base = tracemalloc.get_traced_memory()[0]
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - base
        tracemalloc.stop()
        counters = splitter.counters
        sys.stdout.write(
            f"{protocol}: {count} inputs, {counters.frames} frames, {counters.noise_bytes} bytes"
            f" given up, {grown} bytes more than after a tenth, {time.monotonic() - began:.0f} s\n"
        )
        status |= grown > MAY_GROW
    return status


if __name__ == "__main__":
    sys.exit(main())
