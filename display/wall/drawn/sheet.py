"""What the wall paints on: the display itself, or a sheet that is shown turned, for a screen that
hangs on its side where nothing else turns the picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pygame

from display.drawing.rect import Rect

Turn = Literal[0, 90, 180, 270]


class Sheet:
    """The open display, its picture turned clockwise by so many degrees."""

    def __init__(self, turn: Turn = 0) -> None:
        self._turn = turn
        self._own: pygame.Surface | None = None

    def surface(self) -> pygame.Surface:
        """What to paint on. Another one when the display's size has changed."""
        display = _display()
        if not self._turn:
            return display
        width, height = display.get_size()
        size = (width, height) if self._turn == 180 else (height, width)
        if self._own is None or self._own.get_size() != size:
            self._own = pygame.Surface(size, 0, display)
        return self._own

    def show(self, parts: Sequence[Rect] | None = None) -> None:
        """Show what was painted, all of it or these parts."""
        painted = self.surface()
        whole = Rect(0, 0, *painted.get_size())
        places = [whole] if parts is None else [_within(part, whole) for part in parts]
        if self._turn:
            display = _display()
            for place in places:
                turned = pygame.transform.rotate(painted.subsurface(place), -self._turn)
                display.blit(turned, self._on_display(place, whole)[:2])
        if parts is None:
            pygame.display.flip()
        else:
            pygame.display.update([tuple(self._on_display(place, whole)) for place in places])

    def _on_display(self, place: Rect, whole: Rect) -> Rect:
        x, y, w, h = place
        match self._turn:
            case 90:
                return Rect(whole.h - y - h, x, h, w)
            case 180:
                return Rect(whole.w - x - w, whole.h - y - h, w, h)
            case 270:
                return Rect(y, whole.w - x - w, h, w)
            case _:
                return place


def _display() -> pygame.Surface:
    display = pygame.display.get_surface()
    if display is None:
        raise pygame.error("the display has gone")
    return display


def _within(part: Rect, whole: Rect) -> Rect:
    x, y = max(part.x, 0), max(part.y, 0)
    return Rect(x, y, max(0, min(part.right, whole.w) - x), max(0, min(part.bottom, whole.h) - y))
