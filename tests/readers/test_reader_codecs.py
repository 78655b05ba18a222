"""Every codec: whole, byte by byte, coalesced, cut, disturbed; values there and back."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.readers.feig import codec as feig
from firmware_bridge.readers.pepper import codec as pepper
from firmware_bridge.readers.pn532 import codec as pn532
from firmware_bridge.readers.rdm6300 import codec as rdm6300
from firmware_bridge.readers.uids import canonical, is_mangled
from firmware_bridge.readers.yrm100 import codec as yrm100
from tests.readers.frames import FRAMES, LONGEST, SPLITTERS, VALID, VECTORS, Vector
from tests.readers.mutate import mutated, noise

PROTOCOLS = sorted(SPLITTERS)
protocols = pytest.mark.parametrize("protocol", PROTOCOLS)


BEGINNINGS = {
    "feig": b"\x02\x04\x00",
    "pepper": b"\xf5\x00\x04\xff\xfb",
    "pn532": b"\x00\xff\xff\xff\x01\x09\xf6\xd5",
    "rdm6300": b"",
    "yrm100": b"\xbb\x01\x22\x01\x00",
}
"""Of longer frames than any vector of the protocol."""


HOLDING: dict[str, Callable[[bytes], bytes]] = {
    "feig": lambda data: feig.encode(feig.Frame(1, 0xB0, data)),
    "pepper": lambda data: pepper.encode(pepper.Frame(0x93, data)),
    "pn532": lambda data: pn532.encode(0x40, data),
    "rdm6300": lambda _: rdm6300.encode(1, 2),
    "yrm100": lambda data: yrm100.encode(0x39, data, yrm100.Type.REPLY),
}
"""A frame with these data in it, where a protocol has any."""


def decoded(protocol: str, *pieces: bytes) -> list[Any]:
    splitter = SPLITTERS[protocol]()
    return [frame for piece in pieces for frame in splitter.feed(piece)]


@pytest.mark.parametrize("vector", VALID, ids=str)
def test_a_valid_vector_is_frames_in_whatever_portions(vector: Vector) -> None:
    whole = decoded(vector.protocol, vector.data)
    assert len(whole) == len(vector.expect.get("frames", [1]))
    assert decoded(vector.protocol, *(bytes((each,)) for each in vector.data)) == whole
    for cut in range(len(vector.data)):
        assert decoded(vector.protocol, vector.data[:cut], vector.data[cut:]) == whole
        assert len(decoded(vector.protocol, vector.data[:cut])) < len(whole)
    splitter = SPLITTERS[vector.protocol]()
    splitter.feed(vector.data)
    assert splitter.counters.noise_bytes == splitter.buffered == 0


@pytest.mark.parametrize("vector", [v for v in VALID if "frames" not in v.expect], ids=str)
def test_no_single_wrong_bit_goes_unnoticed(vector: Vector) -> None:
    whole = decoded(vector.protocol, vector.data)
    # Before the start code a PN532 frame has zeros that mean nothing, as many as it likes.
    first = vector.data.index(b"\x00\xff") if vector.protocol == "pn532" else 0
    for at in range(first, len(vector.data)):
        for bit in (0, 7):
            wrong = bytes((vector.data[at] ^ 1 << bit,))
            changed = vector.data[:at] + wrong + vector.data[at + 1 :]
            splitter = SPLITTERS[vector.protocol]()
            assert splitter.feed(changed) + splitter.flush() != whole


@pytest.mark.parametrize("vector", [v for v in VECTORS if not v.valid], ids=str)
def test_a_wrong_vector_is_no_frame(vector: Vector) -> None:
    splitter = SPLITTERS[vector.protocol]()
    assert splitter.feed(vector.data) == []
    assert splitter.flush() == []
    assert splitter.counters.noise_bytes >= len(vector.data) - 4


@protocols
@given(st.data())
def test_frames_survive_any_portions(protocol: str, data: st.DataObject) -> None:
    frames = data.draw(st.lists(FRAMES[protocol], min_size=1, max_size=4))
    stream = b"".join(frames)
    whole = decoded(protocol, stream)
    assert len(whole) == len(frames)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)), max_size=8)) | {0, len(stream)})
    assert decoded(protocol, *(stream[a:b] for a, b in pairwise(cuts))) == whole


@protocols
@given(st.data())
def test_noise_costs_no_frame_behind_it(protocol: str, data: st.DataObject) -> None:
    """What looks like the beginning of a frame may hide some until the line falls silent."""
    before = data.draw(st.binary(max_size=40))
    frame = data.draw(FRAMES[protocol])
    [expected] = decoded(protocol, frame)
    splitter = SPLITTERS[protocol]()
    found = splitter.feed(before) + splitter.flush()
    found += splitter.feed(frame + data.draw(st.binary(max_size=40))) + splitter.flush()
    assert expected in found


@protocols
def test_noise_in_the_same_read_costs_no_frame_either(protocol: str) -> None:
    rng = random.Random(7)
    for vector in VALID:
        if vector.protocol != protocol:
            continue
        expected = decoded(protocol, vector.data)
        for _ in range(200):
            splitter = SPLITTERS[protocol]()
            found = splitter.feed(noise(rng) + vector.data + noise(rng)) + splitter.flush()
            assert [frame for frame in found if frame in expected][: len(expected)] == expected


@protocols
def test_what_lies_behind_a_false_beginning_is_found_once_the_line_is_silent(protocol: str) -> None:
    for vector in VALID:
        if vector.protocol != protocol or len(vector.data) > 100:
            continue
        whole = decoded(protocol, vector.data)
        for behind in (b"", b"\xff", b"\xff\x02\xf5"):
            splitter = SPLITTERS[protocol]()
            before = splitter.feed(BEGINNINGS[protocol] + vector.data + behind)
            assert (before or splitter.settle())[: len(whole)] == whole


@protocols
@given(st.data())
def test_a_frame_that_is_still_coming_outlasts_a_silence(
    protocol: str, data: st.DataObject
) -> None:
    """Whatever it holds, a whole frame included: here one lies in the middle of another's data."""
    inner = data.draw(FRAMES[protocol])[:100]
    around = data.draw(st.binary(min_size=8, max_size=8))
    long = HOLDING[protocol](around + inner + around)
    cut = len(long) - data.draw(st.integers(1, 6))
    splitter = SPLITTERS[protocol]()
    assert splitter.feed(long[:cut]) == []
    assert splitter.settle() == []
    assert splitter.feed(long[cut:]) == decoded(protocol, long)


