"""The keys that hide the tags of the running hand: one file, in a folder that a power cut empties.

What everybody has seen of a card must not tell it when it lies face down. So there is a new key
whenever no card lies on the table any more, and when a hand begins though some still lie: a card
keeps its name for as long as it lies, and has another one when it comes again. A key is wiped once
nothing that a restart reads was hidden with it; then nobody can link the names.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from controller.process.memory import held_in_memory
from controller.storage.pseudonyms import KEY_BYTES, Hiding, Pseudonyms

FILE = "hand.key"


class KeyRing(Hiding):
    """The keys in a folder, which should be on a tmpfs; a first one is made where there is none.

    A kill leaves the keys as they were before a change, or as they are after it. What can't be
    written raises OSError, and nothing has changed. The file is not swapped. Prints redacted.
    """

    __slots__ = ("_folder", "_has_named", "_held", "_keys", "_lying", "_names", "_random")

    def __init__(self, folder: Path, random: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """`random` makes so many random bytes."""
        self._folder = folder
        self._random = random
        self._lying: dict[str, Pseudonyms] = {}
        self._keys = _read(folder / FILE)
        self._names = [Pseudonyms(key) for key in self._keys]
        self._has_named = bool(self._keys)
        if self._keys:
            self._held = held_in_memory(folder / FILE)
        else:
            self._take([random(KEY_BYTES)])

    @property
    def fingerprint(self) -> str:
        """Tells whether the newest key is on a ring, and nothing about the key."""
        return self._names[-1].fingerprint

    def has(self, fingerprint: str) -> bool:
        """Whether the key with this fingerprint is on the ring."""
        return any(names.fingerprint == fingerprint for names in self._names)

    def of(self, tag: str) -> str:
        """The name of a tag: the one that it has for as long as it lies there, or a new one."""
        self._has_named = True
        return self._lying.setdefault(tag, self._names[-1]).of(tag)

    def known(self, tags: Iterable[str]) -> dict[str, str]:
        """Every name that one of these tags has or had → the tag."""
        tags = tuple(tags)
        return {name: tag for names in self._names for name, tag in names.known(tags).items()}

    def change(self, lying: Collection[str]) -> None:
        """Has a new key for whatever comes from here on; the tags that are `lying` there keep
        their names."""
        self._lying = {tag: names for tag, names in self._lying.items() if tag in lying}
        if self._has_named:
            self._take([*self._keys, self._random(KEY_BYTES)])
            self._has_named = False

    def worn(self) -> list[bytes]:
        """The keys of names that no tag has any more, nor will have."""
        used = [*self._lying.values(), self._names[-1]]
        return [
            key for key, names in zip(self._keys, self._names, strict=True) if names not in used
        ]

    def forget(self, worn: Collection[bytes]) -> None:
        """Wipes these keys."""
        kept = [key for key in self._keys if key not in worn]
        if kept != self._keys:
            self._take(kept)

    def _take(self, keys: list[bytes]) -> None:
        _write(self._folder / FILE, b"".join(keys))
        self._held = held_in_memory(self._folder / FILE)
        known = dict(zip(self._keys, self._names, strict=True))
        self._names = [known.get(key) or Pseudonyms(key) for key in keys]
        self._keys = keys


def _read(file: Path) -> list[bytes]:
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return []
    if len(text) % KEY_BYTES:
        return []
    return [text[at : at + KEY_BYTES] for at in range(0, len(text), KEY_BYTES)]


def _write(file: Path, text: bytes) -> None:
    """A kill leaves the old text or the new one, whole; the old one is wiped."""
    fresh = file.with_name(f"{file.name}.new")
    fresh.unlink(missing_ok=True)
    target = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(target, "wb") as writing:
        writing.write(text)
    try:
        old = os.open(file, os.O_WRONLY)
    except FileNotFoundError:
        fresh.replace(file)
        return
    with os.fdopen(old, "wb") as wiping:
        size = os.fstat(old).st_size
        fresh.replace(file)
        wiping.write(bytes(size))
