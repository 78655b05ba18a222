"""What is asked and answered on a network to find a room: DNS messages (RFC 1035) of service
discovery (RFC 6763), as one who asks once (RFC 6762, 6.7)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from msgspec import Struct

GROUP, MDNS_PORT = "224.0.0.251", 5353
_PTR, _A, _SRV, _IN = 12, 1, 33, 1
_HEADER = struct.Struct("!6H")
_RECORD = struct.Struct("!2HIH")
_SERVER = struct.Struct("!3H")
_MOST_RECORDS = 100
_CLASS = 0x7FFF
"""Without the bit by which others are told to forget what they knew."""


class Found(Struct, frozen=True):
    """A room that is announced: its host, the port where tables come, and the host's address where
    that was told."""

    host: str
    port: int
    address: str = ""


def question(service: str, number: int) -> bytes:
    """Who has this service? `number` is that of the answer."""
    header = _HEADER.pack(number, 0, 1, 0, 0, 0)
    return header + _name(f"{service}.local") + struct.pack("!2H", _PTR, _IN)


def answers(data: bytes, service: str, number: int) -> tuple[Found, ...]:
    """The rooms in one answer; none in what is no answer to the question."""
    try:
        return tuple(_found(data, f"{service}.local".lower(), number))
    except (struct.error, ValueError, IndexError):
        return ()


def _found(data: bytes, service: str, number: int) -> Iterator[Found]:
    given, flags, questions, *counts = _HEADER.unpack_from(data)
    if given != number or not flags & 0x8000 or sum(counts) > _MOST_RECORDS:
        return
    at = _HEADER.size
    for _ in range(questions):
        _, at = _read_name(data, at)
        at += 4
    servers: dict[str, tuple[str, int]] = {}
    addresses: dict[str, str] = {}
    for _ in range(sum(counts)):
        name, at = _read_name(data, at)
        kind, where, _, length = _RECORD.unpack_from(data, at)
        at += _RECORD.size
        if at + length > len(data):
            raise ValueError("a record is cut short")
        if kind == _SRV and where & _CLASS == _IN and name.lower().endswith(f".{service}"):
            _, _, port = _SERVER.unpack_from(data, at)
            servers[name] = (_read_name(data, at + _SERVER.size)[0], port)
        elif kind == _A and length == 4:
            addresses[name.lower()] = ".".join(map(str, data[at : at + 4]))
        at += length
    for host, port in servers.values():
        if host and port:
            yield Found(host, port, addresses.get(host.lower(), ""))


def _name(text: str) -> bytes:
    labels = [each.encode() for each in text.split(".")]
    return b"".join(bytes([len(each)]) + each for each in labels) + b"\0"


def _read_name(data: bytes, at: int) -> tuple[str, int]:
    """A name, and where what follows it begins. Raises ValueError and IndexError."""
    labels: list[str] = []
    after = -1
    for _ in range(128):
        length = data[at]
        if length >= 0xC0:
            after = at + 2 if after < 0 else after
            at = (length & 0x3F) << 8 | data[at + 1]
            continue
        if length > 63 or at + 1 + length > len(data):
            raise ValueError("no name")
        at += 1 + length
        if not length:
            return ".".join(labels), at if after < 0 else after
        labels.append(data[at - length : at].decode())
    raise ValueError("a name without an end")
