"""The dealer's texts in each language, read once for all tests."""

from __future__ import annotations

from functools import cache

from controller.files.settings import config_dir
from display.dealer.texts import Texts, load


@cache
def spoken(language: str) -> Texts:
    return load(language, config_dir())
