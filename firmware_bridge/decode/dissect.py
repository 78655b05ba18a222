"""All that lies in some bytes of one protocol: frames, faults, and what is left over. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct

from firmware_bridge.decode.meaning import Meaning, MeaningError
from firmware_bridge.decode.stream import Cause, Found, Scan, Short, Wrong

F = TypeVar("F")


class Piece(Struct, frozen=True):
    """A frame: where it begins, its bytes and what they mean."""

    at: int
    raw: bytes
    meaning: Meaning


class Fault(Struct, frozen=True):
    """Bytes that belong to no frame, or to one without a meaning, and why."""

    at: int
    raw: bytes
    reason: str
    cause: Cause = "noise"


class Quiet(Struct, frozen=True):
    """Bytes between frames that mean nothing and are no fault."""

    at: int
    raw: bytes


class Dissected(Struct, frozen=True):
    """What was found, in order; `rest` is a frame's beginning at the end, `need` its length."""

    pieces: tuple[Piece | Fault | Quiet, ...]
    rest: bytes = b""
    need: int = 0

    @property
    def reason(self) -> str:
        """Why this is not valid; empty if it is."""
        for piece in self.pieces:
            if isinstance(piece, Fault):
                return f"byte {piece.at}: {piece.reason}"
        if self.rest:
            at = sum(len(piece.raw) for piece in self.pieces)
            return f"byte {at}: incomplete: {len(self.rest)} bytes of at least {self.need}"
        if not any(isinstance(piece, Piece) for piece in self.pieces):
            return "there is no frame"
        return ""


class Grammar(Struct, Generic[F], frozen=True):
    """How the frames of one protocol are found in bytes, and what they mean.

    `explain` raises MeaningError. `quiet` says what bytes mean that are in no frame and are no
    fault; of `idle` bytes any number may come.
    """

    scan: Scan[F]
    explain: Callable[[F, bytes], Meaning]
    quiet: Callable[[bytes], Meaning | None] = lambda _raw: None
    idle: bytes = b""

    def split(self, data: bytes) -> list[bytes | int]:
        """Return the frames in `data`, and the number of bytes between them that are in none."""
        out: list[bytes | int] = []
        at = 0
        while at < len(data):
            found = self.scan(data, at)
            if isinstance(found, Found):
                out.append(data[at : at + found.size])
                at += found.size
            else:
                out.append(1)
                at += 1
        return out

    def dissect(self, data: bytes) -> Dissected:
        """Return what lies in `data`. Never raises."""
        pieces: list[Piece | Fault | Quiet] = []
        at = 0
        while at < len(data):
            match self.scan(data, at):
                case Found(size, frame):
                    pieces.append(self._piece(at, data[at : at + size], frame))
                case Wrong(size, reason, cause):
                    _add_fault(pieces, Fault(at, data[at : at + size], reason, cause))
                case Short(need):
                    if not data[at:].strip(self.idle):
                        return Dissected((*pieces, Quiet(at, data[at:])))
                    behind = self._behind(data, at)
                    if behind is None and not _ends_in_broken_frame(pieces):
                        return Dissected(tuple(pieces), data[at:], need)
                    size = (len(data) if behind is None else behind) - at
                    _add_fault(pieces, Fault(at, data[at : at + size], "cut short"))
            at += size
        return Dissected(tuple(pieces))

    def _piece(self, at: int, raw: bytes, frame: F | None) -> Piece | Fault | Quiet:
        try:
            meaning = self.quiet(raw) if frame is None else self.explain(frame, raw)
        except MeaningError as error:
            return Fault(at, raw, str(error))
        return Quiet(at, raw) if meaning is None else Piece(at, raw, meaning)

    def _behind(self, data: bytes, at: int) -> int | None:
        """Where a frame lies behind `at`, at which only the beginning of one seems to be."""
        at += 1
        while at < len(data):
            match self.scan(data, at):
                case Found(size, frame):
                    if frame is not None:
                        return at
                    at += size
                case Wrong(size):
                    at += size
                case Short():
                    at += 1
        return None


def _ends_in_broken_frame(pieces: list[Piece | Fault | Quiet]) -> bool:
    """Whether what follows is rather the rest of a frame with a wrong check."""
    last = pieces[-1] if pieces else None
    return isinstance(last, Fault) and last.cause != "noise"


def _add_fault(pieces: list[Piece | Fault | Quiet], fault: Fault) -> None:
    """What follows a fault without a frame between is part of it."""
    last = pieces[-1] if pieces else None
    if isinstance(last, Fault) and last.at + len(last.raw) == fault.at:
        pieces[-1] = Fault(last.at, last.raw + fault.raw, last.reason, last.cause)
    else:
        pieces.append(fault)
