"""Consistent Overhead Byte Stuffing: any bytes, written without a zero byte.

Cheshire and Baker, IEEE/ACM Transactions on Networking 7 (1999). The delimiter is not
part of what these functions take and return.
"""

from __future__ import annotations


class CobsError(ValueError):
    """The bytes are no COBS encoding."""


def encode(data: bytes) -> bytes:
    """Return `data` without zero bytes: one byte longer, and one more per 254 full bytes."""
    out = bytearray()
    blocks = data.split(b"\0")
    for number, block in enumerate(blocks, 1):
        rest = block
        while len(rest) >= 254:
            out.append(255)
            out += rest[:254]
            rest = rest[254:]
        if rest or not block or number < len(blocks) or len(block) % 254:
            out.append(len(rest) + 1)
            out += rest
    return bytes(out)


def decode(data: bytes) -> bytes:
    """Return what was encoded; raise CobsError if `data` is empty, cut or contains a zero."""
    size = len(data)
    if not size or 0 in data:
        raise CobsError("empty, or a zero byte inside")
    out = bytearray()
    at = 0
    while at < size:
        code = data[at]
        end = at + code
        if end > size:
            raise CobsError("cut short")
        out += data[at + 1 : end]
        at = end
        if code < 255 and at < size:
            out.append(0)
    return bytes(out)
