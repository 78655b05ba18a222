"""Messages of the microcontroller link: `Frame` <-> values. PROTOCOL.md has the layouts.

Payloads are little endian. A receiver ignores bytes after those it knows, so later
revisions may append fields.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum, IntFlag

from msgspec import Struct

from firmware_bridge.link.frames import MAX_PAYLOAD, VERSION, Frame, Kind

MAX_UID = 16
MAX_PARTS = 16
MAX_FIRMWARE = 32


class MessageError(ValueError):
    """The payload does not fit the layout of its message."""


class UnknownMessageError(MessageError):
    """No message has this id."""


class ZoneFlag(IntFlag):
    """What a zone's report can't be relied on for. Unknown bits are ignored."""

    INCOMPLETE = 1
    FAILED = 2


class NakReason(IntEnum):
    """Why a device refused a command."""

    UNKNOWN = 1
    MALFORMED = 2
    OUT_OF_RANGE = 3
    BUSY = 4
    FAILED = 5


class Hello(Struct, frozen=True):
    """Who the device is. `cycle_ms` is its full scan cycle, `next_edge` the first edge not acked.

    `tick_bits`: its tick counter wraps at 2**tick_bits microseconds. `reset`: 0 unknown,
    1 power, 2 reset pin, 3 watchdog, 4 software, 5 brown-out.
    """

    boot_id: int
    unique_id: bytes
    zones: int
    buttons: int
    firmware: str
    next_edge: int = 1
    cycle_ms: int = 120
    lamps: int = 0
    reset: int = 0
    tick_bits: int = 32
    max_payload: int = MAX_PAYLOAD
    ring: int = 32
    protocol: int = VERSION
    revision: int = 0


class Heartbeat(Struct, frozen=True, gc=False):
    """The device lives; its error counters since boot. `cycle_us` is the slowest cycle's length
    since the heartbeat before (at revision 0 the last one's), 0 where none was measured."""

    boot_id: int
    uptime_s: int
    cycle_us: int
    rx_bad: int = 0
    rx_unknown: int = 0
    tx_dropped: int = 0
    edges_lost: int = 0
    reader_faults: int = 0


class Tally(Struct, frozen=True, gc=False):
    """What a device has counted of one of its antennas since boot, modulo 2**32: its `scans`, the
    one of the report included; answers that were torn or of several tags at once (`collisions`);
    how often its field had to be switched on again, since another's was there (`retries`); how
    often its reader failed (`errors`). None is what the reader can't tell. `took_us` is how long
    the scan of the report took.
    """

    scans: int
    took_us: int
    collisions: int | None = None
    retries: int | None = None
    errors: int | None = None


class Zone(Struct, frozen=True):
    """One part of the full set of tags that one scan of a zone read.

    `tags` are canonical UIDs: upper case hex, most significant byte first. A device of revision 0
    tells no `tally`.
    """

    zone: int
    scan_ticks: int
    tags: tuple[str, ...] = ()
    flags: int = 0
    part: int = 0
    parts: int = 1
    tally: Tally | None = None

    def __repr__(self) -> str:
        return (
            f"Zone(zone={self.zone}, scan_ticks={self.scan_ticks}, tags={len(self.tags)}, "
            f"flags={self.flags}, part={self.part}, parts={self.parts})"
        )


class Button(Struct, frozen=True, gc=False):
    """Edge number `edge` of a button; `oldest` is the oldest edge the device still holds."""

    edge: int
    oldest: int
    edge_ticks: int
    button: int
    pressed: bool


class Ack(Struct, frozen=True, gc=False):
    """The command with this message id was carried out."""

    msg: int


class Nak(Struct, frozen=True, gc=False):
    """The command with this message id was refused; `reason` is a NakReason or unknown."""

    msg: int
    reason: int


class Time(Struct, frozen=True, gc=False):
    """Answer to a TimeQuery, which came at `received_ticks`; the frame has when it left."""

    received_ticks: int


class HelloRequest(Struct, frozen=True, gc=False):
    """Say hello, and report every zone at its next scan."""


class TimeQuery(Struct, frozen=True, gc=False):
    """Say what time it is."""


class SetScan(Struct, frozen=True, gc=False):
    """Take this long for a full scan cycle; 0 is as fast as it goes."""

    cycle_ms: int


class Lamp(Struct, frozen=True, gc=False):
    """Show this colour; `blink_ms` is half a blinking period, 0 is steady."""

    lamp: int
    red: int
    green: int
    blue: int
    blink_ms: int = 0


class Identify(Struct, frozen=True, gc=False):
    """Show which device you are for this long; 0 ends it."""

    seconds: int


class ButtonReceipt(Struct, frozen=True, gc=False):
    """All edges before `next_edge` have been received."""

    next_edge: int


Report = Hello | Heartbeat | Zone | Button | Ack | Nak | Time
Command = SetScan | Lamp | Identify
Request = HelloRequest | TimeQuery | Command | ButtonReceipt
Message = Report | Request

_HELLO = struct.Struct("<BBI8sBBBBBBBHI")
_ZONE = struct.Struct("<BBBBIB")
_BUTTON = struct.Struct("<IIIBB")
_TALLY = struct.Struct("<IIIII")
_UNTOLD = 0xFFFFFFFF
_MAX_TAGS = MAX_PAYLOAD - _ZONE.size


def _pack_hello(m: Hello) -> bytes:
    firmware = m.firmware.encode()
    if len(m.unique_id) != 8:
        raise MessageError("a unique id has 8 bytes")
    if len(firmware) > MAX_FIRMWARE:
        raise MessageError(f"the firmware's name is longer than {MAX_FIRMWARE} bytes")
    fixed = _HELLO.pack(
        m.protocol,
        m.revision,
        m.boot_id,
        m.unique_id,
        m.tick_bits,
        m.reset,
        m.zones,
        m.buttons,
        m.lamps,
        m.max_payload,
        m.ring,
        m.cycle_ms,
        m.next_edge,
    )
    return fixed + bytes((len(firmware),)) + firmware


def _unpack_hello(p: bytes) -> Hello:
    fields = _HELLO.unpack_from(p)
    protocol, revision, boot_id, unique_id, tick_bits, reset = fields[:6]
    zones, buttons, lamps, max_payload, ring, cycle_ms, next_edge = fields[6:]
    size = _HELLO.size
    if not 28 <= tick_bits <= 32 or len(p) <= size or p[size] > len(p) - size - 1:
        raise MessageError("hello: tick bits or the firmware's length")
    name = p[size + 1 : size + 1 + p[size]].decode(errors="replace")
    return Hello(
        boot_id=boot_id,
        unique_id=unique_id,
        zones=zones,
        buttons=buttons,
        firmware="".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name),
        next_edge=next_edge,
        cycle_ms=cycle_ms,
        lamps=lamps,
        reset=reset,
        tick_bits=tick_bits,
        max_payload=max_payload,
        ring=ring,
        protocol=protocol,
        revision=revision,
    )


