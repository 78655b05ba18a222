"""The wall's letters: narrow, so that they can be high; others only where it has none."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pygame

_DISPLAY = Path(__file__).parents[2]
_NARROW = _DISPLAY / "web" / "static" / "fonts" / "BarlowCondensed-SemiBold.woff2"
_NARROW_CAP = 0.7  # height of capitals over font size
_ANY = _DISPLAY / "fonts" / "DejaVuSansCondensed-Bold.ttf"
_ANY_CAP = 0.729
_REFERENCE = 200  # size at which widths are measured
_SMALL = 40
_NO_LETTER = "\uffff"


@lru_cache(maxsize=24)
def _font(path: Path, size: int) -> pygame.font.Font:
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(str(path), size)


@lru_cache(maxsize=512)
def _face(words: str) -> tuple[Path, float]:
    """The font that has all these letters, and its height of capitals."""
    if all(_is_known(sign) for sign in words):
        return _NARROW, _NARROW_CAP
    return _ANY, _ANY_CAP


@lru_cache(maxsize=512)
def _is_known(sign: str) -> bool:
    """Whether the narrow font has a letter; for others it draws the sign of no letter."""
    return sign.isspace() or _drawn(sign) != _drawn(_NO_LETTER)


def _drawn(sign: str) -> bytes:
    return pygame.image.tobytes(_font(_NARROW, _SMALL).render(sign, True, (0, 0, 0)), "RGBA")


@lru_cache(maxsize=2048)
def _reference_width(words: str) -> int:
    path, _ = _face(words)
    return _font(path, _REFERENCE).size(words)[0]


def measure(words: str, cap: float) -> float:
    """The width in pixels of a text whose capitals are so high."""
    if not words:
        return 0.0
    _, share = _face(words)
    return _reference_width(words) * (cap / share) / _REFERENCE


def render(words: str, cap: float, colour: tuple[int, int, int]) -> tuple[pygame.Surface, int]:
    """A picture of a text, and how far down in it the capitals begin."""
    path, share = _face(words)
    size = max(1, int(cap / share))
    font = _font(path, size)
    return font.render(words, True, colour), round(font.get_ascent() - size * share)
