"""The bridge: how long after a frame's last byte an observation is out, and what a table costs.

Ptys stand for the ports. The frames come from a process of their own, as on a table; the bare
read, in the same loop and run, is the least that anything can take.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
import tty
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from firmware_bridge.bridge import Bridge, Wiring
from firmware_bridge.sensed import Seen, Sensed
from tests.bench.figures import Figure

RATIO = 1.5
SHARE = 10.0
DEVICES, ZONES_EACH, CYCLE_S = 4, 3, 0.2
MOST_S = 30.0

_PRESSER = """
import os, sys, time
from firmware_bridge.link.frames import Kind, encode
from firmware_bridge.link.messages import Button, Hello, to_frame
port, bare, count = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
start = time.monotonic()
ticks = lambda: int((time.monotonic() - start) * 1e6) & 0xFFFFFFFF
say, hear = sys.stdout.buffer, sys.stdin.buffer
hello = Hello(1, b"FASTFAST", 1, 1, "fast")
os.write(port, encode(to_frame(hello, ticks=ticks(), kind=Kind.REPORT)))
hear.read(1)
for edge in range(1, count + 1):
    for fd in (bare, port):
        data = encode(to_frame(Button(edge, edge, ticks(), 0, pressed=True), ticks=ticks()))
        time.sleep(0.002)
        began = time.perf_counter()
        os.write(fd, data)
        say.write(b"%.9f\\n" % began)
        say.flush()
        hear.read(1)
"""

_DEVICES = """
import asyncio, sys, time
from pathlib import Path
from firmware_bridge.virtual.table import VirtualTable
folder, devices, zones, cycle = Path(sys.argv[1]), *map(int, sys.argv[2:4]), float(sys.argv[4])
async def flicker(table, names):
    tags = [f"E0040150{n:08X}" for n in range(6)]
    while True:
        for take, put in ((0, 3), (3, 0)):
            for name in names:
                for tag in tags[take : take + 3]:
                    table.take(name, f"{tag[:-2]}{names.index(name):02X}")
                for tag in tags[put : put + 3]:
                    table.place(name, f"{tag[:-2]}{names.index(name):02X}")
            await asyncio.sleep(cycle)
async def run():
    jobs = []
    for number in range(devices):
        names = [f"zone-{number}-{index}" for index in range(zones)]
        table = VirtualTable(names, clock=time.monotonic, cycle=cycle, link=folder / f"tty{number}")
        jobs += [table.run(), flicker(table, names)]
    sys.stdout.write("up\\n")
    sys.stdout.flush()
    await asyncio.gather(*jobs)
asyncio.run(run())
"""


def measure(rounds: int, presses: int = 600, seconds: float = 5.0) -> list[Figure]:
    """So many runs; the median of what each of them gives."""
    runs: list[tuple[list[float], list[float]]] = []
    shares: list[float] = []
    for _ in range(rounds):
        with TemporaryDirectory() as folder:
            runs.append(asyncio.run(latency(Path(folder), presses)))
            shares.append(asyncio.run(share(Path(folder), seconds)))
    bare, whole = (median(p99(run[which]) for run in runs) * 1e6 for which in (0, 1))
    ratio = median(p99(run[1]) / p99(run[0]) for run in runs)
    return [
        Figure("bare read of a press from a pty, p99", bare, "µs"),
        Figure("last byte of a press → the engine's observation, p99", whole, "µs"),
        Figure("… ÷ the bare read of the same run", ratio, "", RATIO),
        Figure(
            f"{DEVICES * ZONES_EACH} zones at {1 / CYCLE_S:.0f} Hz from {DEVICES} devices that"
            " change at every scan: one core busy",
            median(shares) * 100,
            "%",
            SHARE,
        ),
    ]


def p99(times: list[float]) -> float:
    """The time that one of a hundred takes longer than."""
    return quantiles(times, n=100, method="inclusive")[98]


def _bridge(wirings: list[Wiring], emit: Callable[[Sensed], None]) -> Bridge:
    return Bridge(
        wirings,
        emit,
        clock=time.monotonic,
        registered=lambda _: True,
        notice=lambda _: None,
        candidates=list,
    )


async def latency(
    folder: Path, presses: int, pace_s: float = 0.0
) -> tuple[list[float], list[float]]:
    """Seconds from the last byte to a bare read, and to the bridge's press, in turn; each follows
    the one before after `pace_s`."""
    (far, near), (far_bare, near_bare) = os.openpty(), os.openpty()
    for fd in (near, near_bare):
        tty.setraw(fd)
    link = folder / "presses"
    link.symlink_to(os.ttyname(near))
    came = asyncio.Event()
    at = [0.0]

    def arrived(_: object = None) -> None:
        at[0] = time.perf_counter()
        came.set()

    def read() -> None:
        os.read(near_bare, 4096)
        arrived()

    bridge = _bridge([Wiring(str(link), ("board",), ((1, "check"),))], arrived)
    asyncio.get_running_loop().add_reader(near_bare, read)
    running = asyncio.create_task(bridge.run())
    presser = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PRESSER, str(far), str(far_bare), str(presses)),
        pass_fds=[far, far_bare],
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert presser.stdin is not None
    assert presser.stdout is not None
    taken: tuple[list[float], list[float]] = ([], [])
    try:
        async with asyncio.timeout(MOST_S + 2 * presses * pace_s):
            while bridge.health().links[0].state != "up":  # noqa: ASYNC110 - no event says it
                await asyncio.sleep(0.01)
            presser.stdin.write(b".")
            for number in range(2 * presses):
                await came.wait()
                came.clear()
                began = float(await presser.stdout.readline())
                taken[number % 2].append(at[0] - began)
                await asyncio.sleep(pace_s)
                presser.stdin.write(b".")
        await presser.wait()
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        for fd in (far, near, far_bare, near_bare):
            os.close(fd)
    return taken


async def share(folder: Path, seconds: float) -> float:
    """Which part of a core the bridge of a whole table takes."""
    devices = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _DEVICES, str(folder)),
        *map(str, (DEVICES, ZONES_EACH, CYCLE_S)),
        stdout=asyncio.subprocess.PIPE,
    )
    assert devices.stdout is not None
    async with asyncio.timeout(MOST_S):
        await devices.stdout.readline()
    heard: list[Sensed] = []
    zones = DEVICES * ZONES_EACH
    wirings = [
        Wiring(str(folder / f"tty{number}"), tuple(f"zone-{number}-{n}" for n in range(ZONES_EACH)))
        for number in range(DEVICES)
    ]
    bridge = _bridge(wirings, heard.append)
    running = asyncio.create_task(bridge.run())
    try:
        async with asyncio.timeout(MOST_S):
            while len({value.zone for value in heard if isinstance(value, Seen)}) < zones:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        began, used = time.monotonic(), time.process_time()
        await asyncio.sleep(seconds)
        return (time.process_time() - used) / (time.monotonic() - began)
    finally:
        running.cancel()
        devices.kill()
        await asyncio.gather(running, devices.wait(), return_exceptions=True)
