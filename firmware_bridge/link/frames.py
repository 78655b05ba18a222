"""Frames of the microcontroller link: bytes on the wire <-> `Frame`."""

from __future__ import annotations

import struct
from binascii import crc_hqx
from enum import IntEnum

from msgspec import Struct

from firmware_bridge.link import cobs
from firmware_bridge.listening import Heard

VERSION = 1
MAX_PAYLOAD = 240
MAX_DECODED = 8 + MAX_PAYLOAD + 2
MAX_ENCODED = MAX_DECODED + 1
"""Longest encoding without its delimiter: 250 bytes never need a second COBS block."""

_HEADER = struct.Struct("<BBBBI")
_CRC = struct.Struct(">H")
_SHORTEST = _HEADER.size + _CRC.size


class Kind(IntEnum):
    """What a frame wants from its receiver (low nibble of the first byte)."""

    REPORT = 0
    EVENT = 1
    QUERY = 2
    COMMAND = 3
    REPLY = 4
    RECEIPT = 5


class Frame(Struct, frozen=True, gc=False):
    """One frame whose CRC was right. `ticks` is the sender's time in microseconds, mod 2^32.

    `kind` and `msg` are as received and may be unknown here. The payload may hold tags
    and therefore stays out of the repr.
    """

    kind: int
    msg: int
    payload: bytes = b""
    seq: int = 0
    ack: int = 0
    ticks: int = 0
    version: int = VERSION

    def __repr__(self) -> str:
        return (
            f"Frame(kind={self.kind}, msg={self.msg:#04x}, seq={self.seq}, ack={self.ack}, "
            f"ticks={self.ticks}, version={self.version}, payload={len(self.payload)} bytes)"
        )


class DecoderCounters(Struct, frozen=True, gc=False):
    """Frames received, and what was dropped, by cause. `other_version` frames were intact.

    `noise_bytes` are those that belonged to no intact frame.
    """

    frames: int = 0
    bad_cobs: int = 0
    bad_crc: int = 0
    too_long: int = 0
    too_short: int = 0
    other_version: int = 0
    noise_bytes: int = 0


def encode(frame: Frame) -> bytes:
    """Return the frame as it goes over the wire, delimiter included: at most 252 bytes.

    Raises ValueError if the payload is longer than 240 bytes, `struct.error` if a field
    does not fit its width.
    """
    if len(frame.payload) > MAX_PAYLOAD:
        raise ValueError(f"a payload of {len(frame.payload)} bytes; {MAX_PAYLOAD} is the most")
    body = (
        _HEADER.pack(frame.version << 4 | frame.kind, frame.seq, frame.ack, frame.msg, frame.ticks)
        + frame.payload
    )
    return cobs.encode(body + _CRC.pack(crc_hqx(body, 0xFFFF))) + b"\0"


class FrameDecoder:
    """Bytes in any portions -> frames. Never raises; holds at most 251 bytes."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._overrun = False
        self.heard: Heard | None = None
        self._counts = dict.fromkeys(DecoderCounters.__struct_fields__, 0)

    @property
    def counters(self) -> DecoderCounters:
        """The counters since this decoder was made."""
        return DecoderCounters(**self._counts)

    @property
    def buffered(self) -> int:
        """Bytes held of a frame that is not complete yet."""
        return len(self._buffer)

    def reset(self) -> None:
        """Forget a frame that is half received: the line was opened anew."""
        self._counts["noise_bytes"] += len(self._buffer)
        self._tell(bytes(self._buffer), intact=False)
        self._end()

    def _end(self) -> None:
        self._buffer.clear()
        self._overrun = False

    def feed(self, data: bytes) -> list[Frame]:
        """Return the intact frames completed by `data`, those of another version included."""
        frames: list[Frame] = []
        *ended, rest = data.split(b"\0")
        for piece in ended:
            self._append(piece)
            encoded = bytes(self._buffer)
            frame = self._decode(encoded) if encoded else None
            if frame:
                self._tell(encoded + b"\0", intact=True)
                frames.append(frame)
            else:
                self._tell(encoded, intact=False)
                self._tell(b"\0", intact=True)
            self._end()
        self._append(rest)
        return frames

    def _append(self, piece: bytes) -> None:
        if self._overrun:
            self._counts["noise_bytes"] += len(piece)
            self._tell(piece, intact=False)
        elif len(self._buffer) + len(piece) > MAX_ENCODED:
            self._counts["too_long"] += 1
            self._counts["noise_bytes"] += len(self._buffer) + len(piece)
            self._tell(bytes(self._buffer) + piece, intact=False)
            self._overrun = True
            self._buffer.clear()
        else:
            self._buffer += piece

    def _tell(self, raw: bytes, *, intact: bool) -> None:
        if self.heard is not None and raw:
            self.heard(raw, intact)

    def _decode(self, encoded: bytes) -> Frame | None:
        body, fault = _unpack(encoded)
        if fault:
            self._counts[fault] += 1
            self._counts["noise_bytes"] += len(encoded)
            return None
        first, seq, ack, msg, ticks = _HEADER.unpack_from(body)
        version = first >> 4
        self._counts["frames" if version == VERSION else "other_version"] += 1
        return Frame(first & 15, msg, body[_HEADER.size : -2], seq, ack, ticks, version)


def _unpack(encoded: bytes) -> tuple[bytes, str]:
    """What is in a frame, its CRC included, and the counter of what is wrong with it, if so."""
    try:
        body = cobs.decode(encoded)
    except cobs.CobsError:
        return b"", "bad_cobs"
    if len(body) < _SHORTEST:
        return body, "too_short"
    # The CRC of a message with its own CRC appended is zero.
    return body, "bad_crc" if crc_hqx(body, 0xFFFF) else ""