@protocols
def test_mutated_input_is_survived_in_bounded_memory(protocol: str) -> None:
    """20 000 here; `python -m tests.readers.mutate` does a million of each."""
    splitter = SPLITTERS[protocol]()
    for data in mutated(protocol, random.Random(1), 20_000):
        splitter.feed(data)
        assert splitter.buffered <= LONGEST[protocol]
    assert splitter.counters.frames > 100
    assert splitter.counters.noise_bytes > 10_000


@protocols
def test_an_endless_beginning_is_not_kept(protocol: str) -> None:
    starts = {
        "pn532": b"\0\0\xff\xff\xff",
        "feig": b"\x02\xff\xff",
        "pepper": b"\xf5\x14\x08\xeb\xf7",
        "rdm6300": b"\x02",
        "yrm100": b"\xbb\x01\x22\xff\xff",
    }
    splitter = SPLITTERS[protocol]()
    for _ in range(100):
        splitter.feed(starts[protocol] * 100)
        assert splitter.buffered <= LONGEST[protocol]


def test_frames_there_and_back() -> None:
    [frame] = decoded("pn532", pn532.encode(0x4A, b"\x02\x00"))
    assert frame == pn532.Frame(pn532.Kind.COMMAND, 0x4A, b"\x02\x00")
    long = bytes(range(256))
    assert decoded("pn532", pn532.encode(0x40, long))[0].data == long
    with pytest.raises(ValueError, match="265"):
        pn532.encode(0x40, bytes(264))
    for payload in (b"", b"\x00", bytes(250), bytes(251), bytes(2000)):
        sent = feig.Frame(3, 0xB0, payload, extended=len(payload) > 250)
        assert decoded("feig", feig.encode(sent)) == [sent]
    with pytest.raises(ValueError, match="4096"):
        feig.encode(feig.Frame(3, 0xB0, bytes(4090)))
    assert feig.encode(feig.Frame(255, 0xB0, b"\x01\x00")).hex() == "07ffb001001c56"
    tricky = bytes.fromhex("BB7EBB0022")
    assert decoded("yrm100", yrm100.encode(0x39, tricky, yrm100.Type.REPLY))[0].data == tricky
    with pytest.raises(ValueError, match="256"):
        yrm100.encode(0x39, bytes(257))
    for size in (0, 1, 300, 2065):
        asked = pepper.Frame(0x0F, bytes(size))
        assert decoded("pepper", pepper.encode(asked)) == [asked]
    with pytest.raises(ValueError, match="2069"):
        pepper.encode(pepper.Frame(0x0F, bytes(2066)))
    [tag] = decoded("rdm6300", rdm6300.encode(0x67, 3887558))
    assert (tag.version, tag.number, tag.uid) == (0x67, 3887558, "67003B51C6")
    # The number as decimal is what is printed on the tag.
    assert rdm6300.encode(0x67, 3887558) == b"\x0267003B51C6CB\x03"


