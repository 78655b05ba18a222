"""Frames out of a stream of bytes: what the codecs of all readers share. Pure.

A codec is one function that looks at the beginning of what has come so far; how the rest is
kept, given up and counted is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Literal, TypeVar

from msgspec import Struct

from firmware_bridge.link.frames import DecoderCounters
from firmware_bridge.listening import Heard

F = TypeVar("F")

STRAY_BYTES = 3
"""So many bytes behind a frame may be noise; they are fewer than any frame has."""

Cause = Literal["noise", "bad_crc", "too_long", "too_short"]


class Found(Struct, Generic[F], frozen=True, gc=False):
    """The next `size` bytes are this frame; None: they mean nothing and are no fault either."""

    size: int
    frame: F | None


class Wrong(Struct, frozen=True, gc=False):
    """No frame begins here. The next `size` bytes (at least one) are given up."""

    size: int
    reason: str
    cause: Cause = "noise"


class Short(Struct, frozen=True, gc=False):
    """This may become a frame of so many bytes, but more of them have to come first."""

    need: int


Scan = Callable[[bytes, int], Found[F] | Wrong | Short]
"""Looks at `data` from an index on that lies within it. Never raises, and never says Short
where `need` bytes are there already."""


class Splitter(Generic[F]):
    """Bytes in any portions -> frames. Never raises; holds less than one longest frame."""

    def __init__(self, scan: Scan[F]) -> None:
        self._scan = scan
        self._buffer = b""
        self.heard: Heard | None = None
        self._counts = dict.fromkeys(DecoderCounters.__struct_fields__, 0)

    @property
    def counters(self) -> DecoderCounters:
        """The counters since this splitter was made."""
        return DecoderCounters(**self._counts)

    @property
    def buffered(self) -> int:
        """Bytes held of a frame that is not complete yet."""
        return len(self._buffer)

    def reset(self) -> None:
        """Forget a frame that is half received: the line was opened anew."""
        self._counts["noise_bytes"] += len(self._buffer)
        self._tell(self._buffer, intact=False)
        self._buffer = b""

    def feed(self, data: bytes) -> list[F]:
        """Return the intact frames that `data` completes."""
        self._buffer += data
        return self._split(last=False)

    def flush(self) -> list[F]:
        """Return the frames in what is held, now that no more of it will come.

        What looked like the beginning of a longer frame was none.
        """
        return self._split(last=True)

    def settle(self) -> list[F]:
        """Return the frames that lie behind what looks like the beginning of a longer one.

        For a line that has fallen silent for a moment: the rest of that longer frame may still
        come. So frames count only if what is held ends with them, but for a few bytes; else all of
        it stays as it is.
        """
        data = self._buffer
        for at in range(1, len(data)):
            if self._ends_in_frames(at):
                self._buffer = data[at:]
                self._counts["noise_bytes"] += at
                self._tell(data[:at], intact=False)
                return self._split(last=False)
        return []

    def _ends_in_frames(self, at: int) -> bool:
        """Whether from there on there are frames, one after the other, and hardly more."""
        end = None
        while at < len(self._buffer):
            found = self._scan(self._buffer, at)
            if not isinstance(found, Found):
                break
            at += found.size
            end = end if found.frame is None else at
        return end is not None and len(self._buffer) - end <= STRAY_BYTES

    def _split(self, *, last: bool) -> list[F]:
        data, at, frames = self._buffer, 0, list[F]()
        while at < len(data):
            match self._scan(data, at):
                case Found(size, frame):
                    self._tell(data[at : at + size], intact=True)
                    at += size
                    if frame is not None:
                        self._counts["frames"] += 1
                        frames.append(frame)
                case Wrong(size, _, cause):
                    self._tell(data[at : at + size], intact=False)
                    at += size
                    self._counts["noise_bytes"] += size
                    if cause != "noise":
                        self._counts[cause] += 1
                case Short():
                    if not last:
                        break
                    self._tell(data[at : at + 1], intact=False)
                    at += 1
                    self._counts["noise_bytes"] += 1
        self._buffer = data[at:]
        return frames

    def _tell(self, raw: bytes, *, intact: bool) -> None:
        if self.heard is not None and raw:
            self.heard(raw, intact)
