"""YRM100 and other M100 or R200 modules, 115200 8N1: UHF tags, EPC class 1 gen 2.

Source: M100 protocol manual: `BB type command length(2) data checksum 7E`, the checksum being
the sum of all between BB and itself. BB and 7E may occur inside the data, so only the length
says where a frame ends. UHF reaches over several seats: for chips and badges, not for cards.
"""

from __future__ import annotations

from binascii import crc_hqx
from enum import IntEnum
from struct import Struct as Layout

from msgspec import Struct

from firmware_bridge.decode.stream import Found, Short, Wrong
from firmware_bridge.readers.uids import canonical

MAX_DATA = 256
"""More than any reply that is known here."""

VERSION = 0x03
POLL = 0x22
FAILED = 0xFF
NO_TAG = 0x15
"""Data of a FAILED reply: nothing was read, which is no fault (manual, error codes)."""

_HEAD = Layout(">BBBH")
LONGEST = _HEAD.size + MAX_DATA + 2
_END = 0x7E


class Type(IntEnum):
    """What a frame is."""

    COMMAND = 0
    REPLY = 1
    NOTICE = 2


class Frame(Struct, frozen=True, gc=False):
    """One frame. `data` may hold an EPC and therefore stays out of the repr."""

    type: Type
    command: int
    data: bytes = b""

    def __repr__(self) -> str:
        return f"Frame({self.type!r}, command={self.command:#04x}, data={len(self.data)} bytes)"


class Read(Struct, frozen=True, gc=False):
    """One tag that was read. `intact`: the CRC that came from the tag fits its PC and EPC.

    `rssi_dbm` is the signal's strength at the reader.
    """

    rssi_dbm: int
    pc: int
    epc: str
    intact: bool

    def __repr__(self) -> str:
        return f"Read(rssi_dbm={self.rssi_dbm}, epc=…)"


def encode(command: int, data: bytes = b"", kind: Type = Type.COMMAND) -> bytes:
    """Return a frame. Raises ValueError if its data is too long."""
    if len(data) > MAX_DATA:
        raise ValueError(f"{len(data)} bytes of data; {MAX_DATA} is the most")
    body = _HEAD.pack(0xBB, kind, command, len(data)) + data
    return body + bytes((sum(body[1:]) & 0xFF, _END))


def scan(data: bytes, at: int) -> Found[Frame] | Wrong | Short:
    """Look for a frame (see `stream.Scan`)."""
    if data[at] != 0xBB:
        start = data.find(0xBB, at)
        return Wrong((start if start >= 0 else len(data)) - at, "no start byte BB")
    have = len(data) - at
    if have > 1 and data[at + 1] not in set(Type):
        return Wrong(1, f"no frame is of type {data[at + 1]:02X}; 00, 01 and 02 are")
    if have < _HEAD.size:
        return Short(_HEAD.size + 2)
    _, kind, command, size = _HEAD.unpack_from(data, at)
    if size > MAX_DATA:
        return Wrong(1, f"{size} bytes of data; {MAX_DATA} is the most", "too_long")
    need = _HEAD.size + size + 2
    if have < need:
        return Short(need)
    check, end = data[at + need - 2], data[at + need - 1]
    if end != _END:
        return Wrong(1, f"the end byte is {end:02X}, must be 7E")
    must = sum(data[at + 1 : at + need - 2]) & 0xFF
    if check != must:
        return Wrong(1, f"bad checksum: {check:02X}, must be {must:02X}", "bad_crc")
    return Found(need, Frame(Type(kind), command, data[at + _HEAD.size : at + need - 2]))


def may_end(data: bytes) -> bool:
    """Whether a frame may end with this."""
    return data[-1] == _END


def epc_crc(data: bytes) -> int:
    """Return the CRC that a tag sends after its PC and EPC (EPC Gen2, annex F: CRC-16/GENIBUS)."""
    return crc_hqx(data, 0xFFFF) ^ 0xFFFF


def read(data: bytes) -> Read | None:
    """Read the data of a poll's notice; None if it does not fit its own length."""
    if len(data) < 5:
        return None
    pc = int.from_bytes(data[1:3], "big")
    size = (pc >> 11) * 2
    if not size or len(data) != 5 + size:
        return None
    rssi = data[0] - 256 if data[0] > 127 else data[0]
    intact = epc_crc(data[1:-2]) == int.from_bytes(data[-2:], "big")
    return Read(rssi, pc, canonical(data[3:-2]), intact)
