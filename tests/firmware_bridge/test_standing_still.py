"""What comes late because the host does, or because this process has stood still."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_bridge.sensed import Press, Reader, Seen
from firmware_bridge.virtual.device import Device
from firmware_bridge.wiring import Wiring
from tests.firmware_bridge.recorded_table import CARDS, STEP_S, Table, pico


@pytest.mark.parametrize(("speed", "presses"), [(1.0, 0), (0.5, 0), (10.0, 1)])
def test_where_time_runs_faster_the_host_may_be_so_much_later(speed: float, presses: int) -> None:
    device = pico()
    wiring = Wiring("p", ("seat/1", "seat/2", "board"), ((1, "fold"), (2, "call")))
    table = Table((wiring, device), speed=speed)
    table.plug()
    table.run(2.0)
    device.edge(0, True, table.now)
    for _ in range(50):  # time passes here, and nothing comes
        table.now += 0.1
        table.wires.step(table.now)
    table.run(1.0)
    assert sum(isinstance(value, Press) for value in table.out) == presses
    assert table.wires.health().counters.stale_presses == 1 - presses


def test_what_was_pressed_while_this_process_stood_still_counts() -> None:
    device = pico()
    table = Table((Wiring("p", ("seat/1", "seat/2", "board"), ((1, "fold"), (2, "call"))), device))
    table.plug()
    table.run(2.0)
    table.now += 1.0
    device.edge(0, True, table.now)
    table.now += 5.0
    table.run(1.0)
    [press] = [value for value in table.out if isinstance(value, Press)]
    assert (press.seat, press.button) == (1, "fold")
    assert table.wires.health().counters.stale_presses == 0


def stands_still(
    table: Table, seconds: float, *happens: tuple[float, Callable[[], None]], steps_first: bool
) -> None:
    """The process does, while this happens after so many seconds; then what the devices have said
    is read, port by port."""
    began, coming = table.now, list(happens)
    while table.now < began + seconds:
        while coming and table.now >= began + coming[0][0]:
            coming.pop(0)[1]()
        for port in table.ports.values():
            port.from_device += port.peer.poll(table.now)
        table.now += STEP_S
    if steps_first:
        table.wires.step(table.now)
    for name, port in table.ports.items():
        data, port.from_device = port.from_device, b""
        table.wires.received(name, data, table.now)
    if not steps_first:
        table.wires.step(table.now)
    table._due = table.now + table.wires.step_s


@pytest.mark.parametrize("steps_first", [True, False])
@pytest.mark.parametrize(("speed", "seconds"), [(1.0, 0.9), (5.0, 4.0)])
def test_what_came_while_this_process_stood_still_keeps_its_order(
    speed: float, seconds: float, steps_first: bool
) -> None:
    felt = Device(zones=2, buttons=0, boot_id=7, now=99.0, unique_id=b"felt" * 2)
    seats = Device(zones=1, buttons=1, boot_id=8, now=99.0, unique_id=b"seat" * 2)
    table = Table(
        (Wiring("felt", ("burn", "board")), felt),
        (Wiring("seats", ("seat/1",), ((1, "check"),)), seats),
        speed=speed,
    )
    table.plug()
    table.run(2.0)
    began = table.now
    stands_still(
        table,
        seconds,
        (0.2, lambda: seats.edge(0, True, table.now)),
        (0.4, lambda: felt.place(0, CARDS[0])),
        steps_first=steps_first,
    )
    felt.place(1, CARDS[1])
    table.run(2.0)
    came = [v for v in table.out if isinstance(v, Seen | Press)]
    where = [v.zone if isinstance(v, Seen) else v.button for v in came]
    assert where == ["check", "burn", "board"]
    assert came[0].t - began < 0.3
    assert came[1].t - began < 0.6
    assert not [v for v in table.out if isinstance(v, Reader) and v.t > began]
    assert table.wires.health().counters.late == 0
