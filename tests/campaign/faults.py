"""What is done to whom. Each fault is injected, held for a while and healed."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Literal

from msgspec import Struct

from firmware_bridge.attention import STALL_S
from firmware_bridge.link.session import LOST_AFTER_S
from tests.campaign.control import Point
from tests.campaign.lineup import LineUp, Service

Theme = Literal["kill", "point", "still", "clock", "wire", "broker", "disk", "damage"]
Allowed = Literal["blind", "forgets", "deaf"]
"""What a fault may cost: the table does not see all that happens (`blind`), the journal lacks
something (`forgets`), presses are gone before they have reached the wire (`deaf`)."""

Do = Callable[[LineUp, random.Random], Awaitable[str]]
_SHORTEST_HAND_S = 20.0
"""Of the table's time: a hand that is folded around."""
_WHOLE_HAND_S = 70.0
"""Of the table's time: within this every exact point is come by."""
_MARGIN_S = 0.3
_PAGE = 4096
BLIND: frozenset[Allowed] = frozenset({"blind"})
FORGETS: frozenset[Allowed] = frozenset({"blind", "forgets"})
NOTHING: frozenset[Allowed] = frozenset()


class Fault(Struct, frozen=True):
    """`on` is what it hits: two faults never hit the same at the same time. `do` injects it, heals
    it, whatever happens, and says in a few words what it was."""

    name: str
    theme: Theme
    on: str
    allows: frozenset[Allowed]
    do: Do


def _drawn(rng: random.Random, least: float, most: float) -> float:
    """Little is as likely as much."""
    return float(least * (most / least) ** rng.random())


def _standstill(line_up: LineUp, rng: random.Random, most: float, noticed: float) -> float:
    """Seconds for which nothing is heard. What is `noticed` after so long is so by the world's
    clock; where people play faster than that, one which is too long by theirs and too short by the
    world's is one that no table can have."""
    seconds = _long(line_up, rng, 0.1, most)
    if line_up.speed > 1.0 and seconds * line_up.speed > noticed > seconds:
        return noticed + _MARGIN_S
    return seconds


def _long(line_up: LineUp, rng: random.Random, least: float, most: float) -> float:
    """Seconds for which something is broken, and never so many that a whole hand passes."""
    return _drawn(rng, least, min(most, _SHORTEST_HAND_S / line_up.speed))


# --- processes ---


def _kill(name: str) -> Do:
    async def do(line_up: LineUp, _rng: random.Random) -> str:
        return "kill -9" if line_up.services[name].send(signal.SIGKILL) else "was not running"

    return do


def _kill_at(name: str, point: Point, most: int) -> Do:
    async def do(line_up: LineUp, rng: random.Random) -> str:
        nth = rng.randint(1, most)
        service = line_up.services[name]
        before = len(service.ended)
        service.control.kill_at(point, nth)
        with suppress(TimeoutError):
            async with asyncio.timeout(_WHOLE_HAND_S / line_up.speed):
                while len(service.ended) == before:  # noqa: ASYNC110 - a process brings it about
                    await asyncio.sleep(0.02)
        service.control.kill_at("")
        reached = "" if len(service.ended) > before else ", not reached"
        return f"{point} {nth}{reached}"

    return do


def _still(name: str) -> Do:
    async def do(line_up: LineUp, rng: random.Random) -> str:
        seconds = _standstill(line_up, rng, 6.0, STALL_S)
        service = line_up.services[name]
        try:
            service.send(signal.SIGSTOP)
            await asyncio.sleep(seconds)
        finally:
            service.send(signal.SIGCONT)
        return f"SIGSTOP for {seconds:.1f} s"

    return do


def _clock(name: str) -> Do:
    async def do(line_up: LineUp, rng: random.Random) -> str:
        by_ns = rng.choice([-1, 1]) * round(_drawn(rng, 1.0, 86_400.0) * 1e9)
        line_up.services[name].control.ahead_ns += by_ns
        await asyncio.sleep(1.0)
        return f"clock {by_ns / 1e9:+.0f} s"

    return do


# --- the wire ---


async def _cut(line_up: LineUp, rng: random.Random) -> str:
    seconds = _long(line_up, rng, 0.05, 3.0)
    try:
        line_up.people.wire.unplug()
        await asyncio.sleep(seconds)
    finally:
        line_up.people.wire.plug()
    return f"unplugged for {seconds:.1f} s"


