"""The trace that each opening leaves: beside the private key, and in the journal where it can.

One JSON line an opening, only ever added. `before` is the digest of the line before, so that none
can be taken out of the middle unnoticed.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import socket
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

SUFFIX = ".openings"


class TraceError(Exception):
    """The trace can't be left; one line says why."""


class Opening(Struct, frozen=True):
    """Who opened which hands of which journal, and when. `chain` is the journal's, `lines` and
    `boxes` are how far it went then."""

    at: str
    who: str
    machine: str
    journal: str
    chain: str
    lines: int
    boxes: int
    hands: tuple[int, int]
    before: str = ""


def opening(
    journal: Path, chain: str, *, lines: int, boxes: int, hands: tuple[int, int]
) -> Opening:
    """An opening by whoever runs this, now."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    return Opening(at, _who(), socket.gethostname(), str(journal), chain, lines, boxes, hands)


def follows(entry: Opening, last: bytes) -> bytes:
    """The line of an opening that comes after the line `last`."""
    before = hashlib.blake2b(last, digest_size=16).hexdigest() if last else ""
    return msgspec.json.encode(msgspec.structs.replace(entry, before=before))


def leave(key: Path, entry: Opening) -> None:
    """Add it to the trace beside a private key; it is on the disk then. Raises TraceError."""
    file = key.with_name(key.name + SUFFIX)
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "r+b") as trace:
            lines = trace.read().splitlines()
            trace.write(follows(entry, lines[-1] if lines else b"") + b"\n")
            trace.flush()
            os.fsync(trace.fileno())
    except OSError as error:
        raise TraceError(f"{file}: {error.strerror}; without a trace nothing is opened") from None


def _who() -> str:
    """The user, and behind sudo whose it was."""
    try:
        user = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        user = str(os.geteuid())
    by = os.environ.get("SUDO_USER", "")
    return f"{user}, by {by}" if by and by != user else user
