"""PROTOCOL.md's duties of a device, one by one, for the virtual table and for the firmware."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeVar

import pytest

from firmware_bridge.link.frames import Frame, Kind, encode
from firmware_bridge.link.messages import (
    Ack,
    Button,
    ButtonReceipt,
    Command,
    Heartbeat,
    Hello,
    HelloRequest,
    Identify,
    Lamp,
    Message,
    Nak,
    NakReason,
    SetScan,
    Time,
    TimeQuery,
    Zone,
    ZoneFlag,
    to_frame,
)
from tests.firmware_pico.devices import BUTTONS, LAMPS, ZONES, Hands, Wire, pico, virtual
from tests.waiting import wait_until

TAG, OTHER = "E004015000A1B2C3", "E004015000A1B2D3"
M = TypeVar("M", bound=Message)


@pytest.fixture(params=["virtual", "pico"])
def device(request: pytest.FixtureRequest) -> Iterator[Hands]:
    if request.param == "pico":
        request.getfixturevalue("micropython")
    with virtual() if request.param == "virtual" else pico() as hands:
        yield hands


@pytest.fixture
def wire(device: Hands) -> Iterator[Wire]:
    wire = Wire(device.port)
    yield wire
    wire.close()


def only(wire: Wire, kind: type[M], since: int = 0) -> list[M]:
    return [message for _, message in wire.got(kind, since)]


def greet(wire: Wire, seq: int = 1) -> Hello:
    _, hello = wire.answer(HelloRequest(), seq)
    assert isinstance(hello, Hello)
    return hello


def beat(wire: Wire) -> Heartbeat:
    """Return the next heartbeat."""
    since = len(wire.frames)
    wire.until(lambda: wire.got(Heartbeat, since))
    return only(wire, Heartbeat, since)[0]


def test_hello_is_answered_and_true(wire: Wire) -> None:
    hello = greet(wire, 200)
    assert hello.protocol == 1
    assert hello.revision in (0, 1)
    assert (hello.zones, hello.buttons, hello.lamps) == (ZONES, BUTTONS, LAMPS)
    assert (hello.max_payload, hello.ring, hello.next_edge) == (240, 32, 1)
    assert len(hello.unique_id) == 8


def test_reports_have_a_tally_from_revision_1_on_and_none_before(wire: Wire) -> None:
    since = len(wire.frames)
    revision = greet(wire).revision
    wire.until(lambda: len([z for z in only(wire, Zone, since) if z.zone == 0]) > 2)
    tallies = [zone.tally for zone in only(wire, Zone, since) if zone.zone == 0]
    numbers = [tally.scans for tally in tallies if tally is not None]
    if revision == 0:
        assert numbers == []
    else:
        assert len(numbers) == len(tallies)
        assert all(b > a > 0 for a, b in pairwise(numbers))


def test_numbers_and_ticks_run_on(device: Hands, wire: Wire) -> None:
    greet(wire)
    device.press(0)
    for seq in range(20):
        wire.send(TimeQuery(), seq)
    wire.until(lambda: len(wire.frames) > 35)
    assert all((b.seq - a.seq) & 0xFF == 1 for a, b in pairwise(wire.frames))
    assert all((b.ticks - a.ticks) & 0xFFFFFFFF < 1 << 31 for a, b in pairwise(wire.frames))


def test_the_time_lies_before_that_of_its_answer(wire: Wire) -> None:
    frame, time = wire.answer(TimeQuery(), 9)
    assert isinstance(time, Time)
    assert 0 <= (frame.ticks - time.received_ticks) & 0xFFFFFFFF < 100_000


def test_a_zone_is_told_in_full_on_change_then_every_second_and_when_hello_is_asked(
    device: Hands, wire: Wire
) -> None:
    device.place(1, TAG)
    wire.until(lambda: [zone for zone in only(wire, Zone) if zone.zone == 1 and zone.tags])
    since = len(wire.frames)
    device.place(1, OTHER)

    def told() -> list[Zone]:
        return [zone for zone in only(wire, Zone, since) if zone.zone == 1 and len(zone.tags) == 2]

    wire.until(lambda: len(told()) >= 3)
    assert all(set(zone.tags) == {TAG, OTHER} for zone in told())
    wire.during(0.3)

    def once_or_twice() -> bool:
        since = len(wire.frames)
        wire.during(1.2)
        return 1 <= len([zone for zone in only(wire, Zone, since) if zone.zone == 1]) <= 2

    wait_until(once_or_twice)

    def all_at_once() -> bool:
        since = len(wire.frames)
        hello, _ = wire.answer(HelloRequest(), 1)
        wire.until(lambda: {zone.zone for zone in only(wire, Zone, since)} == set(range(ZONES)))
        last = {zone.zone: frame.ticks for frame, zone in reversed(wire.got(Zone, since))}
        return all((ticks - hello.ticks) % (1 << 32) < 500_000 for ticks in last.values())

    wait_until(all_at_once)
    every = [(zone.zone, zone.scan_ticks) for zone in only(wire, Zone)]
    assert len(set(every)) == len(every), "a scan was reported twice"


def test_a_set_too_large_for_a_frame_comes_in_parts(device: Hands, wire: Wire) -> None:
    tags = {f"E00401500000{number * 0x35:04X}" for number in range(30)}
    for tag in tags:
        device.place(2, tag)

    def whole() -> bool:
        parts = [zone for zone in only(wire, Zone) if zone.zone == 2 and zone.parts == 2]
        scans = {part.scan_ticks for part in parts}
        return any(
            {tag for part in parts if part.scan_ticks == scan for tag in part.tags} == tags
            for scan in scans
        )

    wire.until(whole)


def test_a_zone_whose_reader_fails_says_nothing_but_that(device: Hands, wire: Wire) -> None:
    device.place(0, TAG)
    wire.until(lambda: [zone for zone in only(wire, Zone) if zone.tags])
    device.fail(0)
    wire.until(lambda: [zone for zone in only(wire, Zone) if zone.flags & ZoneFlag.FAILED])
    failed = [zone for zone in only(wire, Zone) if zone.flags & ZoneFlag.FAILED]
    assert {(zone.zone, zone.tags) for zone in failed} == {(0, ())}


def test_edges_are_numbered_and_sent_until_receipted(device: Hands, wire: Wire) -> None:
    greet(wire)
    device.press(4)
    wire.until(lambda: len({edge.edge for edge in only(wire, Button)}) == 2)
    wire.until(lambda: len([edge for edge in only(wire, Button) if edge.edge == 1]) >= 3)
    edges = only(wire, Button)
    assert {(edge.edge, edge.button, edge.pressed) for edge in edges} == {
        (1, 4, True),
        (2, 4, False),
    }
    assert {edge.oldest for edge in edges} == {1}
    ticks = {edge.edge: edge.edge_ticks for edge in edges}
    assert (ticks[2] - ticks[1]) & 0xFFFFFFFF > 40_000
    wire.send(ButtonReceipt(2))
    wire.answer(TimeQuery(), 1)  # by now it has the receipt
    since = len(wire.frames)
    wire.until(lambda: only(wire, Button, since))
    assert {(edge.edge, edge.oldest) for edge in only(wire, Button, since)} == {(2, 2)}
    assert greet(wire).next_edge == 2
    wire.send(ButtonReceipt(3))
    wire.answer(TimeQuery(), 2)
    since = len(wire.frames)
    wire.during(0.3)
    assert not only(wire, Button, since)
    assert greet(wire).next_edge == 3


def test_commands_are_acknowledged(wire: Wire) -> None:
    commands: tuple[Command, ...] = (SetScan(200), Lamp(0, 1, 2, 3, 4), Identify(1), Identify(0))
    for seq, command in enumerate(commands, 250):
        frame, answer = wire.answer(command, seq & 0xFF)
        assert answer == Ack(to_frame(command).msg)
        assert frame.kind == Kind.REPLY
    assert greet(wire).cycle_ms == 200


@pytest.mark.parametrize(
    ("msg", "payload", "reason"),
    [
        (0x4F, b"", NakReason.UNKNOWN),
        (0x43, b"\1", NakReason.MALFORMED),
        (0x44, bytes((LAMPS, 0, 0, 0, 0, 0)), NakReason.OUT_OF_RANGE),
    ],
)
def test_commands_are_refused(wire: Wire, msg: int, payload: bytes, reason: NakReason) -> None:
    wire.raw(encode(Frame(Kind.COMMAND, msg, payload, 33)))
    wire.until(lambda: wire.got(Nak))
    assert [(f.ack, nak) for f, nak in wire.got(Nak)] == [(33, Nak(msg, reason))]


def test_a_number_that_comes_again_is_answered_again_and_forgotten_at_hello(wire: Wire) -> None:
    wire.answer(SetScan(300), 7)
    assert wire.answer(SetScan(100), 7)[1] == Ack(0x43)
    assert greet(wire).cycle_ms == 300
    wire.answer(SetScan(100), 7)
    assert greet(wire).cycle_ms == 100


def test_what_it_does_not_know_is_counted_and_not_answered(wire: Wire) -> None:
    hello = greet(wire)
    since = len(wire.frames)
    wire.raw(encode(Frame(Kind.QUERY, 0x60, seq=77)))
    wire.raw(encode(Frame(Kind.RECEIPT, 0x61)))
    wire.raw(encode(Frame(9, 0x42, seq=77)))
    wire.raw(encode(Frame(Kind.QUERY, 0x42, seq=77, version=2)))
    wire.answer(TimeQuery(), 1)
    counted = beat(wire)
    assert (counted.rx_unknown, counted.rx_bad) == (4, 0)
    assert counted.boot_id == hello.boot_id
    assert not [frame for frame in wire.frames[since:] if frame.ack == 77]


def test_bad_frames_are_counted_and_cost_themselves_only(wire: Wire) -> None:
    good = encode(to_frame(TimeQuery(), seq=5))
    for bad in (
        b"\xff" * 300 + b"\0",
        good[:5] + b"\0",
        good[:6] + b"\x55" + good[7:],
        b"\x09" + good[1:],
        b"\0\0\0",
    ):
        wire.raw(bad)
        since = len(wire.frames)
        wire.raw(good)
        wire.until(lambda n=since: wire.got(Time, n))  # type: ignore[misc]
    assert beat(wire).rx_bad == 4


def test_a_boot_is_told_unasked_and_has_a_number_of_its_own(device: Hands, wire: Wire) -> None:
    before = greet(wire)
    since = len(wire.frames)
    device.reboot()
    wire.until(lambda: [f for f, _ in wire.got(Hello, since) if f.kind == Kind.REPORT])
    [after] = only(wire, Hello, since)
    assert after.boot_id != before.boot_id
    assert after.unique_id == before.unique_id
