"""Rectangles in pixels. Pure."""

from __future__ import annotations

from typing import NamedTuple


class Rect(NamedTuple):
    """A rectangle in pixels; `x`, `y` is its upper left corner."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The first pixel column to its right."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The first pixel row below it."""
        return self.y + self.h

    def inset(self, by: int) -> Rect:
        """Return the rectangle smaller by `by` on every side."""
        return Rect(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)

    def holds(self, x: float, y: float) -> bool:
        """Tell whether the point lies in it."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def overlaps(self, other: Rect) -> bool:
        """Tell whether the two share a pixel."""
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )
