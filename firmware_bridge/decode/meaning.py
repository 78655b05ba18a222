"""What one frame means: the value that all protocols are explained with."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

Fact = int | float | str | bool | list[dict[str, int | str]] | list[str]


class Part(Struct, frozen=True):
    """Some bytes of a frame and what they are."""

    size: int
    text: str


class Meaning(Struct, frozen=True):
    """What a frame is: its kind, the tags in it, named facts, and its bytes part by part.

    The parts follow one another from the frame's first byte; what they leave over is explained
    by nothing.
    """

    kind: str
    parts: Sequence[Part]
    uids: tuple[str, ...] = ()
    facts: dict[str, Fact] = {}

    def __repr__(self) -> str:
        return f"Meaning({self.kind!r}, {len(self.uids)} uids)"


class MeaningError(ValueError):
    """The frame is intact and its contents fit no layout; the text says why."""
