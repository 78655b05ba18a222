"""Messages: round trips, refusals, and the examples of PROTOCOL.md, built from its tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import firmware_bridge.link
from firmware_bridge.link import messages
from firmware_bridge.link.frames import Frame, FrameDecoder, Kind, encode
from firmware_bridge.link.messages import (
    Ack,
    Button,
    ButtonReceipt,
    Heartbeat,
    Hello,
    HelloRequest,
    Identify,
    Lamp,
    Message,
    MessageError,
    Nak,
    SetScan,
    Tally,
    Time,
    TimeQuery,
    UnknownMessageError,
    Zone,
    from_frame,
    to_frame,
    zone_parts,
)

CLASSES: tuple[type[Message], ...] = (
    Hello,
    Heartbeat,
    Zone,
    Button,
    Ack,
    Nak,
    Time,
    HelloRequest,
    TimeQuery,
    SetScan,
    Lamp,
    Identify,
    ButtonReceipt,
)
PAGE = Path(firmware_bridge.link.__path__[0], "PROTOCOL.md").read_text(encoding="utf-8")

u8 = st.integers(0, 255)
u16 = st.integers(0, 2**16 - 1)
u32 = st.integers(0, 2**32 - 1)
tags = st.binary(min_size=1, max_size=16).map(lambda uid: uid.hex().upper())
names = st.text(st.characters(categories=["L", "N", "P"]), max_size=32).filter(
    lambda name: len(name.encode()) <= 32 and name.isprintable()
)
edges = st.integers(1, 2**32 - 1)
any_message = st.one_of(
    st.builds(
        Hello,
        boot_id=u32,
        unique_id=st.binary(min_size=8, max_size=8),
        zones=u8,
        buttons=u8,
        firmware=names,
        next_edge=u32,
        cycle_ms=u16,
        lamps=u8,
        reset=u8,
        tick_bits=st.integers(28, 32),
        max_payload=u8,
        ring=u8,
        protocol=u8,
        revision=u8,
    ),
    st.builds(Heartbeat, u32, u32, u32, u32, u32, u32, u32, u32),
    st.builds(
        lambda zone, ticks, uids, flags, part, more, tally: Zone(
            zone, ticks, tuple(uids), flags, part, part + 1 + more, tally
        ),
        u8,
        u32,
        st.lists(tags, max_size=12),
        u8,
        st.integers(0, 7),
        st.integers(0, 8),
        st.none() | st.builds(Tally, u32, u32, *[st.none() | st.integers(0, 2**32 - 2)] * 3),
    ),
    st.builds(
        lambda a, b, ticks, button, pressed: Button(max(a, b), min(a, b), ticks, button, pressed),
        edges,
        edges,
        u32,
        u8,
        st.booleans(),
    ),
    st.builds(Ack, u8),
    st.builds(Nak, u8, u8),
    st.builds(Time, u32),
    st.builds(HelloRequest),
    st.builds(TimeQuery),
    st.builds(SetScan, u16),
    st.builds(Lamp, u8, u8, u8, u8, u16),
    st.builds(Identify, u8),
    st.builds(ButtonReceipt, u32),
)


@given(any_message, u8, u8, u32)
def test_messages_come_back_as_they_went(message: Message, seq: int, ack: int, ticks: int) -> None:
    frame = to_frame(message, seq=seq, ack=ack, ticks=ticks)
    [received] = FrameDecoder().feed(encode(frame))
    assert received == frame
    assert from_frame(received) == message


@given(any_message, st.binary(max_size=20))
def test_appended_fields_are_ignored(message: Message, more: bytes) -> None:
    frame = to_frame(message)
    untold = isinstance(message, Zone) and message.tally is None
    if len(frame.payload) + len(more) > 240 or (untold and len(more) >= 20):
        return  # a report that could have a tally has one
    longer = Frame(frame.kind, frame.msg, frame.payload + more)
    assert from_frame(longer) == message


@given(any_message)
def test_a_payload_cut_anywhere_is_refused(message: Message) -> None:
    frame = to_frame(message)
    needed = len(frame.payload)
    if isinstance(message, Zone) and message.tally is not None:
        needed -= 20
        plain = replace(message, tally=None)
        for size in range(needed, len(frame.payload)):
            assert from_frame(Frame(frame.kind, frame.msg, frame.payload[:size])) == plain
    for size in range(needed):
        with pytest.raises(MessageError):
            from_frame(Frame(frame.kind, frame.msg, frame.payload[:size]))


@given(st.integers(0, 15), u8, st.binary(max_size=240))
def test_any_payload_is_a_message_or_refused(kind: int, msg: int, payload: bytes) -> None:
    try:
        from_frame(Frame(kind, msg, payload))
    except MessageError:
        return
    assert msg in {messages.message_id(cls) for cls in CLASSES}


def test_an_unknown_id_is_told_from_a_malformed_payload() -> None:
    with pytest.raises(UnknownMessageError):
        from_frame(Frame(Kind.REPORT, 0x30))
    with pytest.raises(MessageError) as malformed:
        from_frame(Frame(Kind.EVENT, 0x03, bytes(10)))
    assert not isinstance(malformed.value, UnknownMessageError)


def test_a_message_in_a_frame_of_another_kind_is_refused() -> None:
    hello = to_frame(Hello(1, bytes(8), 1, 1, "x"))
    assert from_frame(Frame(Kind.REPORT, hello.msg, hello.payload)) == from_frame(hello)
    for kind, frame in ((Kind.EVENT, hello), (Kind.REPORT, to_frame(Identify(1)))):
        with pytest.raises(MessageError, match="of kind"):
            from_frame(Frame(kind, frame.msg, frame.payload))


@pytest.mark.parametrize("count", [0, 1, 25, 26, 52, 255])
def test_a_set_of_any_size_is_split_and_whole_again(count: int) -> None:
    uids = [f"E0040150{number:08X}" for number in range(count)]
    parts = zone_parts(3, 77, uids, 1)
    assert [part.part for part in parts] == list(range(parts[0].parts))
    assert [tag for part in parts for tag in part.tags] == uids
    assert all((part.zone, part.scan_ticks, part.flags) == (3, 77, 1) for part in parts)
    assert all(len(encode(to_frame(part))) <= 252 for part in parts)


def test_a_set_beyond_all_parts_is_refused() -> None:
    with pytest.raises(MessageError, match="more tags"):
        zone_parts(0, 0, [f"{number:032X}" for number in range(16 * 13 + 1)])


def test_faults_and_values_do_not_name_tags() -> None:
    tag = "E004015000A1B2C3"
    assert tag not in repr(Zone(1, 2, (tag,)))
    with pytest.raises(MessageError) as fault:
        to_frame(Zone(1, 2, (tag + "X",)))
    assert tag not in str(fault.value)
    assert fault.value.__suppress_context__


# --- PROTOCOL.md, read by a second implementation that knows nothing but the page ---


def _sections() -> list[tuple[int, str, str]]:
    found = re.findall(r"^### 0x(..) (\w+)[^\n]*\n(.*?)(?=^##|\Z)", PAGE, re.M | re.S)
    return [(int(msg, 16), name, body) for msg, name, body in found]


def _example(body: str) -> dict[str, str]:
    [block] = re.findall(r"^```\n(.*?)^```", body, re.M | re.S)
    rows: dict[str, str] = {}
    key = ""
    for line in block.splitlines():
        key = line[:6].strip() or key
        rows[key] = f"{rows.get(key, '')} {line[6:]}".strip()
    return rows


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in text.split())


def _crc(data: bytes) -> int:
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def _pack(kind: str, value: str) -> bytes:
    match kind:
        case "u8" | "u16" | "u32":
            return int(value).to_bytes(int(kind[1:]) // 8, "little")
        case "8 bytes":
            return bytes.fromhex(value)
        case "text":
            return bytes((len(value.encode()),)) + value.encode()
        case "uids":
            uids = [bytes.fromhex(uid) for uid in value.split(",")]
            return bytes((len(uids),)) + b"".join(bytes((len(uid),)) + uid for uid in uids)
        case _:
            raise AssertionError(kind)


@pytest.mark.parametrize(("msg", "name", "body"), _sections(), ids=lambda x: str(x)[:16])
def test_the_example_on_the_page_follows_from_its_own_table(msg: int, name: str, body: str) -> None:
    assert name
    example = _example(body)
    head, fields = _pairs(example["head"]), _pairs(example.get("field", ""))
    layout = re.findall(r"^\| (u8|u16|u32|8 bytes|text|uids) \| (\w+) \|", body, re.M)
    assert [field for _, field in layout] == list(fields)
    frame = bytes((0x10 | int(head["kind"]), int(head["seq"]), int(head["ack"]), msg))
    frame += int(head["ticks"]).to_bytes(4, "little")
    frame += b"".join(_pack(kind, fields[field]) for kind, field in layout)
    frame += _crc(frame).to_bytes(2, "big")
    assert bytes.fromhex(example["frame"]) == frame
    pieces = frame.split(b"\0")
    wire = b"".join(bytes((len(piece) + 1,)) + piece for piece in pieces) + b"\0"
    assert bytes.fromhex(example["wire"]) == wire


@pytest.mark.parametrize(("msg", "name", "body"), _sections(), ids=lambda x: str(x)[:16])
def test_the_codec_speaks_as_the_page_does(msg: int, name: str, body: str) -> None:
    example = _example(body)
    head, fields = _pairs(example["head"]), _pairs(example.get("field", ""))
    wire = bytes.fromhex(example["wire"])
    [frame] = FrameDecoder().feed(wire)
    message = from_frame(frame)
    numbers = {key: int(value) for key, value in head.items()}
    assert frame.msg == msg
    assert (frame.kind, frame.seq, frame.ack, frame.ticks) == tuple(numbers.values())
    assert type(message).__name__.upper() == name.replace("_", "")
    names = (field for field in message.__struct_fields__ if field != "tally")
    told = {field: getattr(message, field) for field in names}
    told = {
        field: value.hex().upper()
        if isinstance(value, bytes)
        else ",".join(value)
        if isinstance(value, tuple)
        else str(int(value))
        if isinstance(value, int)
        else value
        for field, value in told.items()
    }
    assert told == fields
    sent = to_frame(message, seq=numbers["seq"], ack=numbers["ack"], ticks=numbers["ticks"])
    assert encode(sent) == wire


def test_the_tally_is_as_the_page_has_it() -> None:
    """What follows the tags from revision 1 on, by a reader that knows nothing but the page."""
    [body] = re.findall(r"^### The tally of a ZONE[^\n]*\n(.*?)(?=^##|\Z)", PAGE, re.M | re.S)
    zone = next(of for _, name, of in _sections() if name == "ZONE")
    rows = r"^\| (u8|u16|u32|uids) \| (\w+) \|"
    layout = [*re.findall(rows, zone, re.M), *re.findall(rows, body, re.M)]
    example = _example(body)
    head, fields = _pairs(example["head"]), _pairs(example["field"])
    assert [field for _, field in layout] == list(fields)
    payload = b"".join(_pack(kind, fields[field]) for kind, field in layout)
    [frame] = FrameDecoder().feed(bytes.fromhex(example["wire"]))
    assert frame.payload == payload
    assert bytes.fromhex(example["frame"])[8:-2] == payload
    message = from_frame(frame)
    assert isinstance(message, Zone)
    assert message.tally == Tally(4711, 23655, 12, None, 0)
    numbers = [int(head[name]) for name in ("seq", "ack", "ticks")]
    seq, ack, ticks = numbers
    assert (
        encode(to_frame(message, seq=seq, ack=ack, ticks=ticks)).hex(" ").upper()
        == (example["wire"])
    )


def test_a_report_of_several_parts_has_the_tally_in_each() -> None:
    uids = [f"E0040150{number:08X}" for number in range(60)]
    tally = Tally(1, 2, 3, 4, 5)
    parts = zone_parts(3, 77, uids, 1, tally)
    assert [tag for part in parts for tag in part.tags] == uids
    assert {part.tally for part in parts} == {tally}
    assert all(len(encode(to_frame(part))) <= 252 for part in parts)


def test_every_message_is_on_the_page() -> None:
    assert {msg for msg, _, _ in _sections()} == {messages.message_id(cls) for cls in CLASSES}
    assert len(_sections()) == len(CLASSES)
