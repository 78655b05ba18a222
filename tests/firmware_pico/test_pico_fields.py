"""Antennas that sense each other's fields: what the data sheet has a PN5180 do, and the driver."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec import Struct

from firmware_bridge.link.messages import SetScan
from firmware_bridge.link.values import ZoneScan
from firmware_bridge.pico.sim import pn5180, wiring
from firmware_bridge.pico.sim.air import Air
from firmware_bridge.pico.sim.pace import Pace
from firmware_bridge.pico.sim.pico import SimulatedPico
from firmware_bridge.pico.sim.pn5180 import Pn5180Chip, Trouble
from tests.firmware_pico.host import Host, edited, flawless
from tests.firmware_pico.test_pico_chips import Clock, Spi
from tests.firmware_pico.test_pico_codec import run
from tests.waiting import wait_until


@pytest.mark.parametrize(("told", "lights"), [("16 00", False), ("16 01", True)])
def test_a_lit_antenna_bars_one_that_avoids_collisions(told: str, lights: bool) -> None:
    clock, air = Clock(), Air(2, [])
    one, two = (Spi(Pn5180Chip(air, lambda n=n: n, clock, Random(0)), clock) for n in (0, 1))  # type: ignore[misc]
    one.field()
    two.command("11 0d 8d")
    two.command(told)
    two.wait(0.01)
    irq = two.register(pn5180.IRQ_STATUS)
    assert air.is_on(1) == lights
    assert bool(irq & pn5180.RF_ON_IRQ) == lights
    assert bool(irq & pn5180.RF_ACTIVE_ERROR_IRQ) != lights


def test_nothing_bars_the_only_antenna_that_is_lit() -> None:
    clock, air = Clock(), Air(2, [])
    spi = Spi(Pn5180Chip(air, lambda: 0, clock, Random(0)), clock)
    spi.field()
    assert air.is_on(0)
    assert not spi.register(pn5180.IRQ_STATUS) & pn5180.RF_ACTIVE_ERROR_IRQ


@pytest.mark.usefixtures("micropython")
def test_antennas_that_sense_each_other_are_all_read() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        host.session.command(SetScan(0))
        for zone in range(3):
            pico.air.place(zone, f"E00401500000000{zone}")
        host.until(lambda: min(pico.air.energised) > 15 and pico.air.overlaps > 15)
        host.until(lambda: len(host.got(ZoneScan)) > 10)
        scans = host.got(ZoneScan)
        assert not [scan.zone for scan in scans if scan.failed]
        flawless(pico)


def chip(pico: SimulatedPico, reader: int) -> Pn5180Chip:
    found = pico.board.chips[reader]
    assert isinstance(found, Pn5180Chip)
    return found


@pytest.mark.usefixtures("micropython")
def test_a_field_that_is_barred_for_a_moment_is_tried_again_at_once() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        pico.air.place(1, TAG)
        host.sees(1, TAG)
        chip(pico, 1).barred = 2
        host.scan(1, lambda scan: scan.tally is not None and scan.tally.retries == 2)
        told = len(host.got(ZoneScan))
        host.until(lambda: len(host.got(ZoneScan)) > told + 3 and host.session.heartbeat)
        assert host.session.heartbeat
        assert host.session.heartbeat.reader_faults == 0
        assert not [scan for scan in host.got(ZoneScan) if scan.failed]
        flawless(pico)


@pytest.mark.usefixtures("micropython")
def test_a_field_that_stays_barred_is_left_out_then_failed_and_comes_back() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        pico.air.place(1, TAG)
        pico.air.place(0, OTHER)
        host.sees(1, TAG)
        chip(pico, 1).barred = 1_000_000
        host.until(lambda: host.session.heartbeat and host.session.heartbeat.reader_faults)
        pico.air.take(0, OTHER)
        host.sees(0)
        host.scan(1, lambda scan: scan.failed)
        assert {scan.zone for scan in host.got(ZoneScan) if scan.failed} == {1}
        lit = pico.air.energised[1]
        chip(pico, 1).barred = 0
        host.sees(1, TAG)
        assert pico.air.energised[1] > lit
        flawless(pico)


def test_while_it_is_barred_the_flag_of_its_border_is_down(micropython: str) -> None:
    source = """
