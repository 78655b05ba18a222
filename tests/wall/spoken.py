"""The wall's words in each language, read once for all tests."""

from __future__ import annotations

from functools import cache

from controller.files.settings import config_dir
from display.wall.said import Said, pages
from display.wall.words import Words, load


@cache
def spoken(language: str) -> Words:
    return load(language, config_dir())


def whole(said: Said) -> str:
    """All of it, as on a page that is wide enough."""
    ((line,),) = pages(said, lambda text: [text], 1)
    return line