async def _garble(line_up: LineUp, rng: random.Random) -> str:
    bursts = rng.randint(3, 30)
    for _ in range(bursts):
        with suppress(BlockingIOError):
            line_up.people.wire.disturb(rng.randbytes(rng.randint(1, 60)))
        await asyncio.sleep(rng.uniform(0.01, 0.1))
    return f"{bursts} bursts of noise"


async def _stall(line_up: LineUp, rng: random.Random) -> str:
    seconds = _standstill(line_up, rng, 4.0, LOST_AFTER_S)
    try:
        line_up.people.wire.stands = True
        await asyncio.sleep(seconds)
    finally:
        line_up.people.wire.stands = False
    return f"nothing came for {seconds:.1f} s"


async def _reboot(line_up: LineUp, _rng: random.Random) -> str:
    line_up.people.wire.reboot()
    return "the device began anew"


# --- the broker, and the way to it ---


async def _broker_gone(line_up: LineUp, rng: random.Random) -> str:
    seconds = _long(line_up, rng, 0.1, 4.0)
    try:
        line_up.kill_broker()
        await asyncio.sleep(seconds)
    finally:
        line_up.restart_broker()
    return f"kill -9, gone for {seconds:.1f} s"


async def _broker_hung(line_up: LineUp, rng: random.Random) -> str:
    seconds = _long(line_up, rng, 0.2, 6.0)
    try:
        os.kill(line_up.broker.pid, signal.SIGSTOP)
        await asyncio.sleep(seconds)
    finally:
        with suppress(ProcessLookupError):
            os.kill(line_up.broker.pid, signal.SIGCONT)
    return f"SIGSTOP for {seconds:.1f} s"


def _network(name: str, how: Literal["slow", "dead", "cut", "drop"]) -> Do:
    async def do(line_up: LineUp, rng: random.Random) -> str:
        network = line_up.networks[name]
        seconds = _long(line_up, rng, 0.2, 6.0)
        words = f"{how} for {seconds:.1f} s"
        try:
            match how:
                case "slow":
                    network.delay_s = rng.uniform(0.02, 0.5)
                    words = f"{network.delay_s * 1e3:.0f} ms slow for {seconds:.1f} s"
                case "dead":
                    network.die()
                case "cut":
                    network.cut()
                case "drop":
                    network.drop()
                    return "connections dropped"
            await asyncio.sleep(seconds)
        finally:
            network.heal()
        return words

    return do


# --- the disk ---


async def _slow_disk(line_up: LineUp, rng: random.Random) -> str:
    control = line_up.services["table"].control
    seconds, slow_ms = _long(line_up, rng, 0.5, 4.0), rng.randint(50, 2_500)
    try:
        control.commit_ms = slow_ms
        await asyncio.sleep(seconds)
    finally:
        control.commit_ms = 0
    return f"each commit {slow_ms} ms slower for {seconds:.1f} s"


async def _full_disk(line_up: LineUp, rng: random.Random) -> str:
    """No file may grow beyond a page: the keys, on a tmpfs in truth, still fit."""
    seconds = _long(line_up, rng, 0.3, 4.0)
    with _files_up_to(line_up.services["table"], _PAGE):
        await asyncio.sleep(seconds)
    return f"no room beyond a page for {seconds:.1f} s"


@contextmanager
def _files_up_to(service: Service, size: int) -> Iterator[None]:
    def limit(to: int) -> None:
        if service.pid is not None:
            with suppress(ProcessLookupError):
                _, hard = resource.prlimit(service.pid, resource.RLIMIT_FSIZE)
                resource.prlimit(service.pid, resource.RLIMIT_FSIZE, (to, hard))

    limit(size)
    try:
        yield
    finally:
        limit(resource.RLIM_INFINITY)


async def _read_only(line_up: LineUp, rng: random.Random) -> str:
    """A disk that was found with errors: the table starts on one that can only be read."""
    seconds = _long(line_up, rng, 0.5, 4.0)
    async with _table_down(line_up):
        restore = _make_read_only(line_up.state)
    try:
        await asyncio.sleep(1.0 + seconds)
    finally:
        restore()
    return f"started on a read-only disk, for {seconds:.1f} s"


