"""Where two Picos meet: both firmwares run for real, the air they share is the judge."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
import serial

from controller.install.pico.boards import board
from firmware_bridge.flashing import form
from firmware_bridge.link.values import ZoneScan
from firmware_bridge.pico.sim import wiring
from firmware_bridge.pico.sim.pico import SimulatedPico
from firmware_bridge.pico.sim.pn5180 import Trouble
from tests.firmware_pico.borders import HERE, THERE, Pair, alone, hurried, pair, wirings
from tests.firmware_pico.host import Host, edited, flawless, until_said
from tests.waiting import wait_until

pytestmark = pytest.mark.usefixtures("micropython")


def both_scan(both: Pair) -> None:
    """Both antennas that meet are lit again and again, and never together."""
    lit = list(both.one.air.energised)
    for zone in (HERE, THERE):
        both.until(lambda zone=zone: both.one.air.energised[zone] > lit[zone] + 3)  # type: ignore[misc]
    assert not both.one.air.violations


def test_antennas_that_meet_are_never_lit_together(tmp_path: Path) -> None:
    first, other = wirings(tmp_path)
    only = [alone(first, HERE), alone(other, 0)]  # nothing but the border: all is contention
    with pair(*only, firmware=hurried(tmp_path)) as both:
        both.at_full_speed()
        lit = both.one.air.energised
        both.until(lambda: sum(lit) > 300 and min(lit) > 25)
        assert not both.one.air.violations


def test_a_border_of_several_antennas(tmp_path: Path) -> None:
    first, other = wirings(tmp_path, (0, 2), (0, 2))
    with pair(first, other, firmware=hurried(tmp_path)) as both:
        both.at_full_speed()
        air = both.one.air
        both.until(lambda: min(air.energised) > 30 and air.overlaps > 30)
        assert not both.one.air.violations


@pytest.mark.parametrize(("label", "beside"), ["AB", "BC", "CD"])
def test_the_boards_of_the_guide_are_never_lit_together_where_they_meet(
    tmp_path: Path, label: str, beside: str
) -> None:
    files = []
    for name, zone in ((label, HERE), (beside, 0)):  # with the one border that they share
        values = form.values_of(board(name, None).wiring)
        ours = [border for border in values["BORDERS"] if border["zones"] == (zone,)]
        assert len(ours) == 1
        boards = tmp_path / "boards.toml"
        boards.write_text(f"[boards.{name}]\nborders = [{toml(ours[0])}]\n", "utf-8")
        files.append(tmp_path / f"{name}.py")
        files[-1].write_text(board(name, boards).wiring, "utf-8")
    with pair(*files, firmware=hurried(tmp_path)) as both:
        both.at_full_speed()
        lit = both.one.air.energised
        both.until(lambda: min(lit[HERE], lit[THERE]) > 30 and both.one.air.overlaps > 10)
        assert not both.one.air.violations


def toml(border: Mapping[str, object]) -> str:
    return f"{{ {', '.join(f'{key} = {json.dumps(value)}' for key, value in border.items())} }}"


def test_both_sides_are_scanned_as_often_as_without_a_border(tmp_path: Path) -> None:
    with pair(*wirings(tmp_path)) as both:
        for host in both.hosts:
            host.up()

        faults = [0, 0]

        def even() -> bool:  # unless one of them has to wait for a processor just then
            nonlocal faults
            before, lit, faults = faults, both.during(1.9), both.faults()
            return min(lit) > 4 and max(lit) - min(lit) <= 2 and faults == before

        wait_until(even)
        assert not both.one.air.violations


def test_a_cut_wire_is_told_by_the_air(tmp_path: Path) -> None:
    with pair(*wirings(tmp_path), firmware=hurried(tmp_path)) as both:
        both.at_full_speed()
        both_scan(both)
        both.one.board.cut()
        both.until(lambda: both.one.air.violations)
        assert {frozenset(pair) for pair in both.one.air.violations} == {frozenset((HERE, THERE))}


def test_a_pico_that_loses_its_power_in_mid_scan(tmp_path: Path) -> None:
    with pair(*wirings(tmp_path)) as both:
        both.at_full_speed()
        for boots in (2, 3):
            for pico, zone in ((both.one, HERE), (both.two, THERE)):
                both.until(lambda zone=zone: both.one.air.is_on(zone))  # type: ignore[misc]
                pico.reboot()
                both.until(lambda pico=pico, boots=boots: pico.boots == boots)  # type: ignore[misc]
                both_scan(both)


def test_a_pico_that_hangs_keeps_its_flag_until_its_watchdog_bites(tmp_path: Path) -> None:
    with pair(*wirings(tmp_path)) as both:
        air = both.one.air
        both.at_full_speed()
        both_scan(both)
        while not both.one.frozen or not air.is_on(HERE):
            both.one.frozen = False
            both.until(lambda: air.is_on(HERE))
            both.one.frozen = True
            both.during(0.02)
        hangs = time.monotonic()
        lit = list(air.energised)
        both.until(lambda: min(air.energised[THERE + 1 :]) >= max(lit) + 2)
        assert air.energised[THERE] == lit[THERE]
        assert both.one.boots == 1
        both.until(lambda: both.one.boots == 2)
        both_scan(both)
        both.until(lambda: both.faults()[1])
        assert both.faults()[1] <= 2 + (time.monotonic() - hangs) / 0.2  # one for each of its turns
        assert not [scan for scan in both.hosts[1].got(ZoneScan) if scan.failed]


def test_a_field_that_does_not_go_off_keeps_its_flag_until_its_reader_is_reset(
    tmp_path: Path,
) -> None:
    with pair(*wirings(tmp_path)) as both:
        both.at_full_speed()
        both_scan(both)
        for pico, reader in ((both.one, HERE), (both.two, 0)):
            pico.hang(reader, Trouble.FIELD)
            both.until(lambda chip=pico.board.chips[reader]: chip.trouble is Trouble.NONE)  # type: ignore[misc]
            both_scan(both)


def test_a_reader_that_stays_dead_does_not_keep_its_flag(tmp_path: Path) -> None:
    first, other = wirings(tmp_path)
    with pair(alone(first, HERE), alone(other, 0)) as both:
        both.until(lambda: min(both.one.air.energised) > 3)
        both.one.hang(HERE, Trouble.DEAD, heals=False)
        both.until(lambda: [scan.failed for scan in both.hosts[0].got(ZoneScan)][-1:] == [True])
        lit = both.one.air.energised[1]
        both.until(lambda: both.one.air.energised[1] >= lit + 3)
        assert not both.one.air.violations


def test_a_neighbour_that_is_switched_off_is_dark(tmp_path: Path) -> None:
    first, other = wirings(tmp_path)
    off = SimulatedPico(first)
    with SimulatedPico(other, beside=off) as pico, Host(pico.port) as host:
        host.sees(0)
        host.until(lambda: pico.air.energised[THERE] >= 5 and host.session.heartbeat)
        assert host.session.heartbeat
        assert not host.session.heartbeat.reader_faults
        flawless(pico)


def test_a_pin_of_a_border_is_wired_once(tmp_path: Path) -> None:
    border = '\nBORDERS = ({"zones": (2,), "ours": 1, "theirs": 28, "first": True},)'
    doubled = edited(wiring.SHIPPED, tmp_path / "doubled.py", ("\nBORDERS = ()", border))
    with SimulatedPico(believed=doubled) as pico, serial.Serial(pico.port, timeout=0) as line:
        until_said(line, "GPIO 28 is wired twice: border 0 theirs, lamps")
