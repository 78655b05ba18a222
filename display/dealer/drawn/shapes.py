"""Shapes and texts on a pygame surface: smooth corners, badges, fitted text."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from pathlib import Path
from typing import NamedTuple

import pygame

from display.dealer.fitting import Fitted, fit, line_height
from display.dealer.geometry import OUTLINE
from display.drawing.colour import Colour
from display.drawing.rect import Rect

FONTS = Path(__file__).parents[2] / "fonts"
_FINE = 4  # shapes are drawn this much larger and scaled down, for smooth edges


class Written(NamedTuple):
    """What stands there: the words, whole or as far as there was room, their size, the
    rectangle of their letters, and the colour that was under them."""

    words: str
    size: int
    rect: Rect
    under: Colour


@lru_cache(maxsize=64)
def font(size: int, *, bold: bool) -> pygame.font.Font:
    """Return the bundled font; it has the signs of the suits."""
    if not pygame.font.get_init():
        pygame.font.init()
    name = "DejaVuSansCondensed-Bold.ttf" if bold else "DejaVuSansCondensed.ttf"
    return pygame.font.Font(str(FONTS / name), size)


@lru_cache(maxsize=4096)
def measure_bold(words: str, size: int) -> int:
    """Return the width of `words` in pixels, in bold."""
    return font(size, bold=True).size(words)[0]


@lru_cache(maxsize=4096)
def measure_plain(words: str, size: int) -> int:
    """Return the width of `words` in pixels, in the regular weight."""
    return font(size, bold=False).size(words)[0]


@lru_cache(maxsize=512)
def fitted(
    words: str, room: tuple[int, int], sizes: tuple[int, int], *, bold: bool, one_line: bool = False
) -> Fitted:
    """Return `words` as large as fits; see `fitting.fit`."""
    return fit(words, room, sizes, measure_bold if bold else measure_plain, one_line=one_line)


def write(
    surface: pygame.Surface,
    rect: Rect,
    words: str,
    colour: Colour,
    sizes: tuple[int, int],
    *,
    bold: bool = True,
    centred: bool = True,
    one_line: bool = False,
) -> Written | None:
    """Write `words` into `rect`, in the middle of its height; None if that is nothing."""
    if not words or rect.w <= 0 or rect.h <= 0:
        return None
    text = fitted(words, (rect.w, rect.h), sizes, bold=bold, one_line=one_line)
    face = font(text.size, bold=bold)
    y = rect.y + (rect.h - text.height) // 2
    w = max(face.size(line)[0] for line in text.lines)
    place = Rect(rect.x + (rect.w - w) // 2 if centred else rect.x, y, w, text.height)
    red, green, blue, _ = surface.get_at((place.x + place.w // 2, place.y + place.h // 2))
    for line in text.lines:
        picture = face.render(line, True, colour)
        x = rect.x + (rect.w - picture.get_width()) // 2 if centred else rect.x
        surface.blit(picture, (x, y))
        y += line_height(text.size)
    is_whole = "".join("".join(text.lines).split()) == "".join(words.split())
    kept = words if is_whole else "\n".join(text.lines)
    return Written(kept, text.size, place, (red, green, blue))


def badge(
    surface: pygame.Surface, rect: Rect, priority: int, fill: Colour, sign: Colour
) -> Written | None:
    """Draw the shape of a priority: octagon, triangle or circle, with its sign in it."""
    side = min(rect.w, rect.h)
    x, y = rect.x + (rect.w - side) // 2, rect.y + (rect.h - side) // 2
    surface.blit(_shape(side, priority, fill), (x, y))
    size = side * 6 // 10
    middle = y + side * (63 if priority == 2 else 50) // 100
    letters = Rect(x, middle - size * 6 // 10, side, size * 12 // 10)
    return write(surface, letters, "i" if priority == 3 else "!", sign, (size, 10))


def outline(surface: pygame.Surface, rect: Rect, colour: Colour) -> None:
    """Draw a thick line just inside `rect`."""
    pygame.draw.rect(surface, colour, pygame.Rect(rect), width=OUTLINE, border_radius=12)


def hatch(surface: pygame.Surface, rect: Rect, colour: Colour, every: int = 22) -> None:
    """Cover `rect` with slanting lines: what it shows is old."""
    before = surface.get_clip()
    surface.set_clip(before.clip(pygame.Rect(rect)))
    for x in range(rect.x - rect.h, rect.right, every):
        pygame.draw.line(surface, colour, (x, rect.bottom), (x + rect.h, rect.y), 3)
    surface.set_clip(before)


@lru_cache(maxsize=16)
def _shape(side: int, priority: int, fill: Colour) -> pygame.Surface:
    full = side * _FINE
    large = pygame.Surface((full, full), pygame.SRCALPHA)
    large.fill((*fill, 0))
    half = full / 2
    if priority == 1:
        turns = [pi / 8 + number * pi / 4 for number in range(8)]
        corners = [(half + half * cos(turn), half + half * sin(turn)) for turn in turns]
        pygame.draw.polygon(large, fill, corners)
    elif priority == 2:
        pygame.draw.polygon(large, fill, [(half, 0), (full, full * 0.93), (0, full * 0.93)])
    else:
        pygame.draw.circle(large, fill, (half, half), half)
    return pygame.transform.smoothscale(large, (side, side))