def _uids(tags: Iterable[str]) -> list[bytes]:
    try:
        uids = [bytes.fromhex(tag) for tag in tags]
    except ValueError:
        raise MessageError("a tag is no hex string") from None
    if not all(1 <= len(uid) <= MAX_UID for uid in uids):
        raise MessageError(f"a UID has 1 to {MAX_UID} bytes")
    return uids


def _pack_zone(m: Zone) -> bytes:
    uids = _uids(m.tags)
    tally = b"" if m.tally is None else _pack_tally(m.tally)
    if sum(len(uid) + 1 for uid in uids) > _MAX_TAGS - len(tally):
        raise MessageError("more tags than fit one part")
    if not 0 <= m.part < m.parts <= MAX_PARTS:
        raise MessageError("no such part")
    head = _ZONE.pack(m.zone, m.flags, m.part, m.parts, m.scan_ticks, len(uids))
    return head + b"".join(bytes((len(uid),)) + uid for uid in uids) + tally


def _pack_tally(m: Tally) -> bytes:
    told = (m.collisions, m.retries, m.errors)
    return _TALLY.pack(m.scans, m.took_us, *(_UNTOLD if n is None else n for n in told))


def _unpack_tally(p: bytes) -> Tally | None:
    """What follows the tags, if anything does."""
    if len(p) < _TALLY.size:
        return None
    scans, took_us, *told = _TALLY.unpack_from(p)
    return Tally(scans, took_us, *(None if n == _UNTOLD else n for n in told))


def _unpack_zone(p: bytes) -> Zone:
    zone, flags, part, parts, ticks, count = _ZONE.unpack_from(p)
    if not part < parts <= MAX_PARTS:
        raise MessageError("zone: no such part")
    tags = []
    at = _ZONE.size
    for _ in range(count):
        if at >= len(p):
            raise MessageError("zone: cut short")
        end = at + 1 + p[at]
        if not 1 <= p[at] <= MAX_UID or end > len(p):
            raise MessageError("zone: a UID's length")
        tags.append(p[at + 1 : end].hex().upper())
        at = end
    return Zone(zone, ticks, tuple(tags), flags, part, parts, _unpack_tally(p[at:]))


