"""RDM6300, 9600 8N1: one 125 kHz tag, sent again and again while it lies there.

Source: RDM6300 data sheet, "UART output": 02, ten hex digits, two hex digits of their XOR, 03.
The module takes no commands, so a dead one can't be told from an empty field; it suits
the dealer button and nothing else.
"""

from __future__ import annotations

from msgspec import Struct

from firmware_bridge.decode.stream import Found, Short, Wrong
from firmware_bridge.readers.uids import canonical

SIZE = 14
_STX, _ETX = 0x02, 0x03
_DIGITS = frozenset(b"0123456789ABCDEFabcdef")


class Frame(Struct, frozen=True, gc=False):
    """One tag. Its version byte comes first; the rest in decimal is printed on the tag."""

    version: int
    number: int

    @property
    def uid(self) -> str:
        """The canonical UID, version included."""
        return canonical(bytes((self.version,)) + self.number.to_bytes(4, "big"))

    def __repr__(self) -> str:
        return "Frame(…)"


def scan(data: bytes, at: int) -> Found[Frame] | Wrong | Short:
    """Look for a frame (see `stream.Scan`)."""
    if data[at] != _STX:
        start = data.find(_STX, at)
        return Wrong((start if start >= 0 else len(data)) - at, "no start byte 02")
    piece = data[at : at + SIZE]
    digits = piece[1 : SIZE - 1]
    for place, digit in enumerate(digits, 1):
        if digit not in _DIGITS:
            return Wrong(1, f"byte {place} after 02 is {digit:02X}, no hex digit")
    if len(piece) < SIZE:
        return Short(SIZE)
    if piece[-1] != _ETX:
        return Wrong(1, f"the end byte is {piece[-1]:02X}, must be 03")
    *content, check = bytes.fromhex(digits.decode())
    must = 0
    for byte in content:
        must ^= byte
    if check != must:
        return Wrong(1, f"bad checksum (XOR): {check:02X}, must be {must:02X}", "bad_crc")
    return Found(SIZE, Frame(content[0], int.from_bytes(content[1:], "big")))


def may_end(data: bytes) -> bool:
    """Whether a frame may end with this."""
    *digits, end = data
    return end == _ETX and _DIGITS.issuperset(digits)


def encode(version: int, number: int) -> bytes:
    """Return the frame of a tag, as the module sends it."""
    content = bytes((version,)) + number.to_bytes(4, "big")
    check = 0
    for byte in content:
        check ^= byte
    return b"\x02" + (content + bytes((check,))).hex().upper().encode() + b"\x03"
