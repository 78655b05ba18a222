"""Boxes and discs with smooth edges on a pygame surface."""

from __future__ import annotations

from functools import lru_cache

import pygame

from display.drawing.colour import Colour
from display.drawing.rect import Rect

_FINE = 4  # shapes are drawn this much larger and scaled down, for smooth edges


def box(
    surface: pygame.Surface,
    rect: Rect,
    fill: Colour,
    border: Colour,
    *,
    radius: int = 12,
    width: int = 2,
) -> None:
    """Fill a rectangle with smooth round corners and a border of `width` pixels."""
    radius = min(radius, rect.w // 2, rect.h // 2)
    corner = _corner(radius, fill, border, width)
    x, y, w, h = rect
    inner_w, inner_h = w - 2 * radius, h - 2 * radius
    band = max(0, radius - width)
    for at in (y, y + h - width):
        surface.fill(border, (x + radius, at, inner_w, width))
    for at in (x, x + w - width):
        surface.fill(border, (at, y + radius, width, inner_h))
    for at in (y + width, y + h - radius):  # no pixel twice: that is most of a picture's time
        surface.fill(fill, (x + radius, at, inner_w, band))
    surface.fill(fill, (x + width, y + radius, w - 2 * width, inner_h))
    for at_right in (False, True):
        for at_bottom in (False, True):
            target = (x + w - radius if at_right else x, y + h - radius if at_bottom else y)
            part = (radius * at_right, radius * at_bottom, radius, radius)
            surface.blit(corner, target, part)


def disc(surface: pygame.Surface, rect: Rect, fill: Colour, border: Colour) -> None:
    """Draw the circle that fills the square `rect`."""
    picture = _corner(rect.w // 2, fill, border, max(2, rect.w // 14))
    surface.blit(picture, (rect.x, rect.y))


@lru_cache(maxsize=64)
def _corner(radius: int, fill: Colour, border: Colour, width: int) -> pygame.Surface:
    side = 2 * radius * _FINE
    large = pygame.Surface((side, side), pygame.SRCALPHA)
    large.fill((*border, 0))
    centre = (side // 2, side // 2)
    pygame.draw.circle(large, border, centre, side // 2)
    pygame.draw.circle(large, fill, centre, side // 2 - width * _FINE)
    return pygame.transform.smoothscale(large, (2 * radius, 2 * radius))
