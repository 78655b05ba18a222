"""Looks for rooms on this machine's network."""

from __future__ import annotations

import secrets
import socket
import struct
import time
from contextlib import suppress

from controller.pairing.mdns import GROUP, MDNS_PORT, Found, answers, question
from controller.pairing.words import SERVICE
from controller.room.address import interfaces

LOOK_S = 3.0
_AGAIN_S = 1.0
_LONGEST = 9_000
"""Of a message (RFC 6762, 17)."""


def rooms(
    look_s: float = LOOK_S, *, group: str = GROUP, port: int = MDNS_PORT
) -> tuple[Found, ...]:
    """Those that answer within so many seconds; none where there is no network."""
    number = secrets.randbelow(0xFFFF) + 1
    found: dict[tuple[str, int], Found] = {}
    end = time.monotonic() + look_s
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        ask_at = time.monotonic()
        while (now := time.monotonic()) < end:
            if now >= ask_at:
                ask_at = now + _AGAIN_S
                _tell_all(asking, question(SERVICE, number), (group, port))
            asking.settimeout(max(0.01, min(ask_at, end) - time.monotonic()))
            with suppress(OSError):  # nothing came
                for each in answers(asking.recv(_LONGEST), SERVICE, number):
                    known = found.get((each.host, each.port))
                    if known is None or not known.address:
                        found[each.host, each.port] = each
    return tuple(found.values())


def _tell_all(asking: socket.socket, said: bytes, to: tuple[str, int]) -> None:
    """On every network by itself: without a way to the internet none is taken for a group (ip(7),
    `struct ip_mreqn`)."""
    for name in interfaces():
        with suppress(OSError):  # it is gone, not up, or has no address yet
            one = struct.pack("@4s4si", b"", b"", socket.if_nametoindex(name))
            asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, one)
            asking.sendto(said, to)