def _unpack_button(p: bytes) -> Button:
    edge, oldest, ticks, button, pressed = _BUTTON.unpack_from(p)
    if pressed > 1 or not 1 <= oldest <= edge:
        raise MessageError("button: state or numbers")
    return Button(edge, oldest, ticks, button, bool(pressed))


class _Codec(Struct, frozen=True):
    msg: int
    kind: Kind
    pack: Callable[..., bytes]
    unpack: Callable[[bytes], Message]


def _plain(msg: int, kind: Kind, cls: type[Message], layout: str) -> _Codec:
    """A message whose payload is its fields, one after the other."""
    codec = struct.Struct("<" + layout)
    return _Codec(
        msg,
        kind,
        lambda m: codec.pack(*(getattr(m, name) for name in cls.__struct_fields__)),
        lambda p: cls(*codec.unpack_from(p)),
    )


_CODECS: dict[type[Message], _Codec] = {
    Hello: _Codec(0x01, Kind.REPLY, _pack_hello, _unpack_hello),
    Heartbeat: _plain(0x02, Kind.REPORT, Heartbeat, "IIIIIIII"),
    Zone: _Codec(0x03, Kind.REPORT, _pack_zone, _unpack_zone),
    Button: _Codec(
        0x04,
        Kind.EVENT,
        lambda m: _BUTTON.pack(m.edge, m.oldest, m.edge_ticks, m.button, m.pressed),
        _unpack_button,
    ),
    Ack: _plain(0x05, Kind.REPLY, Ack, "B"),
    Nak: _plain(0x06, Kind.REPLY, Nak, "BB"),
    Time: _plain(0x07, Kind.REPLY, Time, "I"),
    HelloRequest: _plain(0x41, Kind.QUERY, HelloRequest, ""),
    TimeQuery: _plain(0x42, Kind.QUERY, TimeQuery, ""),
    SetScan: _plain(0x43, Kind.COMMAND, SetScan, "H"),
    Lamp: _plain(0x44, Kind.COMMAND, Lamp, "BBBBH"),
    Identify: _plain(0x45, Kind.COMMAND, Identify, "B"),
    ButtonReceipt: _plain(0x46, Kind.RECEIPT, ButtonReceipt, "I"),
}
_BY_ID = {codec.msg: codec for codec in _CODECS.values()}


def message_id(cls: type[Message]) -> int:
    """Return the message id of a class of messages."""
    return _CODECS[cls].msg


def to_frame(
    message: Message, *, seq: int = 0, ack: int = 0, ticks: int = 0, kind: Kind | None = None
) -> Frame:
    """Return the frame of a message; `kind` only for a Hello nobody asked for (REPORT).

    Raises MessageError, or `struct.error`, if a field does not fit its width.
    """
    codec = _CODECS[type(message)]
    return Frame(
        codec.kind if kind is None else kind, codec.msg, codec.pack(message), seq, ack, ticks
    )


def from_frame(frame: Frame) -> Message:
    """Return the message in a frame of this version.

    Raises UnknownMessageError for an id without a message, MessageError for a payload
    that does not fit its layout or a kind that does not fit the message.
    """
    codec = _BY_ID.get(frame.msg)
    if codec is None:
        raise UnknownMessageError(f"no message has the id {frame.msg:#04x}")
    if frame.kind != codec.kind and not (codec.msg == 0x01 and frame.kind == Kind.REPORT):
        raise MessageError(f"message {frame.msg:#04x} in a frame of kind {frame.kind}")
    try:
        return codec.unpack(frame.payload)
    except struct.error:
        raise MessageError(f"message {frame.msg:#04x}: cut short") from None


def zone_parts(
    zone: int, scan_ticks: int, tags: Sequence[str], flags: int = 0, tally: Tally | None = None
) -> list[Zone]:
    """Split a full set into as many parts as it needs, at least one, each with the tally.

    Raises MessageError if a tag is no UID or the set needs more than 16 parts.
    """
    parts: list[list[str]] = [[]]
    most = room = _MAX_TAGS - (0 if tally is None else _TALLY.size)
    for tag, uid in zip(tags, _uids(tags), strict=True):
        if len(uid) + 1 > room:
            parts.append([])
            room = most
        parts[-1].append(tag)
        room -= len(uid) + 1
    if len(parts) > MAX_PARTS:
        raise MessageError("more tags than a report can hold")
    return [
        Zone(zone, scan_ticks, tuple(part), flags, number, len(parts), tally)
        for number, part in enumerate(parts)
    ]
