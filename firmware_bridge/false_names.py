"""False names for tags: UIDs of the same kind and length that say nothing about the true ones.

What the bridge can tell of UIDs without knowing any stays so: an ISO 15693 UID begins with E0,
one that is one byte repeated is such a one again, and a collision of two tags is a collision of
their false names.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import combinations, count

from firmware_bridge.ghosts import is_mangled

KEY_BYTES = 32
ISO14443A = (4, 7, 10)
"""Lengths of UIDs that one reader tells apart from all others by nothing else."""
MOST_REMEMBERED = 4096
MOST_ATTEMPTS = 1024
SHORTEST_FOR_COLLISIONS = 4
"""Of shorter UIDs most are collisions of some others."""


class FalseNames:
    """The false names for as long as one key is in use. The same key gives the same names.

    `known` are the tags of the table. Cards whose UIDs differ in length alone would be known
    by it; so those of `alike` that one reader reads get the length that is the most frequent
    among them. Prints redacted.
    """

    def __init__(self, key: bytes, known: Iterable[str], alike: Iterable[str] = ()) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a key of {KEY_BYTES} bytes is needed, not one of {len(key)}")
        self._key = key
        self._names: dict[str, str] = {}
        self._taken: set[int] = set()
        self._known = frozenset(known)
        self._alike = frozenset(tag for tag in alike if len(tag) // 2 in ISO14443A)
        sizes = Counter(len(tag) // 2 for tag in self._alike).most_common(1)
        self._size = sizes[0][0] if sizes else 0
        for tag in sorted(self._known):
            self.of(tag)

    def __repr__(self) -> str:
        return f"FalseNames({len(self._names)})"

    def of(self, tag: str, near: Collection[str] = ()) -> str:
        """Return the name of a tag, in hex like the tag itself.

        `near` are the tags that were read together with it or lie where it was read.
        """
        name = self._names.get(tag)
        if name is None:
            name = self._invent(tag, near)
            if len(self._names) < MOST_REMEMBERED:
                self._names[tag] = name
                self._taken.add(int(name, 16))
        return name

    def _invent(self, tag: str, near: Collection[str]) -> str:
        size = self._size if tag in self._alike else len(tag) // 2
        if tag not in self._known:
            collided = self._collision(tag, near)
            if collided is not None:
                return f"{collided:0{2 * size}X}"
        for attempt in count():
            raw = hashlib.shake_256(self._key + attempt.to_bytes(2, "big") + tag.encode()).digest(
                size
            )
            if is_mangled(tag):
                return raw[:1].hex().upper() * size
            raw = _of_kind(tag, raw)
            if attempt >= MOST_ATTEMPTS or self._is_fit(raw):
                return raw.hex().upper()
        raise AssertionError

    def _is_fit(self, raw: bytes) -> bool:
        """Whether a name is another's, or could be taken for a bad read of others."""
        value = int.from_bytes(raw, "big")
        if value in self._taken:
            return False
        if len(raw) < SHORTEST_FOR_COLLISIONS:
            return True
        return not is_mangled(raw.hex()) and not any(
            value | other in (value, other) for other in self._taken
        )

    def _collision(self, tag: str, near: Collection[str]) -> int | None:
        """Return the name of what is the collision of tags, and None for any other."""
        union = int(tag, 16)
        parts = [
            other
            for other in near
            if other in self._known and len(other) == len(tag) and int(other, 16) | union == union
        ]
        values = {other: int(self.of(other), 16) for other in parts}
        for one, other in combinations(parts, 2):
            if int(one, 16) | int(other, 16) == union:
                return values[one] | values[other]
        if not parts:
            return None
        more = hashlib.shake_256(self._key + b"+" + tag.encode()).digest(len(tag) // 2 - 1)
        return values[parts[0]] | int.from_bytes(more, "big")


def _of_kind(tag: str, raw: bytes) -> bytes:
    """Give a random UID the kind of a true one, by its first byte."""
    if len(tag) == 16 and tag.startswith("E0"):
        return b"\xe0" + raw[1:]
    # 00 would be read as padding, E0 as another kind.
    return (b"\x5a" if raw[:1] in (b"\x00", b"\xe0") else raw[:1]) + raw[1:]
