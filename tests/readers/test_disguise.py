"""Frames with other UIDs: what is left as it is, and what never is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from firmware_bridge.decode.stream import Found
from firmware_bridge.disguise import Page
from firmware_bridge.families import FAMILIES
from firmware_bridge.family import Setup
from firmware_bridge.link.frames import Frame as LinkFrame
from firmware_bridge.link.frames import FrameDecoder, Kind, encode
from firmware_bridge.link.messages import Heartbeat, Hello, Zone, from_frame, to_frame, zone_parts
from firmware_bridge.readers.feig import codec as feig
from firmware_bridge.readers.pepper import codec as pepper
from firmware_bridge.readers.pico.family import PICO
from firmware_bridge.readers.pn532 import codec as pn532
from firmware_bridge.readers.rdm6300 import codec as rdm6300
from firmware_bridge.readers.yrm100 import codec as yrm100

MARK = bytes.fromhex("E0040150CAFEBABE")
NTAG = bytes.fromhex("04A1B2CAFEBABE")
OTHER = "E0999999AAAAAAAA"


def other(tag: str, _near: Sequence[str] = ()) -> str:
    """One other UID for all, of the right length."""
    return (
        (OTHER + "A" * 16)[: len(tag)]
        if tag.startswith("E0")
        else "59" + "A7" * (len(tag) // 2 - 1)
    )


def hidden(device: str, raw: bytes, zones: int = 1) -> bytes:
    found = FAMILIES[device].disguise(raw, other, zones)
    if isinstance(found, Page):
        found = found.again(found.tags)
    assert found is not None
    return found


def link(frame: LinkFrame) -> bytes:
    return encode(frame)


def feig_reply(command: int, payload: bytes) -> bytes:
    return feig.encode(feig.Frame(1, command, payload))


def pepper_says(kind: int, body: bytes) -> bytes:
    return pepper.encode(pepper.Frame(kind, body))


FRAMES: list[tuple[str, int, bytes]] = [
    ("pico", 1, link(to_frame(Zone(0, 5, (MARK.hex().upper(), NTAG.hex().upper())), ticks=9))),
    ("pico", 1, link(LinkFrame(Kind.REPORT, 0x03, to_frame(Zone(0, 5)).payload + MARK))),
    ("pico", 1, link(LinkFrame(Kind.REPORT, 0x7A, MARK))),
    ("pico", 1, link(LinkFrame(Kind.REPORT, 0x03, MARK * 2))),
    ("pico", 1, link(LinkFrame(Kind.REPORT, 0x02, to_frame(Heartbeat(1, 2, 3)).payload + MARK))),
    ("pico", 1, link(LinkFrame(Kind.REPORT, 0x03, MARK, version=2))),
    ("pn532", 1, pn532.encode(0x4B, b"\1\1\0\x44\0\7" + NTAG, response=True)),
    ("pn532", 1, pn532.encode(0x4B, b"\1\1\0\x44\x20\7" + NTAG + b"\5" + NTAG[:4], response=True)),
    ("pn532", 1, pn532.encode(0x4B, b"\2\1\0\x44\0\7" + NTAG, response=True)),
    ("pn532", 1, pn532.encode(0x41, b"\0" + NTAG, response=True)),
    ("pn532", 1, pn532.encode(0x61, NTAG, response=True)),
    ("feig", 1, feig_reply(0xB0, b"\0\1\3\0" + MARK)),
    ("feig", 1, feig_reply(0xB0, b"\x94\1\3\x55" + MARK)),
    ("feig", 2, feig_reply(0x02, b"\0" + MARK)),
    ("feig", 2, feig_reply(0xB0, b"\0\1\x11\3\0\x08" + MARK + b"\1\1\0\x40\0\0\0\0")),
    ("feig", 1, feig_reply(0xB0, b"\0\2\3\0" + MARK)),
    ("feig", 1, feig_reply(0xB0, b"\1\1\3\0" + MARK)),
    ("feig", 1, feig_reply(0x22, b"\0" + MARK)),
    ("feig", 1, feig_reply(0x65, b"\0" + MARK * 2)),
    ("feig", 1, feig_reply(0xB0, b"\0\1\4\0\0" + NTAG)),
    ("pepper", 8, pepper_says(0x00, b"\x90" + MARK[::-1] + b"\0\1")),
    ("pepper", 1, pepper_says(0x00, b"\x91" + MARK[::-1] + b"\x55\0")),
    ("pepper", 1, pepper_says(0x00, b"\x90" + MARK + b"\0\0")),
    ("pepper", 1, pepper_says(0x00, b"\x90" + MARK + b"\0")),
    ("pepper", 1, pepper_says(0x00, b"\x03\x04\x20" + MARK)),
    ("pepper", 1, pepper_says(0x00, b"\x0b" + MARK.hex().upper().encode())),
    ("pepper", 1, pepper_says(0xFE, MARK)),
    ("pepper", 1, pepper_says(0xFF, b"\x90\2\1" + MARK)),
    ("pepper", 1, pepper_says(0x0F, MARK)),
    ("pepper", 1, pepper_says(0x93, MARK)),
    ("rdm6300", 1, rdm6300.encode(0x67, 0xCAFEBABE)),
    ("yrm100", 1, yrm100.encode(0x22, b"\xc5\x20\0" + NTAG[:4], yrm100.Type.NOTICE)),
    ("yrm100", 1, yrm100.encode(0x39, b"\x20\0" + MARK, yrm100.Type.NOTICE)),
    ("yrm100", 1, yrm100.encode(0xFF, b"\x15" + MARK, yrm100.Type.REPLY)),
]  # fmt: skip


@pytest.mark.parametrize(("device", "zones", "raw"), FRAMES)
def test_no_part_of_a_tag_is_left(device: str, zones: int, raw: bytes) -> None:
    again = hidden(device, raw, zones)
    for secret in (b"\xca\xfe\xba\xbe", b"\xbe\xba\xfe\xca", b"CAFEBABE", MARK[:4], NTAG[:4]):
        assert secret not in again
    decoder = [b"", b""]
    drivers = [FAMILIES[device].driver(Setup(0.0, zones, address=1)) for _ in decoder]
    for driver, data in zip(drivers, (raw, again), strict=True):
        driver.receive(data, 0.01)
    # The driver takes both for the same: an intact frame, understood or not.
    assert drivers[0].decoder == drivers[1].decoder
    assert drivers[0].counters == drivers[1].counters


def test_a_set_that_fits_no_layout_still_fits_none() -> None:
    for raw in (b"\2\1\0\x44\0\7" + NTAG, b"\1", b"\1\1\0\x44\0\5" + NTAG[:5]):
        assert pn532.targets(raw) is None
        [frame] = [pn532.scan(hidden("pn532", pn532.encode(0x4B, raw, response=True)), 0)]
        assert isinstance(frame, Found)
        assert frame.frame is not None
        assert pn532.targets(frame.frame.data) is None
    for data in (b"\2\3\0" + MARK, b"\1\x77\0" + MARK):
        found = feig.scan(hidden("feig", feig_reply(0xB0, b"\0" + data)), 0)
        assert isinstance(found, Found)
        assert found.frame is not None
        assert feig.tags(found.frame.payload[1:]) is None


def test_signals_formats_and_order_are_evened_out() -> None:
    tags = [f"E00401500000000{n}" for n in range(4)]
    names = dict(zip(tags, ("E0D", "E0B", "E0C", "E0A"), strict=True))
    name = lambda tag, _: names[tag].ljust(16, "1")  # noqa: E731
    raw = encode(to_frame(Zone(0, 5, tuple(tags), flags=0xF0)))
    again = PICO.disguise(raw, name, 1)
    assert isinstance(again, bytes)
    zone = from_frame(FrameDecoder().feed(again)[0])
    assert isinstance(zone, Zone)
    assert [tag[:3] for tag in zone.tags] == ["E0A", "E0B", "E0C", "E0D"]
    assert zone.flags == 0
    strong = yrm100.encode(0x22, b"\xf0" + with_crc(b"\x10\7" + NTAG[:4]), yrm100.Type.NOTICE)
    weak = yrm100.encode(0x22, b"\xa0" + with_crc(b"\x10\0" + NTAG[:4]), yrm100.Type.NOTICE)
    assert hidden("yrm100", strong) == hidden("yrm100", weak)
    one = pn532.encode(0x4B, b"\1\1\0\x44\0\7" + NTAG, response=True)
    two = pn532.encode(0x4B, b"\1\1\3\x44\x20\7" + NTAG + b"\5\1\2\3\4", response=True)
    assert hidden("pn532", one) == hidden("pn532", two)


def with_crc(word: bytes) -> bytes:
    return word + yrm100.epc_crc(word).to_bytes(2, "big")


def test_what_names_nothing_is_left_as_it_is() -> None:
    hello = Hello(7, b"VIRTUAL1", 3, 8, "pico-1.0")
    for raw in (
        encode(to_frame(hello, seq=3, ack=4, ticks=5)),
        encode(to_frame(Heartbeat(1, 2, 3), seq=9)),
        b"\0",
    ):
        assert hidden("pico", raw) == raw
    assert hidden("pn532", pn532.ACK) == pn532.ACK
    version = pn532.encode(0x03, bytes.fromhex("32010607"), response=True)
    assert hidden("pn532", version) == version
    for kind, body in (
        (0x06, b"\0"), (0x0B, b""), (0x0F, b"\3"), (0x90, b"\0"), (0x91, b"\0"), (0x05, b""),
        (0x00, b"\x06"), (0x00, b"\x0b2.56"), (0xFF, b"\x90\2\1"),
    ):  # fmt: skip
        assert hidden("pepper", pepper_says(kind, body)) == pepper_says(kind, body)
    for payload in (feig.select_channel(8, 0), feig.select_channel(1, 1), b"\0"):
        switched = feig_reply(0x02, payload)
        assert hidden("feig", switched, 2) == switched
    question = feig.encode(feig.Frame(255, 0xB0, b"\1\x80"))
    assert hidden("feig", question, 2) == question
    begins = FAMILIES["feig"].begins_set
    assert not begins(question)
    for form in (0, 1):
        assert begins(feig.encode(feig.Frame(255, 0x02, feig.select_channel(3, form))))


@pytest.mark.parametrize("device", FAMILIES)
def test_noise_means_nothing_however_much_of_it_there_is(device: str) -> None:
    for size in (1, 2, 14, 300):
        driver = FAMILIES[device].driver(Setup(0.0))
        driver.receive(bytes((FAMILIES[device].noise,)) * size, 0.01)
        assert driver.decoder.frames == 0
    raw = next(raw for kind, _, raw in FRAMES if kind == device)
    driver = FAMILIES[device].driver(Setup(0.0))
    separator = b"\0" if device == "pico" else b""
    driver.receive(bytes((FAMILIES[device].noise,)) * 20 + separator + raw, 0.01)
    assert driver.decoder.frames == 1


def test_pages_hold_what_they_are_given() -> None:
    parts = zone_parts(2, 77, [f"E00401500000{n:04X}" for n in range(40)])
    pages = [PICO.disguise(encode(to_frame(part)), other, 3) for part in parts]
    for number, page in enumerate(pages):
        assert isinstance(page, Page)
        assert (page.index, page.count, page.key) == (number, 2, (2, 77, 2))
        empty = page.again(())
        assert empty is not None
        assert from_frame(FrameDecoder().feed(empty)[0]) == Zone(2, 77, (), 0, number, 2)
        assert page.again([OTHER] * 40) is None
