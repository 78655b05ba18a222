"""PN532 over HSU (high speed UART), 115200 8N1: ISO/IEC 14443 A tags, two in the field at most.

Source: PN532 User Manual (UM0701-02), below "UM". A reply often comes in one read with the ACK
before it, and UIDs come most significant byte first.
"""

from __future__ import annotations

from enum import Enum
from struct import Struct as Layout

from msgspec import Struct

from firmware_bridge.decode.stream import Found, Short, Wrong
from firmware_bridge.readers.uids import canonical

MAX_LENGTH = 265
"""TFI and packet data of the longest frame (UM 6.2.1.2)."""
LONGEST = MAX_LENGTH + 10
"""That frame, from its preamble to its postamble."""

ACK = bytes.fromhex("0000FF00FF00")
"""UM 6.2.1.3. Sent by the host it makes the chip give up the command it is at."""
WAKE_UP = bytes.fromhex("5555") + bytes(30)
"""UM 7.2.11: rising edges wake the chip, whose clock then takes up to 2 ms to run (T_osc_start of
the data sheet; unverified, its page was not seen). At 115200 baud these zeros, which are preamble
(UM 6.2.1.6), take 2.6 ms: that holds however an adapter buffers what is sent, which a pause would
not."""

GET_FIRMWARE_VERSION = 0x02
SAM_CONFIGURATION = 0x14
RF_CONFIGURATION = 0x32
IN_LIST_PASSIVE_TARGET = 0x4A

MAX_TARGETS = 2
"""The chip handles two targets at once (UM 7.3.5)."""
ISO14443_4 = 0x20
"""Bit of SEL_RES: the target speaks ISO/IEC 14443-4 and an ATS follows its UID (UM 7.3.5)."""

_EXTENDED = Layout(">HB")


class Kind(Enum):
    """What a frame is."""

    ACK = "ack"
    NAK = "nak"
    ERROR = "error"
    COMMAND = "command"
    RESPONSE = "response"


_TFI = {0xD4: Kind.COMMAND, 0xD5: Kind.RESPONSE, 0x7F: Kind.ERROR}


class Frame(Struct, frozen=True, gc=False):
    """One frame. `code` is a command's, or a command's plus one in its response.

    `data` may hold UIDs and therefore stays out of the repr.
    """

    kind: Kind
    code: int = 0
    data: bytes = b""

    def __repr__(self) -> str:
        return f"Frame({self.kind}, code={self.code:#04x}, data={len(self.data)} bytes)"


class Target(Struct, frozen=True, gc=False):
    """A tag that was listed, by its canonical UID."""

    number: int
    sens_res: int
    sel_res: int
    uid: str
    ats: bytes = b""

    def __repr__(self) -> str:
        return f"Target({self.number}, uid=…)"


class FirmwareVersion(Struct, frozen=True, gc=False):
    """Answer to GetFirmwareVersion (UM 7.2.2)."""

    ic: int
    version: int
    revision: int
    support: int


def encode(code: int, data: bytes = b"", *, response: bool = False) -> bytes:
    """Return the frame of a command or a response, extended if it has to be (UM 6.2.1.1, 6.2.1.2).

    Raises ValueError if it is too long for that as well.
    """
    body = bytes((0xD5 if response else 0xD4, code)) + data
    if len(body) > MAX_LENGTH:
        raise ValueError(f"{len(body)} bytes; {MAX_LENGTH} is the most")
    size = len(body)
    if size <= 255:
        head = bytes((size, -size & 0xFF))
    else:
        high, low = divmod(size, 256)
        head = b"\xff\xff" + bytes((high, low, -(high + low) & 0xFF))
    return b"\x00\x00\xff" + head + body + bytes((-sum(body) & 0xFF, 0))


