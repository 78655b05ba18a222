"""UIDs in their one canonical form: upper case hex, most significant byte first."""

from __future__ import annotations

ISO15693_FIRST = 0xE0
"""ISO/IEC 15693-3, 4.1: the most significant byte of every UID."""


def canonical(uid: bytes) -> str:
    """Return the canonical form of a UID whose most significant byte comes first."""
    return uid.hex().upper()


def is_mangled(uid: bytes) -> bool:
    """Whether a UID is one byte repeated: no tag has such a UID, but bad reads do."""
    return len(set(uid)) == 1
