"""Paints an arrangement on a surface, all of it or only what has changed."""

from __future__ import annotations

from collections.abc import Iterable

import pygame

from display.drawing.boxes import box
from display.drawing.colour import Colour
from display.drawing.rect import Rect
from display.wall.drawn import fonts
from display.wall.model import Picture
from display.wall.placed import Arrangement, Fill, Ink, Text
from display.wall.theme import Mood, Theme


def mood_of(shown: Picture, theme: Theme) -> Mood:
    """The colours for a picture."""
    if shown.mood in ("paused", "waiting", "final", "over"):
        return theme.halt
    return theme.pause if shown.on_break else theme.level


def paint(
    surface: pygame.Surface,
    placed: Arrangement,
    mood: Mood,
    theme: Theme,
    *,
    logo: pygame.Surface | None = None,
    only: Rect | None = None,
) -> None:
    """Paint it, or what of it lies within `only`. `logo` has the size of its place."""
    area = only or Rect(0, 0, *surface.get_size())
    surface.set_clip(pygame.Rect(area))
    _ground(surface, area, mood)
    for fill in placed.fills:
        if fill.rect.overlaps(area):
            _fill(surface, fill, mood, theme)
    if logo is not None and placed.logo.overlaps(area):
        surface.blit(logo, placed.logo[:2])
    for text in placed.texts:
        if text.rect.overlaps(area):
            _write(surface, text, _ink(text.ink, mood, theme))
    surface.set_clip(None)


def changed(before: Arrangement, after: Arrangement) -> list[Rect] | None:
    """What is to be painted anew, or None if it is everything."""
    if before.logo != after.logo or _outline(before) != _outline(after):
        return None
    pairs: Iterable[tuple[Text | Fill, Text | Fill]] = (
        *zip(before.texts, after.texts, strict=True),
        *zip(before.fills, after.fills, strict=True),
    )
    return [_around(one.rect, other.rect) for one, other in pairs if one != other]


def _outline(placed: Arrangement) -> tuple[tuple[str, str], ...]:
    texts = tuple((text.id, text.ink) for text in placed.texts)
    return (*texts, *((fill.id, fill.ground) for fill in placed.fills))


def _around(one: Rect, other: Rect) -> Rect:
    x, y = min(one.x, other.x), min(one.y, other.y)
    return Rect(x, y, max(one.right, other.right) - x, max(one.bottom, other.bottom) - y)


def _ground(surface: pygame.Surface, area: Rect, mood: Mood) -> None:
    """From the lighter top to the darker bottom, in as many bands as there are colours."""
    height = surface.get_height()
    bands = max(abs(one - other) for one, other in zip(mood.top, mood.bottom, strict=True)) + 1
    for band in range(bands):
        top, bottom = height * band // bands, height * (band + 1) // bands
        if bottom > area.y and top < area.bottom:
            colour = _between(mood.top, mood.bottom, band / max(1, bands - 1))
            surface.fill(colour, (area.x, top, area.w, bottom - top))


def _between(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return (red, green, blue)


def _fill(surface: pygame.Surface, fill: Fill, mood: Mood, theme: Theme) -> None:
    colours: dict[str, Colour] = {
        "foot": mood.foot,
        "track": mood.track,
        "accent": mood.accent,
        "soft": mood.soft,
        "word": theme.word.fill,
        "notice": theme.notice.fill,
        "trouble": theme.trouble.fill,
    }
    colour = colours[fill.ground]
    if fill.radius:
        box(surface, fill.rect, colour, colour, radius=fill.radius)
    else:
        surface.fill(colour, fill.rect)


def _ink(ink: Ink, mood: Mood, theme: Theme) -> Colour:
    match ink:
        case "word":
            return theme.word.ink
        case "notice":
            return theme.notice.ink
        case "trouble":
            return theme.trouble.ink
        case _:
            colour: Colour = getattr(mood, ink)
            return colour


def _write(surface: pygame.Surface, text: Text, colour: Colour) -> None:
    if not text.fixed:
        picture, capitals = fonts.render(text.words, text.cap, colour)
        surface.blit(picture, (round(text.x), round(text.top) - capitals))
        return
    x = text.x
    figure = max(fonts.measure(sign, text.cap) for sign in "0123456789")
    for sign in text.words:
        picture, capitals = fonts.render(sign, text.cap, colour)
        wide = figure if sign.isdigit() else fonts.measure(sign, text.cap)
        at = x + (wide - picture.get_width()) / 2
        surface.blit(picture, (round(at), round(text.top) - capitals))
        x += wide
