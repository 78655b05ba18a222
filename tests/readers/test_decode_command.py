"""`cutcard decode`: the vectors judged, the dump, and its manners."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from controller.__main__ import main
from firmware_bridge.decode.dissect import Dissected, Fault, Piece
from firmware_bridge.families import PROTOCOLS
from firmware_bridge.link import messages
from firmware_bridge.link.frames import encode
from firmware_bridge.readers.feig import codec as feig
from firmware_bridge.readers.pepper import codec as pepper
from tests.readers.frames import VALID, VECTORS, Vector

REASONS = {
    "last CRC byte altered -> reject": "byte 0: bad CRC: 7680, must be 7580",
    "bad LCS (length checksum) -> reject": "byte 0: bad LCS (length checksum): FB, must be FC",
    "bad start code -> reject": "byte 3: no start code 00 FF",
    "bad DCS (data checksum) -> reject": "byte 0: bad DCS (data checksum): 8A, must be 8B",
    "same forum post, raw dump as printed there: one digit differs from its text (hand-edited) so"
    " the XOR fails -> reject": "byte 0: bad checksum (XOR): 26, must be 86",
    "checksum mismatch -> reject": "byte 0: bad checksum (XOR): CB, must be C4",
    "too long -> reject": "byte 0: the end byte is 44, must be 03",
    "a wrong CRC -> reject": "byte 0: bad CRC: 04E4, must be 05E4",
    "a wrong complement of the length -> reject": (
        "byte 0: bad complement of the length: FA, must be FB"
    ),
    "cut short before its CRC -> reject": "byte 0: incomplete: 7 bytes of at least 9",
    "vendor list prints this truncated frame (only 1 length byte) -> reject": (
        "byte 0: incomplete: 6 bytes of at least 20"
    ),
}


def dissect(protocol: str, data: bytes) -> Dissected:
    return PROTOCOLS[protocol].dissect(data)


def decode(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = main(["decode", *argv])
    out, err = capsys.readouterr()
    return status, out, err


def as_json(capsys: pytest.CaptureFixture[str], protocol: str, *hex_: str) -> dict[str, Any]:
    status, out, err = decode(capsys, protocol, "--json", *hex_)
    found: dict[str, Any] = json.loads(out)
    assert found["valid"] == (status == 0)
    assert err == ("" if found["valid"] else f"cutcard decode: {found['reason']}\n")
    return found


@pytest.mark.parametrize("vector", VALID, ids=str)
def test_what_is_valid_means_what_it_should(
    vector: Vector, capsys: pytest.CaptureFixture[str]
) -> None:
    found = as_json(capsys, vector.protocol, vector.hex)
    assert found["valid"]
    assert found["rest"] == ""
    frames = found["frames"]
    assert frames
    assert (
        "".join(frame["bytes"] for frame in frames)
        == vector.hex.upper()[-len("".join(frame["bytes"] for frame in frames)) :]
    )
    for name, value in vector.expect.items():
        match name:
            case "frames":
                assert [frame["bytes"].lower() for frame in frames] == value
            case "tags":
                listed = frames[0]["tags"]
                assert len(listed) == len(value)
                for tag, expected in zip(listed, value, strict=True):
                    assert tag | expected | {"uid": tag["uid"].lower()} == tag | {
                        "uid": tag["uid"].lower()
                    }
                assert frames[0]["uids"] == [tag["uid"].upper() for tag in value]
            case "epc":
                assert frames[0]["uids"] == [frames[0]["epc"]] == [value.upper()]
            case _:
                assert frames[0][name] == value


@pytest.mark.parametrize("vector", [v for v in VECTORS if not v.valid], ids=str)
def test_what_is_wrong_is_rejected_with_the_reason(
    vector: Vector, capsys: pytest.CaptureFixture[str]
) -> None:
    found = as_json(capsys, vector.protocol, vector.hex)
    assert not found["valid"]
    assert found["frames"] == []
    assert found["reason"] == REASONS[vector.meaning]
    assert found["rest"] == (vector.hex.upper() if "incomplete" in found["reason"] else "")


@pytest.mark.parametrize("vector", VALID, ids=str)
def test_what_is_cut_is_incomplete_and_parts_cover_every_byte(vector: Vector) -> None:
    whole = dissect(vector.protocol, vector.data)
    frames = [piece for piece in whole.pieces if isinstance(piece, Piece)]
    for piece in frames:
        assert sum(part.size for part in piece.meaning.parts) == len(piece.raw)
    for end in range(len(vector.data)):
        found = dissect(vector.protocol, vector.data[:end])
        assert found.reason or len([p for p in found.pieces if isinstance(p, Piece)]) < len(frames)


@pytest.mark.parametrize("form", [0, 1])
def test_a_channel_of_the_multiplexer_is_told_and_called_unverified(
    form: int, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = feig.encode(feig.Frame(255, 0x02, feig.select_channel(5, form)))
    [told] = as_json(capsys, "feig", frame.hex())["frames"]
    assert (told["kind"], told["channel"]) == ("request", 5)
    assert "unverified" in told["command"]


def test_what_of_a_pepper_no_page_tells_is_called_unverified(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sent = [(0x05, b""), (0x06, b"\0"), (0x0B, b""), (0x0F, b"\3"), (0x90, b"\0"), (0x91, b"\0")]
    stream = b"".join(pepper.encode(pepper.Frame(*each)) for each in sent)
    told = [frame["command"] for frame in as_json(capsys, "pepper", stream.hex())["frames"]]
    assert [command for command in told if "unverified" in command] == [
        "set active antenna (unverified)"
    ]
    assert len(told) == len(sent)


def test_a_frame_that_is_cut_is_no_fault_behind_a_whole_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = as_json(capsys, "feig", "06006300860706")
    assert (found["valid"], found["rest"]) == (True, "06")
    assert found["notes"] == ["ends in mid-frame: 1 byte"]
    assert [frame["kind"] for frame in found["frames"]] == ["reply"]
    found = as_json(capsys, "feig", "060063008607"[:-2])
    assert (found["rest"], found["notes"]) == ("0600630086", [])
    assert found["reason"] == "byte 0: incomplete: 5 bytes of at least 6"


def test_frames_between_noise_are_told_and_so_is_the_noise(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = as_json(capsys, "yrm100", "AABB", "BB00220000227E", "11BB", "BB00220000227E")
    assert [frame["at"] for frame in found["frames"]] == [2, 11]
    assert [(fault["at"], fault["bytes"]) for fault in found["faults"]] == [
        (0, "AABB"),
        (9, "11BB"),
    ]
    found = as_json(capsys, "feig", "F0", "0600630086 07")
    assert [frame["at"] for frame in found["frames"]] == [1]
    assert (found["joined"], found["notes"]) == ("F0", ["joined in mid-frame: 1 byte"])


def test_two_cards_at_a_pn532(capsys: pytest.CaptureFixture[str]) -> None:
    data = bytes.fromhex("D54B0201000408048B0D4F4902004400 0704A1B2C3D4E5F6")
    raw = b"\0\0\xff" + bytes((len(data), -len(data) & 255)) + data + bytes((-sum(data) & 255, 0))
    found = as_json(capsys, "pn532", raw.hex())
    [frame] = found["frames"]
    assert frame["uids"] == ["8B0D4F49", "04A1B2C3D4E5F6"]
    assert frame["command"] == "InListPassiveTarget"
    data = data[:-1]
    raw = b"\0\0\xff" + bytes((len(data), -len(data) & 255)) + data + bytes((-sum(data) & 255, 0))
    found = as_json(capsys, "pn532", raw.hex())
    assert found["reason"] == "byte 0: its targets fit no 106 kbps type A layout"


def test_the_link(capsys: pytest.CaptureFixture[str]) -> None:
    zone = messages.Zone(3, 99, ("E0040150A05F02B7", "04A1B2"))
    wire = b"\0" + encode(messages.to_frame(zone, seq=7, ticks=100))
    found = as_json(capsys, "link", wire.hex(" "))
    [frame] = found["frames"]
    assert frame["kind"] == "zone"
    assert frame["uids"] == ["E0040150A05F02B7", "04A1B2"]
    assert (frame["zone"], frame["seq"], frame["frame"]) == (3, 7, "report")
    broken = wire[:-3] + bytes((wire[-3] ^ 1,)) + wire[-2:]
    assert as_json(capsys, "link", broken.hex())["reason"] == "byte 1: bad CRC"
    assert as_json(capsys, "link", wire[:-1].hex())["rest"] == wire[1:-1].hex().upper()
    other = encode(messages.to_frame(zone))
    assert dissect("link", other).reason == ""
    assert "251" in dissect("link", b"\x01" * 252 + b"\0").reason
    assert (
        dissect("link", b"\x02\x05\0").reason
        == "byte 0: too short for a frame: 10 bytes are the least"
    )
    unknown = messages.to_frame(messages.Identify(1))
    assert "no message has the id 0x70" in dissect("link", encode(type(unknown)(3, 0x70))).reason
    assert "version 2" in dissect("link", encode(type(unknown)(3, 0x45, version=2))).reason


def test_the_dump_marks_the_fields(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = decode(capsys, "feig", "1100b000010300e0040150a05f02b7d7be")
    assert (status, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "reply: E0040150A05F02B7"
    assert lines[1] == "0000 11 length 17"
    assert "0007 E0 04 01 50 A0 5F 02 B7 UID E0040150A05F02B7" in lines
    assert lines[-1] == "000F D7 BE CRC, right"
    status, out, err = decode(capsys, "yrm100", "00" * 20 + "BB00")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert status == 1
    assert lines == [
        "wrong",
        f"0000 {'00 ' * 16}no start byte BB",
        "0010 00 00 00 00",
        "rest",
        "0014 BB 00 incomplete",
    ]


@pytest.mark.parametrize(
    "given",
    [
        ["0000FF00FF00"],
        ["00", "00", "ff", "00", "ff", "00"],
        ["0x00 0x0 0xFF 0x00 0xFF 0x00"],
        ["00:00:FF:00:FF:00"],
        ["00-00-FF, 00-FF-00"],
    ],
)
def test_hex_in_any_grouping(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert as_json(capsys, "pn532", *given)["frames"][0]["kind"] == "ack"


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (["0G"], "cutcard decode: '0G' is not hex: 'G'"),
        (["000"], "cutcard decode: an odd number of hex digits: half a byte is missing"),
    ],
)
def test_a_mistake_is_one_line(
    given: list[str], fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["decode", "pn532", *given])
    assert stopped.value.code == 2
    assert capsys.readouterr().err == fault + "\n"


def test_an_unknown_protocol_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["decode", "pn5180", "00"])
    assert stopped.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "pn5180" in line
    assert all(protocol in line for protocol in PROTOCOLS)


@pytest.mark.parametrize(
    "given", [b"02 36 37 30 30 33 42 35 31 43 36 43 42 03\n", b"\x0267003B51C6CB\x03"]
)
def test_standard_input_is_text_or_bytes(
    given: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert as_json(capsys, "rdm6300")["frames"][0]["uids"] == ["67003B51C6"]


def test_nothing_is_not_valid(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert as_json(capsys, "rdm6300")["reason"] == "there is no frame"


def test_what_wakes_a_chip(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "pn532", "5555000000", "000000FF03FDD414011700")
    assert [frame["kind"] for frame in found["frames"]] == ["wake-up", "command"]
    assert found["valid"]
    assert as_json(capsys, "pn532", "5555000000")["valid"]


def test_an_inventory_that_fits_no_layout_is_a_fault() -> None:
    raw = feig.encode(feig.Frame(0, 0xB0, bytes.fromhex("00 01 45")))
    [fault] = dissect("feig", raw).pieces
    assert isinstance(fault, Fault)
    assert fault.reason == "its transponders fit no known layout"