def test_two_targets_with_uids_of_four_seven_and_ten_bytes() -> None:
    four = bytes.fromhex("01 0004 08 04 8B0D4F49")
    seven = bytes.fromhex("02 0044 00 07 04A1B2C3D4E5F6")
    ten = bytes.fromhex("01 0344 20 0A 040102030405060708FF") + bytes.fromhex("06 7577 8102 80")
    assert [t.uid for t in pn532.targets(b"\x02" + four + seven) or ()] == [
        "8B0D4F49",
        "04A1B2C3D4E5F6",
    ]
    [target] = pn532.targets(b"\x01" + ten) or ()
    assert (target.uid, target.ats.hex(), target.sel_res) == (
        "040102030405060708FF",
        "067577810280",
        0x20,
    )
    assert pn532.targets(b"\x00") == ()


@pytest.mark.parametrize(
    "data",
    [
        "",
        "03" + "01000408048B0D4F49" * 3,  # more than the chip can list
        "02" + "01000408048B0D4F49",  # a target missing
        "01" + "01000408048B0D4F4900",  # a byte too many
        "01" + "010004080" + "5" + "8B0D4F4900",  # no UID has five bytes
        "01" + "01000420048B0D4F49",  # no ATS
        "02" + "01000420048B0D4F49" + "0000440004" + "11223344",  # an ATS of nothing
        "01" + "01000420048B0D4F490A01",  # an ATS cut short
    ],
)
def test_a_list_that_does_not_fit_says_nothing(data: str) -> None:
    assert pn532.targets(bytes.fromhex(data)) is None


def test_padded_uids_of_iso14443() -> None:
    single = bytes.fromhex("01 04 00 00 000000 8B0D4F49")
    double = bytes.fromhex("01 04 08 00 04A1B2C3D4E5F6")
    triple = bytes.fromhex("01 04 04 00 040102030405060708FF")
    for data, uid in (
        (single, "8B0D4F49"),
        (double, "04A1B2C3D4E5F6"),
        (triple, "040102030405060708FF"),
    ):
        [tag] = feig.tags(data) or ()
        assert (tag.type, tag.uid, tag.dsfid) == (4, uid, None)


def test_inventory_by_antenna() -> None:
    read = bytes.fromhex("11 03 00 08 E0040150A05F02B7")
    antennas = bytes.fromhex("02") + bytes.fromhex("01 00 30 00000000 03 00 20 00000000")
    silent = bytes.fromhex("10 02 00 00 00000000")
    [tag] = feig.tags(b"\x02" + read + antennas + silent, by_antenna=True) or ()
    assert (tag.uid, tag.antennas) == ("E0040150A05F02B7", (1, 3))
    assert feig.tags(b"\x01" + read + antennas[:-1], by_antenna=True) is None
    assert feig.tags(b"", by_antenna=True) == feig.tags(b"") == ()


