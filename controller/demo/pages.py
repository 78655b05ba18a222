"""The pages of a demo: what they are called, where they are, and how that is said."""

from __future__ import annotations

from collections.abc import Mapping

from controller.languages import path_of, read
from controller.settings import config_dir

ROOM = {
    "room": "/",
    "screen": "/screen",
    "clock": "/clock",
    "floor": "/floor",
    "history": "/history",
    "statistics": "/statistics",
    "people": "/people",
    "pocket": "/pocket",
}
"""The room's pages, by their names in `[pages]` of the languages."""
BLINDS = "blinds"
"""What `screen` was called."""
CONTROL = "control"
_OPEN_TO_ALL = ("screen", "pocket")
_LANGUAGE = "en"

Pages = Mapping[str, str | None]
"""Addresses by name; those without one are not there."""


def names() -> Mapping[str, str]:
    """What pages are called; the demo speaks English."""
    return read(path_of(config_dir(), _LANGUAGE), ("pages",))["pages"]


def addresses(url: str, code: str) -> dict[str, str]:
    """Where the pages of a room at `url` are; `code` signs a browser in to those that need it."""
    found = {
        name: f"{url}{path}" if name in _OPEN_TO_ALL else f"{url}/join?code={code}&to={path}"
        for name, path in ROOM.items()
    }
    return {**found, BLINDS: f"{url}/{BLINDS}"}


def listed(pages: Pages) -> list[tuple[str, str]]:
    """The names and addresses of those that are there, in the order of the links."""
    return [(name, url) for name in (*ROOM, CONTROL) if (url := pages.get(name)) is not None]


def said(pages: Pages) -> list[str]:
    """The same for people, one to a line."""
    words = names()
    lines = [(words[name], url) for name, url in listed(pages)]
    width = max((len(name) for name, _ in lines), default=0)
    return [f"  {name:{width}}  {url}" for name, url in lines]
