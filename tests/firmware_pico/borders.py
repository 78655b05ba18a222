"""Two simulated Picos that meet: zone 2 of the one, zone 0 (in their common air 3) of the other."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from firmware_bridge.link.messages import SetScan
from firmware_bridge.pico.sim import wiring
from firmware_bridge.pico.sim.pico import FIRMWARE, SimulatedPico
from tests.firmware_pico.host import Host, edited
from tests.waiting import PATIENCE_S

HERE, THERE = 2, 3
"""The zones that meet, by their numbers in the common air."""


def wirings(
    folder: Path, here: tuple[int, ...] = (2,), there: tuple[int, ...] = (0,)
) -> tuple[Path, Path]:
    """Write the shipped wiring twice, with a border of these zones, and return both files."""
    old = "\nBORDERS = ()"
    borders = (
        f'({{"zones": {here}, "ours": 1, "theirs": 12, "first": True}},)',
        f'({{"zones": {there}, "ours": 12, "theirs": 1, "first": False}},)',
    )
    first, other = (
        edited(wiring.SHIPPED, folder / name, (old, f"\nBORDERS = {border}"))
        for name, border in zip(("first.py", "other.py"), borders, strict=True)
    )
    return first, other


def alone(wired: Path, reader: int) -> Path:
    """Leave one antenna of a wiring, that of this reader, which lies at its border."""
    return edited(
        wired,
        wired.with_name(f"alone-{wired.name}"),
        ("ZONES = ((0, 0), (1, 0), (2, 0))", f"ZONES = (({reader}, 0),)"),
        ("NEIGHBOURS = ((0, 1), (1, 2))", "NEIGHBOURS = ()"),
        (f'\nBORDERS = ({{"zones": ({reader},)', '\nBORDERS = ({"zones": (0,)'),
    )


def hurried(folder: Path) -> Path:
    """Return the firmware with no pause between cycles, and none for the field to settle."""
    firmware = folder / "firmware"
    shutil.copytree(FIRMWARE, firmware, ignore=shutil.ignore_patterns("sim", "__pycache__"))
    edited(FIRMWARE / "scheduler.py", firmware / "scheduler.py", ("const(20000)", "const(1000)"))
    edited(FIRMWARE / "pn5180.py", firmware / "pn5180.py", ("settle_us = 6000", "settle_us = 0"))
    return firmware


class Pair(Struct):
    """Both Picos, and a host at each."""

    one: SimulatedPico
    two: SimulatedPico
    hosts: tuple[Host, Host]

    def at_full_speed(self) -> None:
        """Let both scan as fast as they can."""
        for host in self.hosts:
            host.up()
            host.session.command(SetScan(0))

    def during(self, seconds: float) -> list[int]:
        """Go on for so long; return how often each antenna was lit in this time."""
        before = list(self.one.air.energised)
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() >= end)
        return [after - b for after, b in zip(self.one.air.energised, before, strict=True)]

    def until(self, holds: Callable[[], object]) -> None:
        """Go on until it holds."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, f"not within {PATIENCE_S:.0f} s"
            for host in self.hosts:
                host.step()

    def faults(self) -> list[int]:
        """Return the `reader_faults` of the last heartbeats."""
        return [beat.reader_faults for host in self.hosts if (beat := host.session.heartbeat)]

    def crashes(self) -> list[str]:
        return self.one.crashes + self.two.crashes


@contextmanager
def pair(
    first: Path, other: Path, *, firmware: Path = FIRMWARE, watchdog_scale: float = 1.0
) -> Iterator[Pair]:
    """Run two Picos with these wirings, each in a process of its own."""
    with (
        SimulatedPico(first, firmware=firmware, watchdog_scale=watchdog_scale) as one,
        SimulatedPico(other, firmware=firmware, seed=1, beside=one) as two,
        Host(one.port) as first_host,
        Host(two.port) as other_host,
    ):
        both = Pair(one, two, (first_host, other_host))
        yield both
        assert not both.crashes()