@pytest.mark.parametrize(
    "data",
    ["01", "0103", "010300E0040150A05F02", "0203" + "00E0040150A05F02B7", "0144000000", "000000"],
)
def test_an_inventory_that_does_not_fit_says_nothing(data: str) -> None:
    assert feig.tags(bytes.fromhex(data)) is None


def test_uids_that_no_tag_can_have() -> None:
    assert not feig.is_plausible(feig.Tag(3, "A0040150A05F02B7"))
    assert feig.is_plausible(feig.Tag(3, "E0040150A05F02B7"))
    assert feig.is_plausible(feig.Tag(4, "8B0D4F49"))
    assert is_mangled(bytes.fromhex("04040404040404"))
    assert not is_mangled(bytes.fromhex("04040404040405"))
    assert canonical(bytes.fromhex("e0aB")) == "E0AB"


def test_the_crc_of_a_tag_tells_a_bad_read() -> None:
    data = bytes.fromhex("c83400e20010710000529b0940b402163d")
    good = yrm100.read(data)
    assert good is not None
    assert (good.rssi_dbm, good.epc, good.intact) == (-56, "E20010710000529B0940B402", True)
    bad = yrm100.read(data[:-3] + b"\x03" + data[-2:])
    assert bad is not None
    assert not bad.intact
    assert yrm100.read(data[:-1]) is yrm100.read(b"") is None
    assert yrm100.read(bytes(5)) is None


def test_what_an_inventory_of_a_pepper_found() -> None:
    """The manual's example (page 44): 04 8F 7F 0A 01 24 16 E0, of which E0 is the first byte."""
    uid = bytes.fromhex("048F7F0A012416E0")
    found = pepper.tag(pepper.Frame(0, b"\x90" + uid + b"\x55\x01"))
    assert found == pepper.Tag("E01624010A7F8F04", 0x55, True)
    assert found is not None
    assert pepper.is_plausible(found)
    assert "E016" not in repr(found)
    assert not pepper.is_plausible(pepper.Tag("048F7F0A012416E0", 0, False))
    for body in (b"\x90" + uid + b"\0", b"\x90" + uid + b"\0\2", b"\x03" + uid + b"\0\0", b""):
        assert pepper.tag(pepper.Frame(0, body)) is None
    assert pepper.tag(pepper.Frame(0xFF, b"\x90" + uid + b"\0\0")) is None


def test_what_an_error_of_a_pepper_says() -> None:
    assert pepper.failure(pepper.Frame(0xFF, bytes.fromhex("010201"))) == pepper.Failure(1, 2, 1)
    assert pepper.failure(pepper.Frame(0xFF, b"\x90")) == pepper.Failure(0x90, 0, 0)
    assert pepper.failure(pepper.Frame(0, b"\x90\2\1")) is None
    for text, number in (
        (b"1.1 Jan 18", "1.1"),
        (b"2.56.2249-x", "2.56.224"),
        (b"v9", ""),
        (b"", ""),
    ):
        assert pepper.version(pepper.Frame(0, b"\x0b" + text)) == number


def test_catalogued_checks_of_the_crcs() -> None:
    """CRC-16/MCRF4XX, CRC-16/GENIBUS and CRC-16/CCITT-FALSE of 123456789."""
    assert pepper.crc16(b"123456789") == 0x29B1
    assert feig.crc16(b"123456789") == 0x6F91
    assert yrm100.epc_crc(b"123456789") == 0xD64E


def test_no_repr_names_a_tag() -> None:
    for vector in VALID:
        for frame in decoded(vector.protocol, vector.data):
            assert not any(frame_uid in repr(frame) for frame_uid in _uids(vector))
    [tag] = feig.tags(bytes.fromhex("010300E0040150A05F02B7")) or ()
    target = pn532.Target(1, 4, 0, "8B0D4F49")
    assert "B7" not in repr(tag)
    assert "8B0D" not in repr(target)


def _uids(vector: Vector) -> list[str]:
    text = vector.hex.upper()
    return [text[at : at + 8] for at in range(0, len(text) - 8, 2)]
