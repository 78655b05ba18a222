"""Colours, and the arithmetic that says they can be told apart. Pure."""

from __future__ import annotations

Colour = tuple[int, int, int]


def from_hex(code: str) -> Colour:
    """Return the colour that is written `#RRGGBB`."""
    return (int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16))


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.2, *contrast ratio*)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    linear = [
        part / 255 / 12.92 if part / 255 <= 0.04045 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in colour
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
