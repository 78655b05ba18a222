"""The pages of a demo: what they are called, where they are, and how that is said."""

from __future__ import annotations

from collections.abc import Mapping

from controller.files.settings import config_dir
from controller.library.languages import section
from controller.room.pages import BLINDS, FOR_PLAYERS, PAGES

CONTROL = "control"
"""The demo's own page, beside those of the room."""
LANGUAGE = "en"
"""What the demo speaks."""

Pages = Mapping[str, str | None]
"""Addresses by name; those without one are not there."""


def names() -> Mapping[str, str]:
    """What pages are called; the demo speaks English."""
    return section(config_dir(), LANGUAGE, "pages")


def addresses(url: str, code: str) -> dict[str, str]:
    """Where the pages of a room at `url` are; `code` signs a browser in to those that need it."""
    found = {
        name: f"{url}{path}" if name in FOR_PLAYERS else f"{url}/join?code={code}&to={path}"
        for name, path in PAGES.items()
    }
    return {**found, BLINDS: f"{url}/{BLINDS}"}


def listed(pages: Pages) -> list[tuple[str, str]]:
    """The names and addresses of those that are there, in the order of the links."""
    return [(name, url) for name in (*PAGES, CONTROL) if (url := pages.get(name)) is not None]


def said(pages: Pages) -> list[str]:
    """The same for people, one to a line."""
    words = names()
    lines = [(words[name], url) for name, url in listed(pages)]
    width = max((len(name) for name, _ in lines), default=0)
    return [f"  {name:{width}}  {url}" for name, url in lines]
