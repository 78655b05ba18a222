"""What a Pico counts of each antenna: the firmware's own arithmetic, and the real firmware."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from firmware_bridge.link.messages import Tally, Zone, from_frame, to_frame
from firmware_bridge.link.values import ZoneScan
from firmware_bridge.pico.sim import wiring
from firmware_bridge.pico.sim.pico import SimulatedPico
from firmware_bridge.pico.sim.pn5180 import Trouble
from tests.firmware_pico.host import Host
from tests.firmware_pico.test_pico_codec import READ, run

pytestmark = pytest.mark.usefixtures("micropython")

ALIKE = ("E004015000000012", "E004015000000022")
"""Their last four bits are the same: they answer in one of the sixteen slots, and collide."""


def test_what_a_chip_has_counted_belongs_to_the_antenna_that_was_scanned(micropython: str) -> None:
    """Zones 0 and 1 share a chip, zone 2 has one that knows nothing of collisions or retries."""
    source = f"""{READ}
import tally
one, two = tally.Counts(0, 0), tally.Counts()
t = tally.Tally([one, one, two])
one.collisions = 3
t.scanned(0, 1000)
one.retries, two.errors = 2, 1
t.scanned(1, 2000)
t.scanned(2, 3000)
one.collisions += 4
t.scanned(0, 1500)
for zone in range(3): show(t.payload(zone))
"""
    told = [bytes.fromhex(line) for line in run(micropython, source)]
    numbers = [
        [int.from_bytes(payload[at : at + 4], "little") for at in range(0, 20, 4)]
        for payload in told
    ]
    unknown = 0xFFFFFFFF
    assert numbers == [
        [2, 1500, 7, 0, 0],
        [1, 2000, 0, 2, 0],
        [1, 3000, unknown, unknown, 1],
    ]


def test_a_zones_parts_leave_room_for_it(micropython: str) -> None:
    source = f"""{READ}
import messages
uids = [b"\\xe0\\x04\\x01\\x50" + n.to_bytes(4, "big") for n in range(given)]
for part in messages.zone_parts(2, 0, 7, uids, b"12345678901234567890"): show(part)
"""
    parts = [bytes.fromhex(line) for line in run(micropython, source, 60)]
    assert len(parts) == 3
    assert all(len(part) <= 240 and part.endswith(b"1234567890" * 2) for part in parts)
    zones = [from_frame(to_frame(Zone(0, 0)).__class__(0, 3, part)) for part in parts]
    assert [tag for zone in zones if isinstance(zone, Zone) for tag in zone.tags] == [
        f"E0040150{n:08X}" for n in range(60)
    ]


def test_a_host_that_knows_no_tally_reads_the_report_as_ever() -> None:
    """By the layout of revision 0 alone: what follows the tags is ignored."""
    with SimulatedPico() as pico, Host(pico.port) as host:
        for uid in ALIKE:
            pico.air.place(1, uid)
        host.up()
        host.until(lambda: any(len(scan.tags) == 2 for scan in scans(host, 1)))
        payloads = [frame.payload for frame in host.frames if frame.msg == 0x03]
    assert host.session.hello is not None
    assert host.session.hello.revision == 1
    seen = set()
    for payload in payloads:
        uids, at = [], 9
        for _ in range(payload[8]):
            uids.append(payload[at + 1 : at + 1 + payload[at]].hex().upper())
            at += 1 + payload[at]
        assert len(payload) - at == 20
        seen.add((payload[0], tuple(sorted(uids))))
    assert (1, ALIKE) in seen


def scans(host: Host, zone: int) -> list[ZoneScan]:
    return [v for v in host.values if isinstance(v, ZoneScan) and v.zone == zone]


def tally_of(scan: ZoneScan) -> Tally:
    assert scan.tally is not None
    return scan.tally


def test_the_firmware_numbers_scans_and_counts_collisions_and_failures() -> None:
    with SimulatedPico() as pico, Host(pico.port) as host:
        pico.air.place(0, ALIKE[0])
        host.up()
        host.until(lambda: any(len(scan.tags) == 1 for scan in scans(host, 0)))
        assert {tally_of(scan).collisions for scan in scans(host, 0)} == {0}
        pico.air.place(0, ALIKE[1])
        host.until(lambda: any(len(scan.tags) == 2 for scan in scans(host, 0)))
        # Quiet for longer than a second, so that scans are left out of the reports.
        host.until(lambda: gaps(host, 0)[-1] > 1)
        both = [tally_of(scan) for scan in scans(host, 0) if len(scan.tags) == 2]
        scanned = both[-1].scans - both[0].scans
        assert scanned >= len(both)
        assert (both[-1].collisions or 0) - (both[0].collisions or 0) == scanned
        assert all(20_000 < tally.took_us < 10_000_000 for tally in both)
        pico.hang(2, Trouble.BUSY)
        host.until(lambda: any(scan.failed for scan in scans(host, 2)))
        host.until(lambda: (tally_of(scans(host, 2)[-1]).errors or 0) >= 1)
        assert {tally_of(scan).errors for scan in scans(host, 0)} == {0}
        assert {tally_of(scan).retries for scan in scans(host, 0)} == {0}
        numbers = [tally_of(scan).scans for scan in scans(host, 1)]
    assert numbers == sorted(set(numbers))
    assert not pico.crashes


def gaps(host: Host, zone: int) -> list[int]:
    """How many scans each report stands for."""
    numbers = [tally_of(scan).scans for scan in scans(host, zone)]
    return [0, *(b - a for a, b in itertools.pairwise(numbers))]


def test_a_pn532_can_not_tell_collisions(tmp_path: Path) -> None:
    shipped = wiring.SHIPPED.read_text("utf-8")
    file = tmp_path / "wiring.py"
    reader = {"chip": "PN532", "uart": 1, "tx": 8, "rx": 9, "reset": 20}
    file.write_text(
        shipped
        + f"\nSPI = None\nREADERS = ({json.dumps(reader)},)\nZONES = ((0, 0),)\n"
        + "NEIGHBOURS = ()\nBUTTONS = ()\nLAMPS = (28, 0)\nBORDERS = ()\n"
    )
    with SimulatedPico(file) as pico, Host(pico.port) as host:
        host.up()
        host.until(lambda: len(scans(host, 0)) > 2)
    tally = tally_of(scans(host, 0)[-1])
    assert (tally.collisions, tally.retries) == (None, None)
    assert tally.errors is not None  # on a machine that stands still for a while a reply is late
    assert not pico.crashes
