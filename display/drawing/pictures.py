"""Pictures that are in no window, and files of them."""

from __future__ import annotations

from pathlib import Path

import pygame

Surface = pygame.Surface
"""What is drawn on."""


class PictureError(ValueError):
    """A file holds no picture that can be read; the message says why."""


def blank(size: tuple[int, int]) -> Surface:
    """A black picture of so many pixels."""
    return pygame.Surface(size)


def save(picture: Surface, path: Path) -> None:
    """Writes it as PNG. Raises OSError."""
    try:
        with path.open("wb") as file:
            pygame.image.save(picture, file, "shot.png")
    except pygame.error as error:
        raise OSError(0, str(error), str(path)) from error


def load(path: Path, most: tuple[int, int]) -> Surface:
    """A picture from a file, with its transparency, scaled down to so many pixels at the most.
    Raises OSError, PictureError where it is none."""
    with path.open("rb") as data:
        try:
            found = pygame.image.load(data, "picture.png")
        except pygame.error as error:
            raise PictureError(str(error)) from None
    scale = max(1.0, found.get_width() / most[0], found.get_height() / most[1])
    size = (int(found.get_width() / scale), int(found.get_height() / scale))
    whole = pygame.Surface(found.get_size(), pygame.SRCALPHA)
    whole.blit(found, (0, 0))
    return pygame.transform.smoothscale(whole, size)
