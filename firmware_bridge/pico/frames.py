"""Frames of the link (PROTOCOL.md 1): header, payload, CRC, COBS, 0x00."""

import struct
from array import array

import cobs
import micropython
from micropython import const

VERSION = const(1)
MAX_PAYLOAD = const(240)
MAX_ENCODED = const(251)
SHORTEST = const(10)

REPORT = const(0)
EVENT = const(1)
QUERY = const(2)
COMMAND = const(3)
REPLY = const(4)
RECEIPT = const(5)


def _crc_table():
    table = array("H")
    for byte in range(256):
        crc = byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
        table.append(crc & 0xFFFF)
    return table


_TABLE = _crc_table()


@micropython.native
def crc16(data):
    """Return the CRC-16/CCITT-FALSE of `data`."""
    crc = 0xFFFF
    table = _TABLE
    for byte in data:
        crc = (crc << 8 & 0xFF00) ^ table[crc >> 8 ^ byte]
    return crc


def encode(kind, seq, ack, msg, ticks, payload):
    """Return the frame as it goes over the wire, delimiter included: at most 252 bytes."""
    body = struct.pack("<BBBBI", VERSION << 4 | kind, seq, ack, msg, ticks) + payload
    out = cobs.encode(body + struct.pack(">H", crc16(body)))
    out.append(0)
    return out


class Decoder:
    """Bytes in any portions -> frames as (version, kind, seq, msg, payload).

    `bad` counts what was dropped: too long, too short, COBS, CRC. Holds at most 251 bytes.
    """

    def __init__(self):
        self.bad = 0
        self._buffer = bytearray()
        self._overrun = False

    def feed(self, data):
        """Return the intact frames completed by `data`."""
        frames = []
        pieces = data.split(b"\0")
        for piece in pieces[:-1]:
            self._append(piece)
            frame = self._decode() if self._buffer else None
            if frame:
                frames.append(frame)
            self._buffer = bytearray()
            self._overrun = False
        self._append(pieces[-1])
        return frames

    def _append(self, piece):
        if self._overrun:
            return
        if len(self._buffer) + len(piece) > MAX_ENCODED:
            self.bad += 1
            self._overrun = True
            self._buffer = bytearray()
        else:
            self._buffer.extend(piece)

    def _decode(self):
        body = cobs.decode(bytes(self._buffer))
        if body is None or len(body) < SHORTEST or crc16(body):
            self.bad += 1
            return None
        return body[0] >> 4, body[0] & 15, body[1], body[3], bytes(body[8:-2])