import scheduler, tally
from faults import FieldBarredError
class Chip:
    counts = tally.Counts(0, 0)
    settle_us = 0
    tries = 0
    def kill(self): pass
    def start(self): yield
    def field_on(self):
        self.tries += 1
        yield
        raise FieldBarredError
now = [0]
def clock():
    now[0] += 100
    return now[0]
flag, chip = [0], Chip()
border = scheduler.Border((0,), lambda level: flag.append(level), lambda: 0, True)
scan = scheduler.Scheduler([(scheduler.Reader("r", chip), 0)], (), clock, None, 20, [border])
steps = scan.run()
seen = set()
while now[0] < 100000:
    next(steps)
    seen.add((chip.tries > chip.counts.retries, flag[-1]))
print(sorted(seen), chip.counts.retries > 10, scan.faults)
"""
    assert run(micropython, source) == ["[(False, 0), (True, 1)] True 0"]


# Reader 0 is well; the field of reader 1 is barred from `barred` to `clear`.
BARRED = """
import json, sys
import messages, scheduler, tally
from faults import FieldBarredError
given = json.load(sys.stdin)
now = [0]
def clock():
    now[0] += 100
    return now[0]
class Chip:
    settle_us = 0
    piecemeal = True
    start_us = 0
    def __init__(self): self.counts, self.starts = tally.Counts(0, 0), 0
    def kill(self): pass
    def start(self):
        self.starts += 1
        end = now[0] + self.start_us
        while clock() < end: yield
    def field_on(self):
        yield
        if self is chips[1] and given["barred"] < now[0] < given["clear"]: raise FieldBarredError
    def field_off(self): yield
    def inventory(self, job, until):
        job.masks = []
        yield
chips = [Chip(), Chip()]
chips[1].start_us = given.get("start_us", 0)
told = []
def report(zone, flags, t, uids, took):
    if zone and (not told or told[-1][0] != flags): told.append([flags, t])
readers = [scheduler.Reader("r", chip) for chip in chips]
scan = scheduler.Scheduler([(r, 0) for r in readers], (), clock, report, 20)
steps = scan.run()
while now[0] < given["until"]: next(steps)
print(json.dumps([told, scan.faults, [c.starts for c in chips], scan.slowest()]))
"""


class Barred(Struct, array_like=True):
    """What was told of the second zone where it changed (flags, time), and what was counted."""

    told: list[tuple[int, int]]
    faults: int
    starts: list[int]
    slowest: int


def barred(micropython: str, **given: int) -> Barred:
    [line] = run(micropython, BARRED, given)
    return msgspec.json.decode(line, type=Barred)


def test_a_field_that_is_barred_for_two_cycles_has_not_failed(micropython: str) -> None:
    ran = barred(micropython, barred=100_000, clear=500_000, until=1_000_000)
    assert ran.faults in (1, 2)
    assert {flags for flags, _ in ran.told} == {0}
    assert ran.starts == [1, 1]


def test_a_field_that_stays_barred_costs_the_others_less_and_less(micropython: str) -> None:
    ran = barred(micropython, barred=100_000, clear=100_000_000, until=20_000_000)
    assert ran.starts[0] == 1
    assert ran.starts[1] in (5, 6)  # again after 0.5, 1, 2, 4, 8 s
    assert ran.faults < 3 + 2 * 6
    failed = [t for flags, t in ran.told if flags == 2]
    assert 600_000 < failed[0] < 900_000
    assert ran.told[-1][0] == 2


def test_a_cycle_in_which_a_reader_is_started_is_no_measure(micropython: str) -> None:
    ran = barred(micropython, barred=0, clear=0, until=400_000, start_us=250_000)
    assert ran.starts == [1, 1]
    assert 20_000 <= ran.slowest < 30_000
    assert barred(micropython, barred=0, clear=0, until=200_000, start_us=250_000).slowest == 0


# --- what may be wired or set otherwise ---------------------------------------------------------

TAG, OTHER = "E004015000000001", "E004015000000012"
STACK = [f"E00401500000{number * 0x111:04X}" for number in range(14)]
IRQS = (1, 12, 11)


@pytest.fixture
def with_irq(tmp_path: Path) -> Path:
    """The shipped wiring with the readers' IRQ pins, and one button fewer."""
    resets = [f'"reset": {reset}}}' for reset in (21, 27, 15)]
    return edited(
        wiring.SHIPPED,
        tmp_path / "with_irq.py",
        *((old, f'{old[:-1]}, "irq": {irq}}}') for old, irq in zip(resets, IRQS, strict=True)),
        ("9, 10, 11)", "9, 10)"),
    )


