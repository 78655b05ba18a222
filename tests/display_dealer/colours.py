"""How different two colours look, to those too who lack one of the three kinds of cones."""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import Literal

from display.drawing.colour import Colour

Deficiency = Literal["protan", "deutan", "tritan"]
Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

# Machado, Oliveira, Fernandes 2009, A Physiologically-based Model for Simulation of Color Vision
# Deficiency, severity 1.0; for linear RGB.
DEFICIENCIES: dict[Deficiency, Matrix] = {
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# IEC 61966-2-1, sRGB to XYZ, and the white of D65.
_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE = (0.95047, 1.0, 1.08883)


def seen(colour: Colour, deficiency: Deficiency | None) -> Triple:
    """Return L*, a*, b* of a colour as it looks to such an eye."""
    linear = [_linear(part / 255) for part in colour]
    rgb = (linear[0], linear[1], linear[2])
    if deficiency is not None:
        red, green, blue = _times(DEFICIENCIES[deficiency], rgb)
        rgb = (min(1.0, max(0.0, red)), min(1.0, max(0.0, green)), min(1.0, max(0.0, blue)))
    x, y, z = (_cube(part / white) for part, white in zip(_times(_XYZ, rgb), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Triple, other: Triple) -> float:
    """Return CIEDE2000 of two L*, a*, b* (Sharma, Wu, Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean7 = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    g = 0.5 * (1 - sqrt(mean7 / (mean7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn, middle = h2 - h1, h1 + h2
    if c1 * c2 == 0:
        turn = 0.0
    elif abs(turn) <= 180:
        middle /= 2
    else:
        middle = (middle + 360 if middle < 360 else middle - 360) / 2
        turn -= 360 if turn > 0 else -360
    dl, dc, dh = l2 - l1, c2 - c1, 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * cos(radians(middle - 30))
        + 0.24 * cos(radians(2 * middle))
        + 0.32 * cos(radians(3 * middle + 6))
        - 0.20 * cos(radians(4 * middle - 63))
    )
    sl = 1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rc = 2 * sqrt(chroma**7 / (chroma**7 + 25**7))
    rt = -sin(radians(60 * exp(-(((middle - 275) / 25) ** 2)))) * rc
    return sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * dc / sc * dh / sh)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _cube(part: float) -> float:
    low = part * 24389 / 27 / 116 + 16 / 116
    return float(part ** (1 / 3)) if part > 216 / 24389 else low


def _times(matrix: Matrix, triple: Triple) -> Triple:
    rows = [sum(a * b for a, b in zip(row, triple, strict=True)) for row in matrix]
    return rows[0], rows[1], rows[2]
