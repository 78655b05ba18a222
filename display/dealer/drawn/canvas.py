"""A surface that knows what has been drawn on it: every text and every touch target.

What it says of an element is taken from the drawing, so it can't say anything else.
"""

from __future__ import annotations

from collections.abc import Mapping

import pygame
from msgspec import Struct
from msgspec.structs import replace

from display.dealer.drawn import shapes
from display.drawing import boxes
from display.drawing.colour import Colour
from display.drawing.rect import Rect


class Element(Struct, frozen=True):
    """Something that can be read or tapped.

    `id` is the button's, the label's region, `seat:3`, `board:1`, and of their parts
    `seat:3.number`. `rect` is its box or, where it has none, that of its letters; `font_px` is 0
    and `fg` the border's colour where nothing is written. `bg` is the colour behind the text.
    """

    id: str
    text: str
    rect: Rect
    font_px: int
    fg: str
    bg: str
    touch: bool


class Canvas:
    """Draws on `surface` and keeps the account. What is drawn under one `id` is one element.

    `suits` has a colour for each suit.
    """

    def __init__(self, surface: pygame.Surface, suits: Mapping[str, Colour]) -> None:
        self.surface = surface
        self.suits = suits
        self._elements: dict[str, Element] = {}

    @property
    def elements(self) -> tuple[Element, ...]:
        """All elements, in the order of their drawing."""
        return tuple(self._elements.values())

    def fill(self, colour: Colour) -> None:
        """Begin anew with this colour everywhere."""
        self.surface.fill(colour)
        self._elements.clear()

    def box(
        self,
        id: str,
        rect: Rect,
        fill: Colour,
        border: Colour,
        *,
        radius: int = 12,
        width: int = 2,
    ) -> None:
        """Draw a box, see `boxes.box`."""
        boxes.box(self.surface, rect, fill, border, radius=radius, width=width)
        self._add(id, rect, border, fill)

    def disc(self, id: str, rect: Rect, fill: Colour, border: Colour) -> None:
        """Draw a disc, see `boxes.disc`."""
        boxes.disc(self.surface, rect, fill, border)
        self._add(id, rect, border, fill)

    def badge(self, id: str, rect: Rect, priority: int, fill: Colour, sign: Colour) -> None:
        """Draw the shape of a priority with its sign, see `shapes.badge`."""
        self._wrote(id, shapes.badge(self.surface, rect, priority, fill, sign), sign)

    def write(
        self,
        id: str,
        rect: Rect,
        words: str,
        colour: Colour,
        sizes: tuple[int, int],
        *,
        bold: bool = True,
        centred: bool = True,
        one_line: bool = False,
    ) -> None:
        """Write a text, see `shapes.write`. A second one under an `id` is added to the first."""
        written = shapes.write(
            self.surface, rect, words, colour, sizes, bold=bold, centred=centred, one_line=one_line
        )
        self._wrote(id, written, colour)

    def touch(self, id: str, rect: Rect) -> None:
        """Here a tap counts now."""
        known = self._elements.get(id)
        if known is None:
            covered = [one for one in self._elements.values() if one.rect == rect]
            colour = _code(self.surface.get_at((rect.x + rect.w // 2, rect.y + rect.h // 2)))
            fg, bg = (covered[-1].fg, covered[-1].bg) if covered else (colour, colour)
            known = Element(id, "", rect, 0, fg, bg, touch=True)
        self._elements[id] = replace(known, rect=rect, touch=True)

    def _add(self, id: str, rect: Rect, fg: Colour, bg: Colour) -> None:
        self._elements[id] = Element(id, "", rect, 0, _code(fg), _code(bg), touch=False)

    def _wrote(self, id: str, written: shapes.Written | None, colour: Colour) -> None:
        if written is None:
            return
        known = self._elements.get(id)
        fg, bg = _code(colour), _code(written.under)
        if known is None:
            element = Element(id, written.words, written.rect, written.size, fg, bg, touch=False)
        else:
            size = min(known.font_px or written.size, written.size)
            text = known.text + written.words
            element = replace(known, text=text, font_px=size, fg=fg, bg=bg)
        self._elements[id] = element


def _code(colour: Colour | pygame.Color) -> str:
    return f"#{colour[0]:02X}{colour[1]:02X}{colour[2]:02X}"