def _make_read_only(folder: Path) -> Callable[[], None]:
    """Root is not held up by a file's mode, but by a mount; where it may not mount, nothing is."""
    if os.geteuid() != 0:
        for path in (folder, *folder.iterdir()):
            path.chmod(0o500 if path.is_dir() else 0o400)

        def restore() -> None:
            for path in (folder, *folder.iterdir()):
                path.chmod(0o700 if path.is_dir() else 0o600)

        return restore
    for words in (["--bind", str(folder), str(folder)], ["-o", "remount,bind,ro", str(folder)]):
        subprocess.run(["mount", *words], check=False, capture_output=True)
    return lambda: _unmount(folder)


def _unmount(folder: Path) -> None:
    subprocess.run(["umount", "--lazy", str(folder)], check=False, capture_output=True)


# --- damage ---


@asynccontextmanager
async def _table_down(line_up: LineUp) -> AsyncIterator[None]:
    """The table is killed, and stays away for as long as this lasts."""
    table = line_up.services["table"]
    table.held = True
    try:
        table.send(signal.SIGCONT)
        table.send(signal.SIGKILL)
        while table.pid is not None:  # noqa: ASYNC110 - a process ends
            await asyncio.sleep(0.01)
        yield
    finally:
        table.held = False


async def _bit_flip(line_up: LineUp, rng: random.Random) -> str:
    async with _table_down(line_up):
        path = rng.choice([p for p in _files(line_up) if p.stat().st_size])
        at = rng.randrange(path.stat().st_size)
        with path.open("r+b") as file:
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ 1 << rng.randrange(8)]))
    return f"one bit of {path.name}, byte {at}"


async def _halved(line_up: LineUp, rng: random.Random) -> str:
    async with _table_down(line_up):
        path = rng.choice([p for p in _files(line_up) if p.stat().st_size])
        size = path.stat().st_size
        left = rng.randrange(size)
        os.truncate(path, left)
    return f"{path.name} cut from {size} to {left} bytes"


async def _power_cut(line_up: LineUp, rng: random.Random) -> str:
    async with _table_down(line_up):
        shutil.rmtree(line_up.keys, ignore_errors=True)
        await asyncio.sleep(_long(line_up, rng, 0.1, 2.0))
    return "kill -9 and the tmpfs is empty"


def _files(line_up: LineUp) -> list[Path]:
    journal = line_up.journal
    both = (journal, journal.with_name(f"{journal.name}-wal"))
    return [path for path in both if path.exists()]


def _all() -> list[Fault]:
    faults = [
        Fault("wire cut", "wire", "wire", BLIND, _cut),
        Fault("wire garbled", "wire", "wire", BLIND, _garble),
        Fault("wire stalled", "wire", "wire", BLIND, _stall),
        Fault("device rebooted", "wire", "wire", frozenset({"blind", "deaf"}), _reboot),
        Fault("broker gone", "broker", "broker", NOTHING, _broker_gone),
        Fault("broker hung", "broker", "broker", NOTHING, _broker_hung),
        Fault("disk slow", "disk", "table", BLIND, _slow_disk),
        Fault("disk full", "disk", "table", FORGETS, _full_disk),
        Fault("disk read-only", "disk", "table", FORGETS, _read_only),
        Fault("bit flipped", "damage", "table", FORGETS, _bit_flip),
        Fault("file halved", "damage", "table", FORGETS, _halved),
        Fault("power cut", "damage", "table", BLIND, _power_cut),
    ]
    costs = {"table": BLIND, "room": NOTHING, "screen": NOTHING}
    for name, allows in costs.items():
        faults.append(Fault(f"{name} killed", "kill", name, allows, _kill(name)))
        faults.append(Fault(f"{name} stopped", "still", name, allows, _still(name)))
    for name, point, most in (
        ("table", "before-commit", 40),
        ("table", "after-commit", 40),
        ("table", "key-file", 4),
        ("room", "before-commit", 20),
        ("room", "after-commit", 20),
    ):
        do = _kill_at(name, point, most)  # type: ignore[arg-type]
        faults.append(Fault(f"{name} killed {point}", "point", name, costs[name], do))
    for name in ("table", "room"):
        faults.append(Fault(f"clock of {name}", "clock", f"clock {name}", NOTHING, _clock(name)))
        for how in ("slow", "dead", "cut", "drop"):
            do = _network(name, how)
            faults.append(Fault(f"way of {name} {how}", "broker", f"way {name}", NOTHING, do))
    return faults


FAULTS: Mapping[str, Fault] = {fault.name: fault for fault in _all()}
