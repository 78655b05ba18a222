"""FEIG OBID i-scan HF readers over their serial host protocol, 38400 8E1 as delivered.

Sources: the manual of the OBID classic-pro CPR readers (H20800), below "H20800", sections 3
(frames), 7.1.1 (inventory) and annexes A (transponder types) and C (status); those of the ID
ISC.MR/PR/PRH101 (H60301, 2.1, 6.1.1) and the MR200 (H40801, 6.1.1) have the same frames and
inventories. UIDs come most significant byte first. There is no start byte: where a frame begins is
known from the silence before it.

Several HF antennas hang on an antenna multiplexer (H30701, 2.2.3; see `select_channel`). The layout
of an inventory by antenna (ID ISC.MU02.02, H90701, page 76) is that of UHF readers: it is explained
on the bench and never asked for.
"""

from __future__ import annotations

from binascii import crc_hqx

from msgspec import Struct

from firmware_bridge.decode.stream import Found, Short, Wrong
from firmware_bridge.readers.uids import ISO15693_FIRST, canonical, is_mangled

STX = 0x02
"""First byte of a frame with two bytes of length, for more than 255 bytes."""
MAX_LENGTH = 4096
BROADCAST = 0xFF
"""The address at which every reader answers, with its own."""

SOFTWARE_VERSION = 0x65
RF_RESET = 0x69
ISO_HOST = 0xB0
INVENTORY = 0x01
MORE = 0x80
ANT = 0x10
"""In an inventory's mode: by antenna. UHF readers only (H90701, page 76)."""

FUNCTION_UNIT = 0x02
"""What follows is for a device on the antenna's cable, such as a multiplexer (H30701, 2.2)."""
UNIT_SAYS = 0x00
"""What its answer may begin with in the place of the command: the same page has 00 and a status."""
SELECT_CHANNEL = 0xDD
_TO_UNIT = 0xFE
MULTIPLEXER = 0
"""The address of the multiplexer. **Unverified** that it is delivered so."""

OK = 0x00
NO_TRANSPONDER = 0x01
"""None there, or muted, or all reads disturbed: nothing tells which (annex C)."""
MORE_DATA = 0x94

STATUS = {
    0x00: "OK",
    0x01: "no transponder",
    0x02: "data false",
    0x03: "write error",
    0x04: "address error",
    0x05: "wrong transponder type",
    0x08: "authentication error",
    0x0E: "general error",
    0x10: "EEPROM failure",
    0x11: "parameter range error",
    0x13: "login request",
    0x14: "login error",
    0x15: "read protect",
    0x16: "write protect",
    0x17: "firmware activation required",
    0x80: "unknown command",
    0x81: "length error",
    0x82: "command not available",
    0x83: "RF communication error",
    0x84: "RF warning",
    0x92: "no valid data",
    0x93: "data buffer overflow",
    0x94: "more data",
    0x95: "tag error",
}

ISO15693 = 0x03
ISO14443A = 0x04
ISO14443B = 0x05
_WITH_DSFID = (0x00, 0x01, ISO15693)


class Frame(Struct, frozen=True, gc=False):
    """One frame. `payload` is what follows the command: in a reply the status, then data.

    It may hold UIDs and therefore stays out of the repr.
    """

    address: int
    command: int
    payload: bytes = b""
    extended: bool = False

    def __repr__(self) -> str:
        return (
            f"Frame(address={self.address}, command={self.command:#04x}, "
            f"payload={len(self.payload)} bytes)"
        )


class Tag(Struct, frozen=True, gc=False):
    """A transponder of an inventory. `antennas` are the numbers of those that read it.

    `dsfid` is None for the types that have none.
    """

    type: int
    uid: str
    dsfid: int | None = None
    antennas: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"Tag(type={self.type}, uid=…)"


_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def crc16(data: bytes) -> int:
    """Return the CRC of a frame (H20800, 3.3): polynomial 0x8408, start 0xFFFF; low byte first."""
    # 0x8408 is 0x1021 with its bits, and those of all bytes, in the other order.
    crc = crc_hqx(data.translate(_REVERSED), 0xFFFF)
    return _REVERSED[crc & 0xFF] << 8 | _REVERSED[crc >> 8]


