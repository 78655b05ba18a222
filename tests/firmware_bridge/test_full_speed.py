"""Largest frames at the full rate of a fast UART, from several devices."""

from __future__ import annotations

import asyncio
import os
import sys
import time
import tty
from pathlib import Path

from firmware_bridge.bridge import Bridge, Wiring
from firmware_bridge.sensed import Sensed
from tests.waiting import PATIENCE_S

BAUD = 921_600
FRAME_BYTES = 252
RATE = BAUD / 10 / FRAME_BYTES
"""Frames a second: 366 on the wire, ten bits a byte."""
SECONDS = 1.0

DEVICE = """
import os, select, sys, time
from firmware_bridge.link.frames import FrameDecoder, encode
from firmware_bridge.link.messages import Hello, HelloRequest, Time, TimeQuery, Zone
from firmware_bridge.link.messages import from_frame, to_frame
from tests.waiting import PATIENCE_S
port, number, rate, count = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
decoder, seq, asked = FrameDecoder(), 0, False
start = time.monotonic()
ticks = lambda: int((time.monotonic() - start) * 1e6) & 0xFFFFFFFF
def send(message, ack=0, **more):
    global seq
    seq = (seq + 1) & 0xFF
    data = encode(to_frame(message, seq=seq, ack=ack, ticks=ticks(), **more))
    rest = data
    while rest:  # waits while the kernel's buffer is full, which a pty's soon is
        rest = rest[os.write(port, rest):]
    return len(data)
def answer():
    global asked
    if not select.select([port], [], [], 0)[0]:
        return
    for frame in decoder.feed(os.read(port, 4096)):
        match from_frame(frame):
            case HelloRequest():
                asked = True
                send(Hello(7, bytes([number] * 8), 1, 0, "fast"), frame.seq)
            case TimeQuery():
                send(Time(ticks()), frame.seq)
while not asked:
    answer()
    time.sleep(0.005)
# 25 UIDs of 8 bytes and one of 5 fill a payload to its last byte but one.
tags = tuple(f"E0040150{n:08X}" for n in range(25)) + ("0102030405",)
begin, sent, longest = time.monotonic(), 0, 0
while sent < count:
    while sent < count and sent / rate <= time.monotonic() - begin:
        longest = max(longest, send(Zone(0, ticks(), tags)))
        sent += 1
    answer()
    time.sleep(0.0005)
time.sleep(0.3)
print(sent, longest)
"""


def test_252_byte_frames_at_921600_baud_from_four_devices_come_without_loss(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        pairs = [os.openpty() for _ in range(4)]
        wirings = []
        for number, (_, near) in enumerate(pairs):
            tty.setraw(near)
            link = tmp_path / f"tty{number}"
            link.symlink_to(os.ttyname(near))
            wirings.append(Wiring(str(link), (f"zone-{number}",), baud=BAUD))
        out: list[Sensed] = []
        bridge = Bridge(
            wirings,
            out.append,
            clock=time.monotonic,
            registered=lambda _: True,
            notice=lambda _: None,
            candidates=list,
        )
        count = round(RATE * SECONDS)
        running = asyncio.create_task(bridge.run())
        devices = [
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                DEVICE,
                *(str(far), str(number), str(RATE), str(count)),
                pass_fds=[far],
                stdout=asyncio.subprocess.PIPE,
            )
            for number, (far, _) in enumerate(pairs)
        ]
        before = time.process_time()
        async with asyncio.timeout(PATIENCE_S):
            told = [(await device.communicate())[0].split() for device in devices]
        assert time.process_time() - before < SECONDS, "the host does not keep up"
        health = bridge.health()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        for pair in pairs:
            for fd in pair:
                os.close(fd)
        for sent, longest in told:
            assert (int(sent), int(longest)) == (count, FRAME_BYTES)
        for wire in health.links:
            assert wire.decoder.frames > count
            assert (wire.decoder.noise_bytes, wire.session.gaps) == (0, 0)
        assert len(out) == 4 * 26

    asyncio.run(run())
