"""COBS and frames: every wire case whole, byte by byte, coalesced, cut and in noise."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.link import cobs
from firmware_bridge.link.frames import (
    MAX_ENCODED,
    MAX_PAYLOAD,
    Frame,
    FrameDecoder,
    Kind,
    encode,
)

# Cheshire and Baker's examples as Wikipedia's COBS article gives them, delimiter left out.
COBS_CASES = [
    ("00", "0101"),
    ("0000", "010101"),
    ("00110 0".replace(" ", ""), "01021101"),
    ("11220033", "0311220233"),
    ("11223344", "0511223344"),
    ("11000000", "0211010101"),
    (bytes(range(1, 255)).hex(), "ff" + bytes(range(1, 255)).hex()),
    (bytes(range(255)).hex(), "01ff" + bytes(range(1, 255)).hex()),
    (bytes(range(1, 256)).hex(), "ff" + bytes(range(1, 255)).hex() + "02ff"),
    (
        (bytes(range(2, 256)) + b"\0").hex(),
        "ff" + bytes(range(2, 256)).hex() + "0101",
    ),
    (
        (bytes(range(3, 256)) + b"\0\1").hex(),
        "fe" + bytes(range(3, 256)).hex() + "0201",
    ),
]

frames = st.builds(
    Frame,
    kind=st.integers(0, 15),
    msg=st.integers(0, 255),
    payload=st.binary(max_size=MAX_PAYLOAD),
    seq=st.integers(0, 255),
    ack=st.integers(0, 255),
    ticks=st.integers(0, 2**32 - 1),
)

WIRE_CASES = [
    Frame(Kind.QUERY, 0x41, seq=9),
    Frame(Kind.REPORT, 0x03, bytes(range(60)), 255, 0, 0xFFFFFFFF),
    Frame(Kind.REPORT, 0x03, bytes(MAX_PAYLOAD), 0, 0, 0),
    Frame(Kind.EVENT, 0x04, b"\xff" * MAX_PAYLOAD, 1, 2, 3),
]


@pytest.mark.parametrize(("plain", "encoded"), COBS_CASES)
def test_cobs_agrees_with_the_published_examples(plain: str, encoded: str) -> None:
    assert cobs.encode(bytes.fromhex(plain)).hex() == encoded
    assert cobs.decode(bytes.fromhex(encoded)).hex() == plain


@given(st.binary(max_size=1200))
def test_cobs_round_trip_has_no_zero_and_little_overhead(data: bytes) -> None:
    encoded = cobs.encode(data)
    assert 0 not in encoded
    assert len(encoded) <= len(data) + 1 + len(data) // 254
    assert cobs.decode(encoded) == data


@pytest.mark.parametrize("bad", [b"", b"\0", b"\x05\x11", b"\x03\x11\0"])
def test_cobs_refuses_what_is_no_encoding(bad: bytes) -> None:
    with pytest.raises(cobs.CobsError):
        cobs.decode(bad)


@given(frames)
def test_frames_come_back_as_they_went(frame: Frame) -> None:
    wire = encode(frame)
    assert wire.index(0) == len(wire) - 1
    assert FrameDecoder().feed(wire) == [frame]


def test_the_largest_frame_is_252_bytes_on_the_wire() -> None:
    assert max(len(encode(frame)) for frame in WIRE_CASES) == 252
    with pytest.raises(ValueError, match="241 bytes"):
        encode(Frame(0, 0, bytes(241)))


@pytest.mark.parametrize("frame", WIRE_CASES)
def test_whole_bytewise_coalesced_and_in_noise(frame: Frame) -> None:
    wire = encode(frame)
    assert FrameDecoder().feed(wire) == [frame]

    bytewise = FrameDecoder()
    got = [bytewise.feed(wire[i : i + 1]) for i in range(len(wire))]
    assert got[-1] == [frame]
    assert not any(got[:-1])

    assert FrameDecoder().feed(wire * 3) == [frame] * 3

    noisy = FrameDecoder()
    assert noisy.feed(b"\x07noise\0" + wire + b"\0\0" + wire + b"more") == [frame, frame]
    assert noisy.buffered == 4
    assert noisy.feed(b"\0" + wire) == [frame]
    assert noisy.counters.frames == 3


@pytest.mark.parametrize("frame", WIRE_CASES)
def test_a_frame_cut_anywhere_is_dropped_and_the_next_one_is_not(frame: Frame) -> None:
    wire = encode(frame)
    for cut in range(1, len(wire) - 1):
        decoder = FrameDecoder()
        assert decoder.feed(wire[:cut] + b"\0" + wire) == [frame], cut
        counters = decoder.counters
        assert counters.bad_cobs + counters.too_short + counters.bad_crc == 1, cut
        assert counters.noise_bytes == cut


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"\x09\x01\x02\0", "bad_cobs"),
        (cobs.encode(b"123456789") + b"\0", "too_short"),
        (cobs.encode(b"0123456789ab") + b"\0", "bad_crc"),
        (b"\x01" * (MAX_ENCODED + 1) + b"\0", "too_long"),
        (encode(Frame(0, 1, b"later", version=2)), "other_version"),
    ],
)
def test_each_cause_is_counted_by_itself(data: bytes, cause: str) -> None:
    decoder = FrameDecoder()
    got = decoder.feed(data + encode(WIRE_CASES[0]))
    assert got[-1] == WIRE_CASES[0]
    counters = decoder.counters
    assert getattr(counters, cause) == 1
    bad = (
        counters.bad_cobs,
        counters.bad_crc,
        counters.too_long,
        counters.too_short,
        counters.other_version,
    )
    assert sum(bad) == 1
    assert counters.frames == 1
    assert counters.noise_bytes == (0 if cause == "other_version" else len(data) - 1)


def test_an_endless_run_without_a_zero_is_counted_once_and_not_kept() -> None:
    decoder = FrameDecoder()
    for _ in range(1000):
        assert decoder.feed(b"\x55" * 1000) == []
        assert decoder.buffered <= MAX_ENCODED
    assert decoder.counters.too_long == 1
    assert decoder.counters.noise_bytes == 1_000_000
    assert decoder.feed(b"\0" + encode(WIRE_CASES[0])) == [WIRE_CASES[0]]


def test_reset_forgets_half_a_frame() -> None:
    decoder = FrameDecoder()
    decoder.feed(encode(WIRE_CASES[1])[:20])
    decoder.reset()
    assert decoder.counters.noise_bytes == 20
    assert decoder.feed(encode(WIRE_CASES[0])) == [WIRE_CASES[0]]


def test_the_payload_stays_out_of_the_repr() -> None:
    payload = bytes.fromhex("E004015000A1B2C3")
    assert "E004015000A1B2C3" not in repr(Frame(0, 3, payload)).upper()
    assert repr(payload)[2:-1] not in repr(Frame(0, 3, payload))


def test_a_hundred_thousand_mutated_frames_do_no_harm() -> None:
    dice = random.Random(7)
    originals = [encode(frame) for frame in WIRE_CASES]
    decoder = FrameDecoder()
    for _ in range(100_000):
        wire = bytearray(dice.choice(originals))
        for _ in range(dice.randrange(4)):
            wire[dice.randrange(len(wire))] = dice.randrange(256)
        cut = dice.randrange(1, len(wire)) if dice.random() < 0.3 else len(wire)
        decoder.feed(bytes(wire[:cut]))
        assert decoder.buffered <= MAX_ENCODED
    for _ in range(2_000):
        decoder.feed(dice.randbytes(dice.randrange(500)))
        assert decoder.buffered <= MAX_ENCODED
    counters = decoder.counters
    assert min(counters.frames, counters.bad_cobs, counters.bad_crc, counters.too_long) > 100
    decoder.feed(b"\0")
    assert decoder.feed(originals[1]) == [WIRE_CASES[1]]
