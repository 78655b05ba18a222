"""Paths as a browser sends them: whether they are straight, and where they may lead. Pure."""

from __future__ import annotations

import re

from controller.people.rights import matches

LONGEST_PATH = 500
_ODD = re.compile(r"//|\\|[\x00-\x1f\x7f]|/\.\.?(/|$)|%(2f|5c|0|1)", re.IGNORECASE)


def is_straight(path: str, raw: str) -> bool:
    """Whether a path is what it looks like, both as it was sent and as it is read: no `..`, no
    doubled or encoded slashes, no control characters."""
    return (
        path.startswith("/")
        and len(raw) <= LONGEST_PATH
        and _ODD.search(path) is None
        and _ODD.search(raw) is None
    )


def local(to: str | None) -> str:
    """Where to go after signing in: an address of this room, else its first page."""
    if not to or len(to) > LONGEST_PATH or not to.isascii() or not to.isprintable():
        return "/"
    path = to.partition("?")[0].partition("#")[0]
    if not is_straight(path, path):
        return "/"
    return "/" if matches(path, ("/login", "/logout", "/join", "/setup")) else to
