"""UIDs that no tag has: what colliding answers and faulty readers make up. Pure.

Two tags that answer at once may be read as the bitwise OR of their UIDs, and some readers
repeat one byte. Only tags that the table does not know are suspected.
"""

from __future__ import annotations

from collections.abc import Collection, Set
from itertools import combinations


def is_mangled(tag: str) -> bool:
    """Whether all bytes of a UID are the same."""
    return len(tag) > 2 and tag == tag[:2] * (len(tag) // 2)


def is_collision(tag: str, read: Set[str], known: Collection[str]) -> bool:
    """Whether an unknown UID comes from a collision in a zone.

    `read` is what was read along with it, `known` what has been read there of late. It is one if
    it is the OR of two of them, or has all bits of one that lies there and was not read this time:
    its partner in the collision need not have been read before.
    """
    union = int(tag, 16)
    others = {other for other in (*read, *known) if other != tag and len(other) == len(tag)}
    parts = {other: value for other in others if (value := int(other, 16)) | union == union}
    if any(other not in read for other in parts):
        return True
    return any(a | b == union for a, b in combinations(parts.values(), 2))