def is_whole(host: Host, zone: int, tags: list[str]) -> bool:
    """Whether a set with all of these was told."""
    return any(
        scan.zone == zone and scan.complete and set(scan.tags) == set(tags)
        for scan in host.got(ZoneScan)
    )


@pytest.mark.usefixtures("micropython")
@pytest.mark.parametrize("irq_config", [0, 1, 2, 3])
def test_an_irq_pin_of_either_level_is_used(with_irq: Path, irq_config: int) -> None:
    with SimulatedPico(with_irq) as pico, Host(pico.port) as host:
        for reader in range(3):
            chip(pico, reader).irq_config = irq_config
        pico.reboot()
        for tag in STACK:
            pico.air.place(0, tag)
        host.sees(2)
        host.until(lambda: is_whole(host, 0, STACK))
        flawless(pico)


@pytest.mark.usefixtures("micropython")
def test_with_the_irq_pin_silence_costs_no_frames(with_irq: Path) -> None:
    def frames(file: Path) -> float:
        with SimulatedPico(file, pace=Pace()) as pico:
            wait_until(lambda: pico.air.energised[0] > 3)
            lit, sent = pico.air.energised[0], chip(pico, 0).frames
            wait_until(lambda: pico.air.energised[0] > lit + 20)
            return (chip(pico, 0).frames - sent) / (pico.air.energised[0] - lit)

    assert frames(with_irq) < 15 < frames(wiring.SHIPPED)


@pytest.mark.usefixtures("micropython")
def test_a_broken_irq_wire_is_a_reader_that_fails_and_no_empty_field(with_irq: Path) -> None:
    with SimulatedPico(with_irq) as pico, Host(pico.port) as host:
        pico.air.place(1, TAG)
        host.sees(1, TAG)
        chip(pico, 1).irq_is_cut = True
        begin = len(host.got(ZoneScan))
        host.scan(1, lambda scan: scan.failed)
        assert not [
            s for s in host.got(ZoneScan)[begin:] if s.zone == 1 and s.complete and not s.tags
        ]
        chip(pico, 1).irq_is_cut = False
        host.sees(1, TAG)
        flawless(pico)


@pytest.mark.usefixtures("micropython")
def test_an_irq_pin_is_used_again_after_a_start_that_failed(with_irq: Path) -> None:
    with SimulatedPico(with_irq) as pico, Host(pico.port) as host:
        pico.air.place(1, TAG)
        host.sees(1, TAG)
        pico.hang(1, Trouble.DEAD, heals=False)
        # Once as it was scanned, once as it was started.
        host.scan(1, lambda scan: bool(scan.tally and (scan.tally.errors or 0) > 1))
        pico.hang(1, Trouble.NONE)
        host.sees(1, TAG)
        chip(pico, 1).irq_is_cut = True
        host.scan(1, lambda scan: scan.failed)
        flawless(pico)


@pytest.mark.usefixtures("micropython")
@pytest.mark.parametrize("how", ["silent_eof", "read_clears"])
def test_a_chip_that_is_quieter_than_most_is_read_all_the_same(how: str, tmp_path: Path) -> None:
    # With all the time it wants, however slow this machine, so that it goes from slot to slot.
    patient = edited(wiring.SHIPPED, tmp_path / "patient.py", ("VISIT_MS = 60", "VISIT_MS = 0"))
    prepare: dict[str, Callable[[Pn5180Chip], None]] = {
        "silent_eof": lambda chip: setattr(chip, "silent_eof", True),
        "read_clears": lambda chip: setattr(chip, "irq_config", pn5180.IRQ_CLEARED_BY_READING),
    }
    with SimulatedPico(patient) as pico, Host(pico.port) as host:
        for reader in range(3):
            prepare[how](chip(pico, reader))
        for tag in STACK:
            pico.air.place(0, tag)
        host.until(lambda: is_whole(host, 0, STACK))
        silent = pico.air.energised[2]
        host.until(lambda: pico.air.energised[2] > silent + 5)
        assert not [scan for scan in host.got(ZoneScan) if scan.failed]
        flawless(pico)
