"""The firmware's drivers and scheduler, run for real, against simulated chips and tags."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from firmware_bridge.link.messages import SetScan
from firmware_bridge.link.values import ZoneScan
from firmware_bridge.pico.sim import wiring
from firmware_bridge.pico.sim.pico import FIRMWARE, SimulatedPico
from firmware_bridge.pico.sim.pn532_lines import HsuChip
from firmware_bridge.pico.sim.pn5180 import Pn5180Chip, Trouble
from tests.firmware_pico.host import Host, edited, flawless

pytestmark = pytest.mark.usefixtures("micropython")

# They collide in their first bits, and some in many: the last two differ in the 33rd only.
STACK = [f"E00401500000{number * 0x111:04X}" for number in range(14)]
STACK += ["E004015012345677", "E004015112345677"]
PN532 = {
    "uart": {"chip": "PN532", "uart": 1, "tx": 8, "rx": 9, "reset": 10},
    "spi": {"chip": "PN532", "bus": "spi", "nss": 8, "reset": 10},
    "i2c": {"chip": "PN532", "bus": "i2c", "i2c": 0, "sda": 8, "scl": 9, "reset": 10},
}
MIXED = """
SPI = (0, 18, 19, 16)
READERS = (
    {pn532},
    {"chip": "PN5180", "nss": 17, "busy": 20, "reset": 21, "select": (11, 12)},
)
ZONES = ((0, 0), (1, 0), (1, 1), (1, 2))
NEIGHBOURS = ((0, 1), (1, 2))
BORDERS = ()
CYCLE_MS = 120
BUTTONS = ()
LAMPS = (0, 0)
"""


@pytest.fixture(params=PN532)
def mixed(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A PN532 by each of its lines, beside a PN5180 with an antenna switch."""
    path = tmp_path / "mixed.py"
    path.write_text(MIXED.replace("{pn532}", repr(PN532[request.param])), "utf-8")
    return path


def noisy(pico: SimulatedPico, noise: float) -> None:
    for chip in pico.board.chips:
        assert isinstance(chip, Pn5180Chip)
        chip.noise = noise


# At 60 ms, as shipped, a busy machine may not get through a set in a minute.
@pytest.mark.parametrize("visit_ms", [0, 300])
def test_every_tag_of_a_stack_is_read_again_and_again(visit_ms: int, tmp_path: Path) -> None:
    file = edited(
        wiring.SHIPPED, tmp_path / "wiring.py", ("VISIT_MS = 60", f"VISIT_MS = {visit_ms}")
    )
    with SimulatedPico(file) as pico, Host(pico.port) as host:
        for tag in STACK:
            pico.air.place(0, tag)
        for tag in STACK[:3]:
            pico.air.place(1, tag.replace("E00401", "E01680"))
        host.sees(0, *STACK)
        host.sees(1, *(tag.replace("E00401", "E01680") for tag in STACK[:3]))

        # A slot is over after microseconds, in which a busy machine may not get to answer.
        def is_as_wanted(scan: ZoneScan) -> bool:
            assert set(scan.tags) <= set(STACK)
            return scan.complete and set(scan.tags) == set(STACK)

        for _ in range(3):
            host.scan(0, is_as_wanted)
        flawless(pico)


def test_more_tags_than_fit_one_frame() -> None:
    tags = [f"E00401500000{number * 0x35:04X}" for number in range(40)]
    with SimulatedPico() as pico, Host(pico.port) as host:
        for tag in tags:
            pico.air.place(2, tag)
        assert host.sees(2, *tags).complete
        assert max(len(frame.payload) for frame in host.frames) > 230
        flawless(pico)


def test_tags_come_and_go() -> None:
    one, two = STACK[:2]
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.sees(0)
        pico.air.place(0, one)
        came = host.sees(0, one)
        pico.air.place(0, two)
        pico.air.take(0, one)
        assert host.sees(0, two).t > came.t
        pico.air.take(0, two)
        host.sees(0)
        flawless(pico)


def test_a_field_full_of_noise_invents_nothing() -> None:
    with SimulatedPico(seed=7) as pico, Host(pico.port) as host:
        noisy(pico, 0.3)
        for tag in STACK[:6]:
            pico.air.place(1, tag)
        host.during(1)

        def scans_of_one() -> list[ZoneScan]:
            return [value for value in host.got(ZoneScan) if value.zone == 1 and not value.failed]

        host.until(scans_of_one)
        scans = scans_of_one()
        assert all(set(scan.tags) <= set(STACK[:6]) for scan in scans)
        noisy(pico, 0.0)
        host.sees(1, *STACK[:6])
        flawless(pico)


def test_neighbours_are_never_lit_together_though_others_are() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        host.up()
        host.session.command(SetScan(0))
        host.until(lambda: min(pico.air.energised) > 15 and pico.air.overlaps > 15)
        flawless(pico)


def test_the_simulator_notices_neighbours_lit_together(tmp_path: Path) -> None:
    careless = edited(
        wiring.SHIPPED,
        tmp_path / "careless.py",
        ("NEIGHBOURS = ((0, 1), (1, 2))", "NEIGHBOURS = ()"),
    )
    with SimulatedPico(believed=careless) as pico, Host(pico.port) as host:
        host.until(lambda: pico.air.violations)


@pytest.mark.parametrize("trouble", [t for t in Trouble if t is not Trouble.NONE])
def test_a_reader_that_fails_is_named_and_comes_back(trouble: Trouble) -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        for zone in range(3):
            pico.air.place(zone, STACK[zone])
        host.sees(1, STACK[1])
        pico.hang(1, trouble)
        assert host.scan(1, lambda scan: scan.failed).tags == ()
        host.sees(1, STACK[1])
        host.until(lambda: host.session.heartbeat and host.session.heartbeat.reader_faults)
        assert not [scan for scan in host.got(ZoneScan) if scan.failed and scan.zone != 1]
        assert pico.boots == 1
        flawless(pico)


