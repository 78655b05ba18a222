"""Streams that were joined and left in mid-frame: `decode` finds every whole frame in them."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from controller.__main__ import main
from firmware_bridge.decode.dissect import Dissected, Piece
from firmware_bridge.families import PROTOCOLS
from firmware_bridge.link import messages
from firmware_bridge.link.frames import encode
from firmware_bridge.readers.rdm6300 import codec as rdm6300
from tests.readers.frames import FRAMES, VALID

TAG = "02363730303342353143364342 03"
OTHER = rdm6300.encode(1, 0x00BC614E).hex()


def frames_of(found: Dissected) -> list[bytes]:
    pieces = [piece for piece in found.pieces if isinstance(piece, Piece) and piece.is_frame]
    return [piece.raw for piece in pieces]


def is_whole(protocol: str, raw: bytes) -> bool:
    found = PROTOCOLS[protocol].dissect(raw)
    return not found.reason and frames_of(found) == [raw]


uids = st.binary(min_size=4, max_size=10).map(lambda uid: uid.hex().upper())
said = st.builds(
    messages.Zone,
    st.integers(0, 63),
    st.integers(0, 2**32 - 1),
    st.lists(uids, max_size=12, unique=True).map(tuple),
) | st.builds(messages.ButtonReceipt, st.integers(1, 2**32 - 1))
WHOLE = FRAMES | {
    "link": st.builds(
        lambda message, seq, ticks: encode(messages.to_frame(message, seq=seq, ticks=ticks)),
        said,
        st.integers(0, 255),
        st.integers(0, 2**32 - 1),
    )
}


def whole(protocol: str) -> st.SearchStrategy[bytes]:
    """One frame: any that means something, or one of the vectors."""
    vectors = [v.data for v in VALID if v.protocol == protocol and is_whole(protocol, v.data)]
    built = WHOLE[protocol].filter(lambda raw: is_whole(protocol, raw))
    return built | st.sampled_from(vectors) if vectors else built


@pytest.mark.parametrize("protocol", PROTOCOLS)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_cut_at_both_ends_leaves_a_valid_stream(protocol: str, data: st.DataObject) -> None:
    one = whole(protocol)
    first, *between, last = data.draw(st.lists(one, min_size=3, max_size=5))
    head = first[data.draw(st.integers(1, len(first))) :]
    tail = last[: data.draw(st.integers(0, len(last) - 1))]
    for cut in (head, tail):  # a frame within a frame is a frame to whom the outer one is cut off
        assume(not frames_of(PROTOCOLS[protocol].dissect(cut)))
    found = PROTOCOLS[protocol].dissect(head + b"".join(between) + tail)
    assert found.reason == ""
    assert frames_of(found) == between
    idle = PROTOCOLS[protocol].idle or (b"\0" if protocol == "link" else b"")
    joined = found.joined.raw if found.joined else b""
    assert joined == (head if head.strip(idle) else b"")
    assert found.rest.lstrip(idle) == tail.lstrip(idle)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_torn_frame_between_two_is_a_fault(protocol: str, data: st.DataObject) -> None:
    one = whole(protocol)
    before, torn, after = data.draw(one), data.draw(one), data.draw(one)
    at = data.draw(st.integers(0, len(torn) - 2))
    bad = torn[:at] + bytes((torn[at] ^ 0x10,)) + torn[at + 1 :]
    alone = PROTOCOLS[protocol].dissect(bad)
    assume(alone.reason and not frames_of(alone))
    found = PROTOCOLS[protocol].dissect(before + bad + after)
    assert found.reason
    assert found.joined is None


def test_a_listener_at_an_rdm6300(capsys: pytest.CaptureFixture[str]) -> None:
    """Five seconds of `cat` begin and end anywhere: that is no fault."""
    assert main(["decode", "rdm6300", TAG[8:], TAG, OTHER, TAG[:6]]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "joined in mid-frame: 10 bytes"
    assert lines[1].startswith("0000 30 33 42 35 31 43 36 43 42 03")
    assert [line for line in lines if line.startswith("tag: ")] == [
        "tag: 67003B51C6",
        "tag: 0100BC614E",
    ]
    assert lines[-2:] == ["ends in mid-frame: 3 bytes", "0026 02 36 37 incomplete"]


@pytest.mark.parametrize(
    ("protocol", "before"),
    [
        ("rdm6300", "FF"),  # no frame of digits ends with it
        ("rdm6300", "0236373030334235314336434503"),  # from 02 to 03, and its checksum is wrong
        ("yrm100", "AABB"),  # frames end with 7E
        ("yrm100", "01" * 262 + "7E"),  # longer than a frame
        ("pn532", "11" * 275),
        ("feig", "F0" * 4096),
        ("pepper", "11" * 2073),
        ("link", "010203000405060700"),  # two delimiters: the second frame was heard wholly
    ],
)
def test_what_can_not_be_the_end_of_a_frame_is_a_fault(protocol: str, before: str) -> None:
    raw = {
        "rdm6300": bytes.fromhex(TAG),
        "link": encode(messages.to_frame(messages.Zone(3, 99, ("04A1B2C3",)))),
    }.get(protocol) or next(v.data for v in VALID if v.protocol == protocol)
    found = PROTOCOLS[protocol].dissect(bytes.fromhex(before) + raw)
    assert found.joined is None
    assert found.reason.startswith("byte 0: ")
    assert frames_of(found)


def test_where_no_frame_is_whole_nothing_is_valid(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decode", "rdm6300", TAG[8:], TAG[:20]]) == 1
    assert capsys.readouterr().err.startswith("cutcard decode: byte 0: no start byte 02")


def test_a_frame_without_a_meaning_is_not_taken_for_a_cut_one() -> None:
    known = messages.to_frame(messages.Identify(1))
    good = encode(known)
    assert PROTOCOLS["link"].dissect(good[3:] + good).notes == ["joined in mid-frame: 10 bytes"]
    found = PROTOCOLS["link"].dissect(encode(type(known)(3, 0x7F)) + good)
    assert found.joined is None
    assert "no message has the id 0x7f" in found.reason.lower()
