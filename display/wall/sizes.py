"""How large letters must be to be read from afar. Pure.

At 10 m capitals of 64 mm can be read in comfort and of 47 mm just so (20 to 22 and 16 minutes of
arc). Sizes are heights of capitals.
"""

from __future__ import annotations

from math import hypot

from msgspec import Struct

LOUD_MM, PLAIN_MM = 64.0, 47.0
AT_M = 10.0
_MM_PER_INCH = 25.4

_PLAIN_SHARE = 0.0695  # of the height: as large as plain text gets
_LEAST_SHARE = 0.055
_BLINDS_SHARE = 0.146


class Sizes(Struct, frozen=True):
    """Heights of capitals in pixels: of plain text, the least of clock and blinds, of blinds where
    there is room; and how far off the plain ones can be read."""

    plain: float
    loud: float
    blinds: float
    metres: float
    px_per_mm: float


def sizes(width: int, height: int, diagonal_in: float, metres: float = AT_M) -> Sizes:
    """The sizes of a screen. One that is too small is written full all the same, and can be
    read from as near as `metres` of the answer says."""
    px_per_mm = hypot(width, height) / (diagonal_in * _MM_PER_INCH)
    unit = min(width / 1920, height / 1080) if width > height else min(width / 1080, height / 1920)
    wanted = PLAIN_MM * metres / AT_M * px_per_mm
    plain = min(max(wanted * 1.01, _LEAST_SHARE * 1080 * unit), _PLAIN_SHARE * 1080 * unit)
    loud = plain * LOUD_MM / PLAIN_MM
    metres = AT_M * plain / (PLAIN_MM * px_per_mm)
    return Sizes(plain, loud, max(1.5 * loud, _BLINDS_SHARE * 1080 * unit), metres, px_per_mm)
