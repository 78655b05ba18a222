"""The words of the pages: a section each of `languages/<language>.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from controller.files.settings import config_dir
from controller.library import languages
from controller.room.prize_board import Marks


@cache
def page_words(section: str, language: str) -> Mapping[str, str]:
    """The words of a page. Raises ConfigError where the language is not there."""
    return languages.section(config_dir(), language, section)


def findings_words(language: str) -> dict[str, str]:
    """The names of the findings, `finding-CODE` each."""
    named = page_words("findings", language)
    return {f"finding-{code}": name for code, name in named.items()}


def zones_words(language: str) -> dict[str, str]:
    """The names of the kinds of zones, `zone-KIND` each."""
    return {f"zone-{kind}": name for kind, name in page_words("zones", language).items()}


def marks(language: str) -> Marks:
    """How a language writes amounts."""
    words, own = page_words("desk", language), page_words("money", language)
    return Marks(words["thousands"], words["decimal"], own["amount-sign"], own["amount-word"])


def spoken(asked: str | None, usual: str) -> str:
    """The language of a page: the one that is asked for in its address, where there is such."""
    return asked if asked in languages.languages(config_dir()) else usual