def scan(data: bytes, at: int) -> Found[Frame] | Wrong | Short:
    """Look for a frame (see `stream.Scan`). Zeros before one are its preamble, however many.

    0x55 is what wakes the chip; a host may send it before a frame.
    """
    if data[at] == 0x55:
        return Found(_run(data, at, 0x55), None)
    zeros = _run(data, at, 0x00)
    start = at + zeros - 1
    if not zeros:
        ends = [end for byte in (b"\x00", b"\x55") if (end := data.find(byte, at)) >= 0]
        return Wrong(min(ends, default=len(data)) - at, "no start code 00 FF")
    if start + 1 == len(data):
        return Found(zeros - 1, None) if zeros > 1 else Short(6)
    if data[start + 1] != 0xFF:
        return Found(zeros, None)
    if zeros > 2:
        return Found(zeros - 2, None)
    return _framed(data, at, start)


def _run(data: bytes, at: int, byte: int) -> int:
    end = at
    while end < len(data) and data[end] == byte:
        end += 1
    return end - at


def _framed(data: bytes, at: int, start: int) -> Found[Frame] | Wrong | Short:
    """A start code lies at `start`; what is before it, from `at` on, is preamble."""
    drop = start + 2 - at
    have = len(data)
    if have < start + 4:
        return Short(start + 5 - at)
    size, check = data[start + 2], data[start + 3]
    if {size, check} == {0x00, 0xFF}:
        if have < start + 5:
            return Short(start + 5 - at)
        if data[start + 4]:
            return Wrong(drop, "bad postamble, must be 00")
        return Found(start + 5 - at, Frame(Kind.ACK if check else Kind.NAK))
    body = start + 4
    if (size, check) == (0xFF, 0xFF):
        body = start + 7
        if have < body:
            return Short(body + 2 - at)
        size, check = _EXTENDED.unpack_from(data, start + 4)
    if (size + (size >> 8) + check) & 0xFF:
        must = -(size + (size >> 8)) & 0xFF
        return Wrong(drop, f"bad LCS (length checksum): {check:02X}, must be {must:02X}", "bad_crc")
    if not 1 <= size <= MAX_LENGTH:
        return Wrong(drop, f"a length of {size}; 1 … {MAX_LENGTH} is possible", "too_long")
    if have > body and data[body] not in _TFI:
        return Wrong(drop, f"bad TFI {data[body]:02X}, must be D4, D5 or 7F")
    if have < body + size + 2:
        return Short(body + size + 2 - at)
    content, check = data[body : body + size], data[body + size]
    if (sum(content) + check) & 0xFF:
        must = -sum(content) & 0xFF
        return Wrong(drop, f"bad DCS (data checksum): {check:02X}, must be {must:02X}", "bad_crc")
    if data[body + size + 1]:
        return Wrong(drop, "bad postamble, must be 00")
    kind = _TFI[content[0]]
    if kind is Kind.ERROR:
        return Found(body + size + 2 - at, Frame(kind, 0x7F, content[1:]))
    if size < 2:
        return Wrong(drop, "a frame without a command code", "too_short")
    return Found(body + size + 2 - at, Frame(kind, content[1], content[2:]))


def firmware_version(data: bytes) -> FirmwareVersion | None:
    """Read the data of a GetFirmwareVersion response; None if it is none."""
    return FirmwareVersion(*data) if len(data) == 4 else None


def targets(data: bytes) -> tuple[Target, ...] | None:
    """Read the data of an InListPassiveTarget response, 106 kbps type A (UM 7.3.5).

    None if it does not fit that layout: nothing in it can be relied on then.
    """
    if not data or data[0] > MAX_TARGETS:
        return None
    found: list[Target] = []
    at = 1
    for _ in range(data[0]):
        if at + 5 > len(data):
            return None
        number, sens, sel, size = data[at], data[at + 1] << 8 | data[at + 2], *data[at + 3 : at + 5]
        end = at + 5 + size
        if size not in {4, 7, 10} or end > len(data):
            return None
        uid = canonical(data[at + 5 : end])
        at = end
        if sel & ISO14443_4:
            if at >= len(data) or not data[at]:
                return None
            end = at + data[at]
        found.append(Target(number, sens, sel, uid, data[at:end]))
        at = end
    return tuple(found) if at == len(data) else None
