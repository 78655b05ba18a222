"""Rectangles, and the sizes that a hand and an eye at a card table need. Pure.

They follow from the viewing distance of 0.8 m and a fingertip: main buttons 20 mm, no
target under 10 mm, capitals of all that is read in play 5.1 mm (22 minutes of arc). What that is
in pixels a panel's density says, in pixels per millimetre.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil

import msgspec
from msgspec import Struct

from display.drawing.rect import Rect

CAPITAL = 0.729  # height of capitals over font size, of the bundled font
OUTLINE = 5  # px: the line around what a finding is about


class Metrics(Struct, frozen=True):
    """Sizes on one panel: `main`, `half` and `least` targets, `prompt` to `detail` text, in pixels.

    Of each text role the pair is the largest size and the floor; what is read in play is written
    in those down to `strong`. A seat's plate is up to `plate` wide; beside a finding's card the
    table has `side` hundredths of the width, and the card a `head` and a line of `progress` so
    high. `is_roomy`: there is room for names and stacks.
    """

    is_roomy: bool
    main: int
    half: int
    least: int
    gap: int
    banner: int
    plate: int
    head: int
    progress: int
    prompt: tuple[int, int]
    step: tuple[int, int]
    title: tuple[int, int]
    button: tuple[int, int]
    strong: tuple[int, int]
    entry: tuple[int, int]
    text: tuple[int, int]
    detail: tuple[int, int]

    @property
    def bar(self) -> int:
        """The height of the lower edge: of a main button, or of two small ones."""
        return max(self.main, 2 * self.half + self.gap // 2)

    @property
    def side(self) -> int:
        """See above."""
        return 45 if self.is_roomy else 33


class Drawn(Struct, frozen=True):
    """A panel that all sizes were tried on: its pixels, pixels per mm, and the sizes."""

    width: int
    height: int
    density: float
    sizes: Metrics

    @property
    def room(self) -> tuple[float, float]:
        """Its width and height in mm."""
        return self.width / self.density, self.height / self.density


LARGE = Drawn(
    1280,
    800,
    5.9,  # 10.1 inches
    Metrics(
        is_roomy=True,
        main=118,
        half=60,
        least=72,
        gap=10,
        banner=120,
        plate=246,
        head=112,
        progress=30,
        prompt=(74, 42),
        step=(66, 42),
        title=(46, 42),
        button=(46, 42),
        strong=(46, 42),
        entry=(46, 24),
        text=(30, 20),
        detail=(26, 18),
    ),
)
SMALL = Drawn(
    800,
    480,
    5.247,  # 7 inches
    Metrics(
        is_roomy=False,
        main=105,
        half=53,
        least=56,
        gap=5,
        banner=98,
        plate=196,
        head=88,
        progress=16,
        prompt=(58, 37),
        step=(58, 37),
        title=(42, 37),
        button=(42, 37),
        strong=(42, 37),
        entry=(40, 18),
        text=(24, 16),
        detail=(24, 14),
    ),
)
ROOMY = (200.0, 118.0)  # mm from which a plate has room for a name
COARSE = 4.5  # px/mm below which letters would be too few pixels high: sizes stay as there


def guess(width: int, height: int) -> float:
    """Return the density of a panel of which nothing but the resolution is known."""
    return LARGE.density if width >= 1180 and height >= 700 else SMALL.density


def workable(width: int, height: int, density: float) -> float:
    """Return the density to draw for, on a panel of this one.

    On a panel larger than that of `LARGE` all grows with it, and one smaller than that of `SMALL`
    shows the same picture in small: then the result is less than `density`.
    """
    (wide, high), (least_wide, least_high) = LARGE.room, SMALL.room
    grown = max(density, COARSE, min(width / wide, height / high))
    return min(grown, width / least_wide, height / least_high)


@lru_cache(maxsize=16)
def metrics(width: int, height: int, density: float | None = None) -> Metrics:
    """Return the sizes for a panel of so many pixels, and per millimetre (None: guessed).

    In millimetres they lie between those of `SMALL` and `LARGE`, by the panel's height.
    """
    density = workable(width, height, density or guess(width, height))
    room = (width / density, height / density)
    low, high = SMALL.room[1], LARGE.room[1]
    share = min(1.0, max(0.0, (room[1] - low) / (high - low)))

    def pixels(small: int, large: int) -> float:
        mm = small / SMALL.density * (1 - share) + large / LARGE.density * share
        return mm * density

    sizes: dict[str, object] = {}
    for name in Metrics.__struct_fields__[1:]:
        small, large = getattr(SMALL.sizes, name), getattr(LARGE.sizes, name)
        if name in ("main", "half", "least"):
            sizes[name] = ceil(pixels(small, large) - 0.01)
        elif isinstance(small, int):
            sizes[name] = round(pixels(small, large))
        else:
            sizes[name] = tuple(map(round, map(pixels, small, large)))
    is_roomy = room[0] >= ROOMY[0] and room[1] >= ROOMY[1]
    return msgspec.convert({"is_roomy": is_roomy, **sizes}, Metrics)


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
