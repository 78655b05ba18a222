"""Who may ask for what: the one place that says which address needs which role. Pure.

What is not named here needs an admin. The pages of an event below `/event/ID` need what the same
pages of the first event need.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from controller.people.staff import Person, Role

_READ: Mapping[str, Role | None] = {
    # Without a login. `*` is whatever follows.
    "/screen": None,
    "/screen/*": None,
    "/blinds": None,
    "/pocket": None,
    "/pocket/*": None,
    "/pocket.json": None,
    "/pocket.svg": None,
    "/themes.css": None,
    "/healthz": None,
    "/logo": None,
    "/static/*": None,
    "/login": None,
    "/logout": None,
    "/join": None,
    "/setup": None,
    "/trust": None,
    "/ca.crt": None,
    "/updates/*": None,
    # Signed in.
    "/": "viewer",
    "/me.json": "viewer",
    "/floor": "viewer",
    "/floor/*": "viewer",
    "/clock": "viewer",
    "/clock.json": "viewer",
    "/clock/events": "viewer",
    "/structure.toml": "viewer",
    "/structures.json": "viewer",
    "/structures/fit": "viewer",
    "/finishes.json": "viewer",
    "/rules": "viewer",
    "/rules.json": "viewer",
    "/rules/bet.json": "viewer",
    "/players": "floor",
    "/players/*": "floor",
    "/players.json": "floor",
    "/players.csv": "floor",
    "/conduct.csv": "floor",
    "/race": "floor",
    "/race/*": "floor",
    "/money": "director",
    "/money/*": "director",
    "/money.json": "director",
    "/payouts.csv": "director",
    "/event.json": "director",
    "/events": "director",
    "/history": "floor",
    "/history/*": "floor",
    "/history.csv": "floor",
    "/history.jsonl": "floor",
    "/history.phhs": "floor",
    "/statistics": "floor",
    "/people": "admin",
    "/people.json": "admin",
    "/tables": "admin",
    "/tables.json": "admin",
}
_WRITE: Mapping[str, Role | None] = {
    "/login": None,
    "/logout": None,
    "/join": None,
    "/setup": None,
    "/updates/*": None,
    "/floor/*": "floor",
    "/alerts/*": "floor",
    "/clock/*": "director",
    "/players/warn": "floor",
    "/players/penalise": "floor",
    "/players/pardon": "floor",
    "/players/*": "director",
    "/players-file": "director",
    "/race/colour-up": "director",
    "/race/*": "floor",
    "/structure-file": "director",
    "/events": "director",
    "/events/close": "director",
    "/people/*": "admin",
    "/tables/*": "admin",
}
_EVENT = re.compile(r"/event/[a-z0-9][a-z0-9-]{0,31}(?=/)")
READING = ("GET", "HEAD")
IN_THE_CLEAR = (
    "/screen*",
    "/blinds*",
    "/pocket*",
    "/themes.css",
    "/healthz",
    "/logo",
    "/static/*",
    "/trust",
    "/ca.crt",
    "/updates/*",
)
"""What is still to be had over plain HTTP where there is HTTPS."""


def in_event(path: str) -> str:
    """A path without what stands before those of an event's pages."""
    found = _EVENT.match(path)
    return path if found is None else path[found.end() :]


def is_named(method: str, path: str) -> bool:
    """Whether the tables say anything of it."""
    return _find(method, path) is not None


def needed(method: str, path: str) -> Role | None:
    """The role that an address needs; None is nobody's."""
    pattern = _find(method, path)
    if pattern is None:
        return "admin"
    return (_READ if method in READING else _WRITE)[pattern]


def matches(path: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of the patterns is about this path."""
    return any(_fits(path, each) for each in patterns)


def may_see_dealers(person: Person) -> bool:
    """Whether somebody may see dealers' names and figures in the history: managers only."""
    return person.may("director")


def _find(method: str, path: str) -> str | None:
    path = in_event(path)
    table = _READ if method in READING else _WRITE if method == "POST" else {}
    return path if path in table else next((each for each in table if _fits(path, each)), None)


def _fits(path: str, pattern: str) -> bool:
    return path.startswith(pattern[:-1]) if pattern.endswith("*") else path == pattern
