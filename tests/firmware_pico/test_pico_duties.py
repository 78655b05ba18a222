"""One suite, three suppliers: what a device owes is held to the virtual table, to the Pico's
firmware and to the recorded captures."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial
from msgspec.structs import replace

from firmware_bridge.link.frames import Frame, FrameDecoder, encode
from firmware_bridge.link.messages import Button, ButtonReceipt, Heartbeat, Lamp, Zone
from firmware_bridge.link.session import Session
from tests.firmware_pico.devices import Hands, pico, virtual
from tests.firmware_pico.duties import (
    DUTIES,
    Duty,
    Noted,
    Traffic,
    frames_are_numbered,
    questions_are_answered,
)
from tests.waiting import wait_until

CAPTURES = Path(__file__).parents[1] / "captures"
TAGS = [f"E0040150{number * 0x1357:08X}" for number in range(1, 31)]


LIVE_LAG_S = 3.0
"""The machine may have other things to do; captures were made on one that had none."""


def live(hands: Hands) -> Traffic:
    """A host that does its part, and a few seconds in which everything happens."""
    traffic = Traffic(LIVE_LAG_S, is_whole=True)
    line = serial.Serial(hands.port, timeout=0)
    session, decoder = Session(time.monotonic()), FrameDecoder()
    begun = time.monotonic()

    def lay_many() -> None:
        for tag in TAGS:
            hands.place(2, tag)

    plan: list[tuple[float, Callable[[], None]]] = [
        (0.5, lambda: hands.place(0, TAGS[0])),
        (0.7, lambda: hands.press(3)),
        (0.9, lay_many),
        (1.5, lambda: session.command(Lamp(0, 1, 2, 3))),
        (2.0, lambda: hands.take(0, TAGS[0])),
        (2.4, lambda: hands.press(1)),
        (2.8, lambda: hands.fail(1)),
    ]

    def step(*, asks: bool) -> None:
        now = time.monotonic()
        while plan and session.hello and now >= begun + plan[0][0]:
            plan.pop(0)[1]()
        data = line.read(65536)
        if data:
            traffic.note(now, data, from_device=True)
        session.receive(decoder.feed(data), now)
        out = session.poll(now) if asks else b""
        if out:
            line.write(out)
            traffic.note(now, out, from_device=False)
        time.sleep(0.002)

    def is_over() -> bool:
        step(asks=True)
        return time.monotonic() > begun + 4.5 and not plan and happened(traffic)

    def is_answered() -> bool:
        step(asks=False)
        return not questions_are_answered(traffic)

    try:
        wait_until(is_over)
        wait_until(is_answered)
    finally:
        line.close()
    return traffic


def recorded(path: Path) -> list[Traffic]:
    """The traffic of each microcontroller in a capture."""
    records = [json.loads(line) for line in path.read_bytes().splitlines()]
    picos = [n for n, port in enumerate(records[0]["ports"]) if port["device"] == "pico"]
    traffics = {number: Traffic() for number in picos}
    for record in records:
        traffic = traffics.get(record.get("port", -1))
        if traffic is not None and record["kind"] in ("received", "sent"):
            data = b"".join(bytes.fromhex(p) for p in record["bytes"] if isinstance(p, str))
            traffic.note(record["t"], data, from_device=record["kind"] == "received")
    return list(traffics.values())


RECORDED = [
    (f"{path.stem} {number}", traffic)
    for path in sorted(CAPTURES.glob("*.jsonl"))
    for number, traffic in enumerate(recorded(path))
]


@pytest.fixture(scope="module")
def of_virtual() -> Iterator[Traffic]:
    with virtual() as hands:
        yield live(hands)


@pytest.fixture(scope="module")
def of_pico() -> Iterator[Traffic]:
    with pico() as hands:
        yield live(hands)


@pytest.mark.parametrize("duty", DUTIES, ids=lambda duty: duty.__name__)
def test_of_the_virtual_table(duty: Duty, of_virtual: Traffic) -> None:
    assert duty(of_virtual) == []
    assert of_virtual.noise() == 0


@pytest.mark.usefixtures("micropython")
@pytest.mark.parametrize("duty", DUTIES, ids=lambda duty: duty.__name__)
def test_of_the_firmware(duty: Duty, of_pico: Traffic) -> None:
    assert duty(of_pico) == []
    assert of_pico.noise() == 0


@pytest.mark.parametrize("duty", DUTIES, ids=lambda duty: duty.__name__)
@pytest.mark.parametrize("traffic", [t for _, t in RECORDED], ids=[name for name, _ in RECORDED])
def test_of_captures(duty: Duty, traffic: Traffic) -> None:
    assert duty(traffic) == []


def test_captures_of_both_kinds_of_device_are_there() -> None:
    firmware = {traffic.hello.firmware.split(" ")[0].split("-")[0] for _, traffic in RECORDED}
    assert {"virtual", "cutcard"} <= firmware


def happened(traffic: Traffic) -> bool:
    """A duty that was never called upon proves nothing."""
    return (
        len(list(traffic.got(Button))) >= 4
        and len(list(traffic.got(Heartbeat))) >= 3
        and any(zone.parts > 1 for _, zone in traffic.got(Zone))
        and any(zone.flags for _, zone in traffic.got(Zone))
        and any(traffic.got(Lamp, from_device=False))
    )


# --- that each check sees what it is there for --------------------------------------------


def changed(traffic: Traffic, at: int, frame: Frame | None) -> Traffic:
    """The traffic with another frame in a place, or with none."""
    other = Traffic()
    one = traffic.noted[at]
    new = [] if frame is None else [Noted(one.t, one.from_device, encode(frame), frame)]
    other.noted = [*traffic.noted[:at], *new, *traffic.noted[at + 1 :]]
    return other


def whole() -> Traffic:
    return next(traffic for name, traffic in RECORDED if "pico_firmware" in name)


def without(traffic: Traffic, *kinds: type) -> Traffic:
    other = Traffic()
    other.noted = [noted for noted in traffic.noted if not isinstance(noted.message, kinds)]
    return other


def place_of(traffic: Traffic, kind: type, nth: int = 0) -> int:
    return [at for at, noted in enumerate(traffic.noted) if isinstance(noted.message, kind)][nth]


def test_a_lost_frame_shows() -> None:
    traffic = whole()
    assert frames_are_numbered(changed(traffic, place_of(traffic, Zone, 5), None))


@pytest.mark.parametrize("duty", DUTIES[1:], ids=lambda duty: duty.__name__)
def test_each_duty_can_be_neglected(duty: Duty) -> None:
    traffic = whole()
    zone = place_of(traffic, Zone, 8)
    frame = traffic.noted[zone].frame
    spoiled = {
        "ticks_never_decrease": lambda: changed(
            traffic, zone, replace(frame, ticks=(frame.ticks - 9_000_000) % (1 << 32))
        ),
        "full_sets_come_every_second": lambda: without_zone(traffic, 1),
        "no_scan_is_told_twice": lambda: doubled(traffic, zone),
        "it_beats_every_second": lambda: changed(traffic, place_of(traffic, Heartbeat, 2), None),
        "questions_are_answered": lambda: without_answers(traffic),
        "edges_come_again_until_receipted": lambda: without(traffic, ButtonReceipt),
        "limits_are_kept": lambda: changed(
            traffic, zone, replace(frame, payload=b"\x63" + frame.payload[1:])
        ),
    }[duty.__name__]()
    assert duty(spoiled)


def without_zone(traffic: Traffic, number: int) -> Traffic:
    other = Traffic()
    other.noted = [
        noted
        for noted in traffic.noted
        if not (isinstance(message := noted.message, Zone) and message.zone == number)
    ]
    return other


def doubled(traffic: Traffic, at: int) -> Traffic:
    other = Traffic()
    other.noted = [*traffic.noted[: at + 1], *traffic.noted[at:]]
    return other


def without_answers(traffic: Traffic) -> Traffic:
    other = Traffic()
    other.noted = [
        noted for noted in traffic.noted if noted.frame.kind != 4 or noted is hello_of(traffic)
    ]
    return other


def hello_of(traffic: Traffic) -> Noted:
    return next(noted for noted, _ in traffic.got(type(traffic.hello)))
