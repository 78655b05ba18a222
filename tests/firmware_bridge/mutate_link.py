"""Disturbed frames of the microcontroller link; as a command, a million of them through a session.

`python -m tests.firmware_bridge.mutate_link [COUNT]` prints what came of them. It fails on an
exception, on a decoder that holds too much, and on memory that grows. Half of the frames are
changed on the wire; half have a right CRC and wrong fields, which a decoder lets through.
"""

from __future__ import annotations

import gc
import random
import sys
import time
import tracemalloc
from collections.abc import Iterator

from msgspec.structs import replace

from firmware_bridge.link.frames import MAX_PAYLOAD, Frame, Kind, encode
from firmware_bridge.link.messages import Ack, Button, Heartbeat, Hello, Nak, Time, Zone, to_frame
from firmware_bridge.readers.pico.driver import LinkDriver

MAY_GROW = 50_000
"""Bytes; what the interpreter itself keeps over a run."""

TAGS = tuple(f"E0040150{number:08X}" for number in range(8))
MESSAGES = (
    Hello(7, b"MUTATED1", 3, 4, "mutated"),
    Heartbeat(7, 1, 120_000, 0, 0, 0, 0, 0),
    Zone(1, 1_000, TAGS),
    Zone(2, 1_000, TAGS[:2], part=1, parts=2),
    Button(1, 1, 1_000, 2, pressed=True),
    Time(1_000),
    Ack(0x43),
    Nak(0x44, 3),
)


def disturbed(rng: random.Random, count: int) -> Iterator[bytes]:
    """So many frames of a device, most of them not as they should be."""
    for number in range(count):
        message = rng.choice(MESSAGES)
        frame = to_frame(message, seq=number & 0xFF, ack=rng.randrange(256), ticks=number * 1_000)
        if rng.random() < 0.5:
            frame = _wrong_fields(frame, rng)
        wire = bytearray(encode(frame))
        for _ in range(rng.choice((0, 0, 1, 3))):
            wire[rng.randrange(len(wire))] = rng.randrange(256)
        if rng.random() < 0.1:
            del wire[rng.randrange(len(wire)) :]
        yield rng.randbytes(rng.choice((0, 0, 0, 2, 300))) + wire


def _wrong_fields(frame: Frame, rng: random.Random) -> Frame:
    payload = bytearray(frame.payload)
    for _ in range(rng.randrange(4)):
        if payload:
            payload[rng.randrange(len(payload))] = rng.randrange(256)
    match rng.randrange(6):
        case 0:
            payload = payload[: rng.randrange(len(payload) + 1)]
        case 1:
            payload = (payload + rng.randbytes(rng.randrange(40)))[:MAX_PAYLOAD]
        case 2:
            frame = replace(frame, msg=rng.randrange(256))
        case 3:
            frame = replace(frame, kind=rng.randrange(16), version=rng.randrange(16))
        case 4:
            frame = replace(frame, ticks=rng.randrange(1 << 32), seq=rng.randrange(256))
        case _:
            pass
    return replace(frame, payload=bytes(payload))


def session(rng: random.Random, count: int) -> Iterator[LinkDriver]:
    """One host's end that is up and hears so many of them, an hour of its time for a million."""
    driver = LinkDriver(0.0, lambda _: True)
    hello = encode(to_frame(MESSAGES[0], kind=Kind.REPLY))
    for number, data in enumerate(disturbed(rng, count)):
        now = number * 0.004
        if number % 500 == 0:
            driver.receive(b"\0" + hello, now)
        driver.receive(data, now)
        driver.poll(now)
        yield driver


def main() -> int:
    """Runs the command; 1 if memory grew."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    began = time.monotonic()
    tracemalloc.start()
    base = 0
    for number, driver in enumerate(session(random.Random(1), count)):
        if driver.decoder.frames > count * 2:
            raise AssertionError("more frames than were sent")
        if number == count // 10:
            gc.collect()
            base = tracemalloc.get_traced_memory()[0]
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - base
    sys.stdout.write(
        f"link: {count} frames, {driver.decoder}, {driver.counters},"
        f" {grown} bytes more than after a tenth, {time.monotonic() - began:.0f} s\n"
    )
    return int(grown > MAY_GROW)


if __name__ == "__main__":
    sys.exit(main())
