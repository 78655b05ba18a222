"""What stands where on the wall: letters and filled rectangles, in pixels. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from display.drawing.rect import Rect

Ink = Literal["ink", "soft", "accent", "word", "notice", "trouble"]
Ground = Literal["foot", "track", "accent", "soft", "word", "notice", "trouble"]
Measure = Callable[[str, float], float]
"""The width of a text in pixels when its capitals are so high."""

_UP, _DOWN = 0.28, 0.36  # of a capital: accents above it, tails below the line
_WIDER = 1.01  # small letters stand on whole pixels


class Text(Struct, frozen=True):
    """Letters; `top` is that of the capitals. With `fixed` every figure takes the same room."""

    id: str
    words: str
    x: float
    top: float
    cap: float
    ink: Ink
    width: float
    fixed: bool = False

    @property
    def rect(self) -> Rect:
        """What the letters may touch, accents and tails too."""
        left, top = int(self.x), int(self.top - _UP * self.cap)
        bottom = int(self.top + (1 + _DOWN) * self.cap) + 1
        right = int(self.x + self.width * _WIDER) + 2
        return Rect(left, top, right - left, bottom - top)


class Fill(Struct, frozen=True):
    """A filled rectangle, with round corners where it has a radius."""

    id: str
    rect: Rect
    ground: Ground
    radius: int = 0


class Arrangement(Struct, frozen=True):
    """All that is drawn, from back to front; the logo lies in `logo`, which may be nothing."""

    fills: tuple[Fill, ...] = ()
    texts: tuple[Text, ...] = ()
    logo: Rect = Rect(0, 0, 0, 0)


def fixed_width(words: str, cap: float, measure: Measure) -> float:
    """The width of a text in which every figure is as wide as the widest."""
    figure = max(measure(sign, cap) for sign in "0123456789")
    return sum(figure if sign.isdigit() else measure(sign, cap) for sign in words)