def test_a_reader_that_stays_dead_does_not_hold_up_the_others() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        pico.air.place(0, STACK[0])
        pico.hang(1, Trouble.DEAD, heals=False)
        host.sees(0, STACK[0])
        host.during(1.2)
        begin = len(host.values)
        pico.air.take(0, STACK[0])
        host.sees(0)
        host.scan(1, lambda scan: scan.failed)
        scans = [value for value in host.values[begin:] if isinstance(value, ZoneScan)]
        assert all(scan.failed == (scan.zone == 1) for scan in scans)
        beat = host.session.heartbeat
        assert beat
        assert 1 <= beat.reader_faults <= 8  # it is tried later and later
        flawless(pico)


def test_no_reader_is_there_at_all() -> None:
    with SimulatedPico() as pico:
        for reader in range(3):
            pico.hang(reader, Trouble.DEAD, heals=False)
        with Host(pico.port) as host:
            host.up()
            for zone in range(3):
                host.scan(zone, lambda scan: scan.failed)
            pico.press(0)
            host.until(lambda: [value for value in host.values if hasattr(value, "pressed")])
        flawless(pico)


def test_a_pn532_and_a_reader_behind_an_antenna_switch(mixed: Path) -> None:
    with SimulatedPico(mixed) as pico, Host(pico.port) as host:
        hello = host.up().hello
        assert (hello.zones, hello.buttons, hello.lamps) == (4, 0, 0)
        host.sees(0)
        pico.air.place(0, "11223344")
        host.sees(0, "11223344")
        pico.air.place(0, "04A1B2C3D4E5F6")
        for zone in (1, 2, 3):
            pico.air.place(zone, STACK[zone])
        begin = len(host.values)
        host.sees(0, "04A1B2C3D4E5F6", "11223344")
        for zone in (1, 2, 3):
            host.sees(zone, STACK[zone])

        def scans() -> list[ZoneScan]:
            return [v for v in host.values[begin:] if isinstance(v, ZoneScan) and v.zone == 0]

        host.until(lambda: len(scans()) >= 5)
        assert {len(scan.tags) for scan in scans()[2:] if not scan.failed} == {2}
        flawless(pico)


@pytest.mark.parametrize("mixed", ["uart"], indirect=True)
def test_a_pause_after_a_pn532_was_asked_in_vain_is_no_silence_of_it(
    mixed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever holds the firmware up just then for longer than a command is acknowledged in.

    On a busy machine it may be held up before it reads, too: then the chip has answered long since.
    """
    write, read = HsuChip.write, HsuChip.read
    asked = dict[HsuChip, float]()

    def writes(chip: HsuChip, data: bytes) -> None:
        write(chip, data)
        asked[chip] = time.monotonic()

    def reads(chip: HsuChip) -> bytes:
        if time.monotonic() - asked.pop(chip, 0.0) > 0.02:
            return read(chip)
        time.sleep(0.06)
        return b""

    monkeypatch.setattr(HsuChip, "write", writes)
    monkeypatch.setattr(HsuChip, "read", reads)
    with SimulatedPico(mixed) as pico, Host(pico.port) as host:
        pico.air.place(0, "11223344")
        host.sees(0, "11223344")
        host.during(1.0)
        assert not [scan for scan in host.got(ZoneScan) if scan.failed]
        flawless(pico)


def test_a_pn532_that_hangs_is_reset_and_comes_back(mixed: Path) -> None:
    with SimulatedPico(mixed) as pico, Host(pico.port) as host:
        pico.air.place(0, "11223344")
        host.sees(0, "11223344")
        pico.hang(0)
        host.scan(0, lambda scan: scan.failed)
        host.sees(0, "11223344")
        flawless(pico)


def test_a_mute_pn532_does_not_hold_up_the_reader_beside_it(mixed: Path) -> None:
    with SimulatedPico(mixed) as pico, Host(pico.port) as host:
        pico.hang(0, heals=False)
        host.up()
        host.scan(0, lambda scan: scan.failed)
        pico.air.place(2, STACK[2])
        host.sees(2, STACK[2])
        host.scan(0, lambda scan: scan.failed)
        flawless(pico)


def test_uids_of_ten_bytes_at_a_pn532(mixed: Path) -> None:
    """Over I2C their list is longer than what is read at first."""
    tags = ("0A" * 10, "0B" * 10)
    with SimulatedPico(mixed) as pico, Host(pico.port) as host:
        for tag in tags:
            pico.air.place(0, tag)
        host.sees(0, *tags)
        flawless(pico)


def test_a_pn532_that_is_spoken_to_too_soon_stays_mute(tmp_path: Path, mixed: Path) -> None:
    """The driver as it was, which waited for 3 ms."""
    hasty = tmp_path / "hasty"
    shutil.copytree(FIRMWARE, hasty, ignore=shutil.ignore_patterns("sim", "__pycache__"))
    edited(
        FIRMWARE / "pn532.py",
        hasty / "pn532.py",
        ("_RESET_US = const(50000)", "_RESET_US = const(0)"),
        ("_START_US = const(200000)", "_START_US = const(3000)"),
    )
    with SimulatedPico(mixed, firmware=hasty) as pico, Host(pico.port) as host:
        host.scan(0, lambda scan: scan.failed)
        host.during(0.7)
        host.scan(0, lambda scan: scan.failed)
        assert not [s for s in host.got(ZoneScan) if s.zone == 0 and not s.failed]
        flawless(pico)
