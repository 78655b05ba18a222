"""Antennas that sense each other's fields: what the data sheet has a PN5180 do, and the driver."""

from __future__ import annotations

from random import Random

import pytest

from firmware_bridge.link.messages import SetScan
from firmware_bridge.link.values import ZoneScan
from firmware_bridge.pico.sim import pn5180
from firmware_bridge.pico.sim.air import Air
from firmware_bridge.pico.sim.pico import SimulatedPico
from firmware_bridge.pico.sim.pn5180 import Pn5180Chip
from tests.firmware_pico.host import Host, flawless
from tests.firmware_pico.test_pico_chips import Clock, Spi


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
        scans = host.got(ZoneScan)
        assert len(scans) > 10
        assert not [scan.zone for scan in scans if scan.failed]
        flawless(pico)