def encode(frame: Frame) -> bytes:
    """Return a frame's bytes, with two bytes of length where it has to be.

    Raises ValueError if it is too long for that as well.
    """
    size = len(frame.payload) + 5
    if size > 255 or frame.extended:
        size += 2
        if size > MAX_LENGTH:
            raise ValueError(f"{size} bytes; {MAX_LENGTH} is the most")
        head = bytes((STX, *size.to_bytes(2, "big")))
    else:
        head = bytes((size,))
    body = head + bytes((frame.address, frame.command)) + frame.payload
    return body + crc16(body).to_bytes(2, "little")


def select_channel(channel: int, form: int) -> bytes:
    """Return what asks the multiplexer to connect its first input to output 1 … 8 (H30701, 2.2.3).

    **Unverified.** That page has 02, [DD], the multiplexer's address, FE and the two channels, and
    its text does not tell whether FE stands behind the address (`form` 0) or before it (1). Nor has
    its annex C been seen, which tells how this travels in the reader's own frames; 02 is taken for
    the frame's command. Channel 0 connects the second input to nothing.
    """
    address = (MULTIPLEXER, _TO_UNIT) if form == 0 else (_TO_UNIT, MULTIPLEXER)
    return bytes((SELECT_CHANNEL, *address, channel, 0))


def scan(data: bytes, at: int) -> Found[Frame] | Wrong | Short:
    """Look for a frame (see `stream.Scan`)."""
    have = len(data) - at
    extended = data[at] == STX
    head, least = (3, 7) if extended else (1, 5)
    if have < head:
        return Short(least)
    size = int.from_bytes(data[at + 1 : at + 3], "big") if extended else data[at]
    if size < least:
        return Wrong(1, f"a length of {size}; {least} is the least")
    if size > MAX_LENGTH:
        return Wrong(1, f"a length of {size}; {MAX_LENGTH} is the most", "too_long")
    if have < size:
        return Short(size)
    end = at + size
    check, must = int.from_bytes(data[end - 2 : end], "little"), crc16(data[at : end - 2])
    if check != must:
        return Wrong(1, f"bad CRC: {check:04X}, must be {must:04X}", "bad_crc")
    body = data[at + head : end - 2]
    return Found(size, Frame(body[0], body[1], body[2:], extended))


def tags(data: bytes, *, by_antenna: bool = False) -> tuple[Tag, ...] | None:
    """Read the data of an inventory's reply, after the status (H20800, 7.1.1).

    None if it does not fit that layout, or has a transponder whose layout is not known: nothing
    in it can be relied on then.
    """
    if not data:
        return ()
    found: list[Tag] = []
    at = 1
    for _ in range(data[0]):
        flags, at = (data[at] if at < len(data) else 0, at + 1) if by_antenna else (1, at)
        if flags & 1:
            read = _tag(data, at, with_length=by_antenna)
            if read is None:
                return None
            tag, at = read
        antennas: tuple[int, ...] = ()
        if by_antenna and flags & 0x10:
            count, at = (data[at] if at < len(data) else 0, at + 1) if flags & 1 else (1, at)
            antennas = tuple(data[at : at + 7 * count : 7])
            at += 7 * count  # number, status, signal and four that are reserved
        if flags & 1:
            found.append(Tag(tag.type, tag.uid, tag.dsfid, antennas))
    return tuple(found) if at == len(data) else None


def _tag(data: bytes, at: int, *, with_length: bool) -> tuple[Tag, int] | None:
    """One transponder and where it ends; None if it is cut short or of a type unknown here."""
    kind = data[at] if at < len(data) else -1
    dsfid = None
    if kind in _WITH_DSFID and at + 2 < len(data):
        dsfid = data[at + 1]
        size = data[at + 2] if with_length else 8
        start = at + 3 if with_length else at + 2
    elif kind == ISO14443A and at + 1 < len(data):
        size, start = (10 if data[at + 1] & 0x04 else 7), at + 3
    elif kind == ISO14443B:
        size, start = 8, at + 2
    else:
        return None
    uid = data[start : start + size]
    if len(uid) != size or not size:
        return None
    # Four bytes are padded to seven. The first of seven is a manufacturer's code and never 0.
    if kind == ISO14443A and size == 7 and not any(uid[:3]):
        uid = uid[3:]
    return Tag(kind, canonical(uid), dsfid), start + size


def is_plausible(tag: Tag) -> bool:
    """Whether a transponder can have this UID; bad reads may have any."""
    uid = bytes.fromhex(tag.uid)
    return not is_mangled(uid) and (tag.type != ISO15693 or uid[0] == ISO15693_FIRST)
