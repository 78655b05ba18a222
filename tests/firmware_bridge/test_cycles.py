"""The slowest scan cycle of each device: measured by boards themselves, by pollers as they read."""

from __future__ import annotations

import pytest

from firmware_bridge.cycles import KEPT_S, SlowestCycle
from firmware_bridge.readers.feig.virtual import VirtualFeig
from firmware_bridge.readers.pn532.virtual import VirtualPn532
from firmware_bridge.readers.rdm6300.virtual import VirtualRdm6300
from firmware_bridge.virtual.device import Device
from firmware_bridge.wiring import Wiring
from tests.firmware_bridge.recorded_table import STEP_S, Peer, Table
from tests.readers.test_pollers import feig

SEATS = ("seat/1", "seat/2", "seat/3")


def board(measured_us: int, *, zones: int = 3, buttons: int = 0) -> Device:
    name = b"BOARD%03d" % zones
    device = Device(zones=zones, buttons=buttons, boot_id=7, now=99.0, unique_id=name)
    device.measured_us = measured_us
    return device


def cycles(table: Table) -> dict[str, float | None]:
    return {link.port: link.cycle_s for link in table.wires.health().links}


def test_it_is_the_slowest_of_the_last_minute() -> None:
    slowest = SlowestCycle()
    assert slowest.seconds is None
    slowest.took(0.3, 0.0)
    for second in range(1, 200):
        slowest.took(0.1 + (second == 70) / 10, float(second))
        if second < KEPT_S:
            assert slowest.seconds == 0.3
        elif second < 70:
            assert slowest.seconds == 0.1
        elif second <= 70 + KEPT_S - 5:
            assert slowest.seconds == 0.2
    assert slowest.seconds == 0.1
    slowest.forget()
    assert slowest.seconds is None


def test_a_boards_own_measure_counts_not_what_it_is_set_to() -> None:
    device = board(0)
    table = Table((Wiring("/dev/a", SEATS), device))
    table.plug()
    table.run(3.0)
    assert cycles(table) == {"/dev/a": None}
    assert table.wires.card_cycle_s() is None
    assert table.wires.health().cycle_s == 0.12  # as it is set
    device.measured_us = 340_000
    table.run(1.5)
    device.measured_us = 210_000
    table.run(3.0)
    assert cycles(table) == {"/dev/a": 0.34}
    assert table.wires.card_cycle_s() == table.wires.health().card_cycle_s == 0.34
    assert table.wires.health().cycle_s == 0.21  # the last one
    table.unplug("/dev/a")
    assert cycles(table) == {"/dev/a": None}
    assert table.wires.card_cycle_s() is None


def test_another_boot_is_measured_anew() -> None:
    table = Table((Wiring("/dev/a", SEATS), board(900_000)))
    table.plug()
    table.run(2.0)
    assert table.wires.card_cycle_s() == 0.9
    table.unplug("/dev/a")
    again = Device(zones=3, buttons=0, boot_id=8, now=table.now, unique_id=b"BOARD003")
    again.measured_us = 200_000
    table.ports["/dev/a"].peer = again
    table.plug()
    table.run(2.0)
    assert table.wires.card_cycle_s() == 0.2


@pytest.mark.parametrize("peer", [VirtualPn532, lambda: VirtualFeig(1)])
def test_a_reader_is_measured_from_scan_to_scan(peer: type[Peer]) -> None:
    kind = "pn532" if peer is VirtualPn532 else "feig"
    table = Table((Wiring("/dev/r", ("seat/1",), device=kind), peer()))
    table.plug()
    table.run(5.0)
    measured = table.wires.card_cycle_s()
    last = table.wires.health().cycle_s
    assert measured is not None
    assert 0 < last <= measured <= 3 * last


def test_neither_the_pucks_reader_nor_a_board_without_antennas_counts() -> None:
    buttons = Wiring("/dev/b", (), ((1, "check"),))
    table = Table(
        (Wiring("/dev/a", SEATS), board(150_000)),
        (buttons, board(800_000, zones=0, buttons=1)),
        (Wiring("/dev/p", ("seat/1",), device="rdm6300"), VirtualRdm6300()),
    )
    table.plug()
    table.run(3.0)
    assert {link.state for link in table.wires.health().links} == {"up"}
    told = cycles(table)
    assert (told["/dev/a"], told["/dev/b"]) == (0.15, None)
    assert told["/dev/p"] is not None
    assert told["/dev/p"] > 0.15
    assert table.wires.card_cycle_s() == 0.15


def test_a_stall_of_this_process_is_no_cycle_of_the_readers() -> None:
    wire = feig(2)
    wire.run(3.0)
    before = wire.poller.slowest_cycle_s
    assert before is not None
    wire.now += 0.9  # nobody calls the poller meanwhile
    wire.run(1.0)
    assert wire.poller.slowest_cycle_s == pytest.approx(before, abs=2 * STEP_S)


def test_an_antenna_that_was_lost_has_no_cycle_of_that_time() -> None:
    wire = feig(2)
    wire.run(3.0)
    before = wire.poller.slowest_cycle_s
    assert before is not None
    wire.disturb = lambda _data: b""
    wire.run(5.0)
    wire.disturb = lambda data: data
    wire.run(2.0)
    assert wire.poller.slowest_cycle_s is not None
    assert wire.poller.slowest_cycle_s < 2 * before
