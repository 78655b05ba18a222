"""Ports of this machine that nobody uses."""

from __future__ import annotations

import random
import socket
from pathlib import Path

LOOPBACK = "127.0.0.1"
_GIVEN_AWAY = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LOWEST = 10_000
_USUAL = 32_768
_TRIES = 1_000


def free_port() -> int:
    """A port on 127.0.0.1 that was free just now, and below those that this machine gives to
    whatever connects: such a one may be taken before anything listens at it. Raises OSError where
    all are taken."""
    try:
        above = int(_GIVEN_AWAY.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        above = _USUAL
    for _ in range(_TRIES):
        port = random.randrange(_LOWEST, above) if above > _LOWEST else 0  # noqa: S311 - no secret
        with socket.socket() as probe:
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError(f"no port of {LOOPBACK} is free")
