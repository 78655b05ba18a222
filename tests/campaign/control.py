"""What the campaign makes of a process that runs under it: a page of memory that both have open.

The process is the product's own; beneath it the clock on the wall can be moved, its commits can
be made slow, and it can be killed at an exact point.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import Literal, Self, get_args

VARIABLE = "CAMPAIGN_CONTROL"
"""By this variable of its environment a process is told its page."""

Point = Literal["", "before-commit", "after-commit", "key-file"]
"""Where to be killed: just before or after a COMMIT, or before an operation on a file of keys."""
_POINTS: tuple[Point, ...] = get_args(Point)
_FORMAT = struct.Struct("=4q")


class Control:
    """The page. All fields may be read and written at any time, from both sides."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(_FORMAT.size))
        with path.open("r+b") as file:
            self._page = mmap.mmap(file.fileno(), _FORMAT.size)

    @classmethod
    def at(cls, path: str) -> Self:
        """The page in this file."""
        return cls(Path(path))

    @property
    def ahead_ns(self) -> int:
        """How far the clock on the wall is ahead of the machine's."""
        return self._read(0)

    @ahead_ns.setter
    def ahead_ns(self, value: int) -> None:
        self._write(0, value)

    @property
    def commit_ms(self) -> int:
        """How much longer every commit takes."""
        return self._read(1)

    @commit_ms.setter
    def commit_ms(self, value: int) -> None:
        self._write(1, value)

    def kill_at(self, point: Point, nth: int = 1) -> None:
        """At the `nth` such point from now on it is killed, once."""
        self._write(3, nth)
        self._write(2, _POINTS.index(point))

    def is_due(self, point: Point) -> bool:
        """Counts one such point; whether it is the one at which to be killed."""
        if self._read(2) != _POINTS.index(point):
            return False
        left = self._read(3) - 1
        self._write(3, left)
        if left > 0:
            return False
        self._write(2, 0)
        return True

    def _read(self, at: int) -> int:
        return int(_FORMAT.unpack(self._page[:])[at])

    def _write(self, at: int, value: int) -> None:
        self._page[8 * at : 8 * at + 8] = struct.pack("=q", value)
