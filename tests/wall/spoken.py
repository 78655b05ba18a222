"""The wall's words in each language, read once for all tests."""

from __future__ import annotations

from functools import cache

from controller.settings import config_dir
from display.wall.words import Words, load


@cache
def spoken(language: str) -> Words:
    return load(language, config_dir())
