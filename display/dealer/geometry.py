"""Rectangles, and the sizes that a hand and an eye at a card table need. Pure.

They follow from the viewing distance of 0.8 m and a fingertip: main buttons 20 mm, no
target under 12 mm, capitals of primary text 5.1 mm (22 minutes of arc). A 10.1 inch
panel of 1280x800 has 5.9 px/mm, a 7 inch one of 800x480 5.2 px/mm.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

CAPITAL = 0.729  # height of capitals over font size, of the bundled font


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


class Metrics(Struct, frozen=True):
    """Sizes of one class of panel: `main` and `least` targets, `primary` to `detail` text.

    Of each text role the pair is the largest size and the floor.
    """

    main: int
    least: int
    gap: int
    banner: int
    prompt: tuple[int, int]
    step: tuple[int, int]
    title: tuple[int, int]
    button: tuple[int, int]
    text: tuple[int, int]
    advice: tuple[int, int]
    detail: tuple[int, int]


LARGE = Metrics(
    main=118,
    least=72,
    gap=10,
    banner=140,
    prompt=(74, 42),
    step=(66, 42),
    title=(46, 27),
    button=(38, 22),
    text=(30, 20),
    advice=(34, 22),
    detail=(30, 18),
)
SMALL = Metrics(
    main=105,
    least=63,
    gap=6,
    banner=98,
    prompt=(58, 38),
    step=(58, 38),
    title=(34, 22),
    button=(30, 18),
    text=(24, 16),
    advice=(27, 18),
    detail=(24, 14),
)


def is_large(width: int, height: int) -> bool:
    """Tell the class of panel: ten inches, or seven."""
    return width >= 1180 and height >= 700


def metrics(width: int, height: int) -> Metrics:
    """Return the sizes for a panel of this resolution."""
    return LARGE if is_large(width, height) else SMALL


def across(
    row: Rect,
    names: tuple[str, ...] | list[str],
    shares: tuple[int, ...] | list[int],
    gap: int,
    of: int | None = None,
) -> dict[str, Rect]:
    """Divide `row` among `names` by `shares`; `of` leaves room for as many equal ones."""
    count = of or len(names)
    total = of or sum(shares)
    room = row.w - (count - 1) * gap
    places, x, taken = {}, row.x, 0
    for name, share in zip(names, shares, strict=True):
        left, right = room * taken // total, room * (taken + share) // total
        places[name] = Rect(x + left, row.y, right - left, row.h)
        taken += share
        x += gap
    return places
