"""Eccel Pepper C1 over its serial port, 115200 8N1 as delivered: ISO 15693 tags.

Sources, with the names that are used below:

- "C1 page": Eccel's own pages on driving the Pepper C1 with Python, eccel.co.uk,
  Pepper_C1/C1-python: protocol.html (frames), commands.html (opcodes), api.html.
- "C1 library": what Eccel publishes to drive it, which is code and no manual: pepper_c1 0.2.0 for
  Python with its README, whose section Protocol has the frames too, and C1_Interface 1.0 for
  Arduino.
- "sibling": Eccel's user manual of its RS485 readers (1356NFC; 000537, v1.1), which speak the
  same commands in frames that have an address byte as well. Pages are those of the 1356NFC. Some
  of its opcodes are others (its version is 09), none of those that are taken from it here.

**Unverified**: SET_ANTENNA. Its opcode and its argument, 1 to 8, are in the C1 library only; the
page of the manual (C1_software_manual.pdf) has not been seen. All else has a page that is named
where it stands, some of it the sibling's.
"""

from __future__ import annotations

from binascii import crc_hqx

from msgspec import Struct

from firmware_bridge.decode.stream import Found, Short, Wrong
from firmware_bridge.readers.uids import ISO15693_FIRST, canonical, is_mangled

STX = 0xF5
MAX_LENGTH = 2068
"""Of payload and CRC: the buffer of Eccel's own driver (C1 library, binary_protocol.h)."""
_HEAD = 5
_CRC = 2
LONGEST = _HEAD + MAX_LENGTH
"""Of a whole frame."""

ACK = 0x00
ASYNC = 0xFE
ERROR = 0xFF
GET_TAG_COUNT = 0x02
GET_TAG_UID = 0x03
HALT = 0x05
"""Turns the field off as well (C1 page, commands; sibling, 3.1.7)."""
SET_POLLING = 0x06
"""1: it reads on its own, 0: it stops that (C1 page, commands and api)."""
GET_VERSION = 0x0B
"""C1 page, commands; the text of the answer: sibling, 3.1.11."""
SET_ANTENNA = 0x0F
INVENTORY_START = 0x90
INVENTORY_NEXT = 0x91
"""Both with an AFI: sibling, 3.6.1 and 3.6.2; the C1 library has the same."""

UNVERIFIED = frozenset({SET_ANTENNA})
"""Commands that this program sends and for which no page of a document has been seen."""

ALL_FAMILIES = 0x00
"""The AFI that every tag answers (sibling, 3.6.1; ISO/IEC 15693-3, 7.2)."""

NO_REPLY = 0x01
"""No tag answered: what an inventory says of an empty field (sibling, 3.6.1 and p. 7)."""
BAD_READ = 0x02
REFUSALS = {
    0x20: "invalid data",
    0x21: "invalid parameter",
    0x22: "parameter overflow",
    0x23: "parameter not supported",
    0x24: "command not supported",
    0x25: "condition of use not satisfied",
    0xF0: "the protocol wants a password",
}
"""Asking again won't help (sibling, p. 7; 0xF0: C1 library, C1_Interface.h)."""
ERRORS = {
    NO_REPLY: "no tag answered",
    BAD_READ: "wrong CRC or parity",
    0x03: "collision",
    0x04: "buffer overflow",
    0x05: "invalid frame",
    0x06: "a reply against the protocol",
    0x07: "authentication error",
    0x08: "memory error",
    0x09: "too hot",
    0x0A: "RF error",
    0x0B: "the reader's chip does not answer",
    0x0C: "length error",
    0x0D: "resource error",
    0x10: "another field is on",
    **REFUSALS,
    0x7F: "internal error",
}


class Frame(Struct, frozen=True, gc=False):
    """One frame: `kind` is its first byte, a command or ACK, ASYNC or ERROR.

    `body` is what follows; it may hold a UID and therefore stays out of the repr.
    """

    kind: int
    body: bytes = b""

    def __repr__(self) -> str:
        return f"Frame(kind={self.kind:#04x}, body={len(self.body)} bytes)"


class Tag(Struct, frozen=True, gc=False):
    """What one step of an inventory found; `more`: the reader has others in the field."""

    uid: str
    dsfid: int
    more: bool

    def __repr__(self) -> str:
        return f"Tag(uid=…, more={self.more})"


class Failure(Struct, frozen=True, gc=False):
    """Why a command was not carried out: which layer says so, and its number."""

    command: int
    layer: int
    number: int


def encode(frame: Frame) -> bytes:
    """Return a frame's bytes (C1 page, protocol). Raises ValueError if it is too long."""
    payload = bytes((frame.kind,)) + frame.body
    size = len(payload) + _CRC
    if size > MAX_LENGTH:
        raise ValueError(f"{size} bytes; {MAX_LENGTH} is the most")
    length = size.to_bytes(2, "little")
    head = bytes((STX,)) + length + bytes(byte ^ 0xFF for byte in length)
    return head + payload + crc16(payload).to_bytes(2, "little")


def crc16(payload: bytes) -> int:
    """Return the CRC of a frame, over its payload alone: CRC-16/CCITT-FALSE (C1 page, protocol)."""
    return crc_hqx(payload, 0xFFFF)


def scan(data: bytes, at: int) -> Found[Frame] | Wrong | Short:
    """Look for a frame (see `stream.Scan`)."""
    if data[at] != STX:
        start = data.find(STX, at)
        return Wrong((start if start >= 0 else len(data)) - at, "no start byte F5")
    have = len(data) - at
    least = _HEAD + 1 + _CRC
    for offset in (1, 2):
        if have > offset + 2 and data[at + offset] ^ data[at + offset + 2] != 0xFF:
            said, must = data[at + offset + 2], data[at + offset] ^ 0xFF
            return Wrong(1, f"bad complement of the length: {said:02X}, must be {must:02X}")
    if have < _HEAD:
        return Short(least)
    size = int.from_bytes(data[at + 1 : at + 3], "little")
    if size < 1 + _CRC:
        return Wrong(1, f"a length of {size}; {1 + _CRC} is the least")
    if size > MAX_LENGTH:
        return Wrong(1, f"a length of {size}; {MAX_LENGTH} is the most", "too_long")
    end = at + _HEAD + size
    if len(data) < end:
        return Short(_HEAD + size)
    payload = data[at + _HEAD : end - _CRC]
    check, must = int.from_bytes(data[end - _CRC : end], "little"), crc16(payload)
    if check != must:
        return Wrong(1, f"bad CRC: {check:04X}, must be {must:04X}", "bad_crc")
    return Found(_HEAD + size, Frame(payload[0], payload[1:]))


def answers(frame: Frame, command: int) -> bool:
    """Whether this is the reader's answer to a command (sibling, 3.1.1 and 3.1.2)."""
    return frame.kind in {ACK, ERROR} and frame.body[:1] == bytes((command,))


def failure(frame: Frame) -> Failure | None:
    """Read an error; None if the frame is none. What it leaves out is 0 (sibling, 3.1.2)."""
    if frame.kind != ERROR:
        return None
    command, layer, number = (*frame.body[:3], 0, 0, 0)[:3]
    return Failure(command, layer, number)


def tag(frame: Frame) -> Tag | None:
    """Read what an inventory's step found (sibling, 3.6.1 and 3.6.2); None if it does not fit.

    The UID comes least significant byte first (the same; C1 library: "inverted order").
    """
    if frame.kind != ACK or len(frame.body) != 11 or frame.body[10] > 1:
        return None
    if frame.body[0] not in {INVENTORY_START, INVENTORY_NEXT}:
        return None
    return Tag(canonical(frame.body[8:0:-1]), frame.body[9], bool(frame.body[10]))


def version(frame: Frame) -> str:
    """Return the number that a version begins with, such as 2.56: it is text (sibling, 3.1.11)."""
    text = frame.body[1:9].decode("ascii", "replace")
    digits = next((n for n, each in enumerate(text) if each not in "0123456789."), len(text))
    return text[:digits]


def is_plausible(tag: Tag) -> bool:
    """Whether a tag can have this UID; bad reads may have any."""
    uid = bytes.fromhex(tag.uid)
    return uid[0] == ISO15693_FIRST and not is_mangled(uid)
