"""All that lies in some bytes of one protocol: frames, faults, and what is left over. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from msgspec import Struct

from firmware_bridge.decode.meaning import Meaning, MeaningError
from firmware_bridge.decode.stream import Cause, Found, Scan, Short, Wrong

F = TypeVar("F")


class Piece(Struct, frozen=True):
    """A frame: where it begins, its bytes and what they mean.

    `is_frame` is false for what has a meaning and lies between frames.
    """

    at: int
    raw: bytes
    meaning: Meaning
    is_frame: bool = True


class Fault(Struct, frozen=True):
    """Bytes that belong to no frame, or to one without a meaning (then `is_frame`), and why."""

    at: int
    raw: bytes
    reason: str
    cause: Cause = "noise"
    is_frame: bool = False


class Quiet(Struct, frozen=True):
    """Bytes between frames that mean nothing and are no fault."""

    at: int
    raw: bytes


class Dissected(Struct, frozen=True):
    """What was found, in order; `rest` is a frame's beginning at the end, `need` its length.

    `joined` is the end of a frame whose beginning nobody heard, before the first whole one; its
    reason is why it is no frame itself. Both are no fault where there is a whole frame.
    """

    pieces: tuple[Piece | Fault | Quiet, ...]
    rest: bytes = b""
    need: int = 0
    joined: Fault | None = None

    @property
    def notes(self) -> list[str]:
        """What is no fault and worth telling: where the stream was joined and left in mid-frame."""
        cuts = (("joined", self.joined.raw if self.joined else b""), ("ends", self._tail))
        return [f"{how} in mid-frame: {told(cut)}" for how, cut in cuts if cut]

    @property
    def _tail(self) -> bytes:
        """The rest, if there is a whole frame before it."""
        return self.rest if _first_frame(self.pieces) is not None else b""

    @property
    def reason(self) -> str:
        """Why this is not valid; empty if it is."""
        for piece in self.pieces:
            if isinstance(piece, Fault):
                return f"byte {piece.at}: {piece.reason}"
        if self.rest and not self._tail:
            at = sum(len(piece.raw) for piece in self.pieces)
            return f"byte {at}: incomplete: {len(self.rest)} bytes of at least {self.need}"
        if not any(isinstance(piece, Piece) for piece in self.pieces):
            return "there is no frame"
        return ""


class Grammar(Struct, Generic[F], frozen=True):
    """How the frames of one protocol are found in bytes, and what they mean.

    `explain` raises MeaningError. `quiet` says what bytes mean that are in no frame and are no
    fault; of `idle` bytes any number may come. `longest` is how long a frame can be; `may_end`
    says of fewer bytes whether they can be the end of one, as far as that is certain.
    """

    scan: Scan[F]
    explain: Callable[[F, bytes], Meaning]
    longest: int
    quiet: Callable[[bytes], Meaning | None] = lambda _raw: None
    idle: bytes = b""
    may_end: Callable[[bytes], bool] = lambda _raw: True

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
        found = self._dissect(data)
        first = _first_frame(found.pieces)
        if first is None:
            return found
        before = [piece for piece in found.pieces if piece.at < first.at]
        faults = [piece for piece in before if isinstance(piece, Fault)]
        head = data[: first.at]
        if (
            not faults
            or any(fault.is_frame for fault in faults)
            or len(head) >= self.longest
            or not self.may_end(head)
        ):
            return found
        joined = Fault(0, head, faults[0].reason, faults[0].cause)
        return Dissected(found.pieces[len(before) :], found.rest, found.need, joined)

    def _dissect(self, data: bytes) -> Dissected:
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
            return Fault(at, raw, str(error), is_frame=True)
        return Quiet(at, raw) if meaning is None else Piece(at, raw, meaning, frame is not None)

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


def told(cut: bytes) -> str:
    """How many bytes these are, in words."""
    return f"{len(cut)} byte" + "s" * (len(cut) != 1)


def _first_frame(pieces: Iterable[Piece | Fault | Quiet]) -> Piece | None:
    return next((piece for piece in pieces if isinstance(piece, Piece) and piece.is_frame), None)


def _ends_in_broken_frame(pieces: list[Piece | Fault | Quiet]) -> bool:
    """Whether what follows is rather the rest of a frame with a wrong check."""
    last = pieces[-1] if pieces else None
    return isinstance(last, Fault) and last.cause != "noise"


def _add_fault(pieces: list[Piece | Fault | Quiet], fault: Fault) -> None:
    """What follows a fault without a frame between is part of it."""
    last = pieces[-1] if pieces else None
    if isinstance(last, Fault) and not last.is_frame:
        pieces[-1] = Fault(last.at, last.raw + fault.raw, last.reason, last.cause)
    else:
        pieces.append(fault)
