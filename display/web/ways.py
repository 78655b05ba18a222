"""Where one may go from a page: the links in the header of every page. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol
from urllib.parse import urlencode

from msgspec import Struct

from controller.people.rights import needed
from controller.people.staff import Person
from controller.room.pages import FOR_PLAYERS, OF_EVENT, PAGES, below


class Way(Struct, frozen=True):
    """A link to a page; `is_here`: it is the page that is open."""

    page: str
    href: str
    is_here: bool


class EventWay(Struct, frozen=True):
    """A link to the page of an event; `is_here`: it is that event's page that is open."""

    name: str
    href: str
    is_here: bool


class _Named(Protocol):
    @property
    def id(self) -> str:
        """The first one's is empty."""

    @property
    def name(self) -> str:
        """How people call it."""


class Extra(Struct, frozen=True):
    """What not every room has: a `certificate` that phones have to trust, and the address of the
    demo's `control` page."""

    certificate: bool = False
    control: str = ""


def ways(
    person: Person | None, here: str, extra: Extra, beside: Mapping[str, str], event: str = ""
) -> tuple[Way, ...]:
    """The pages that somebody may open, of one `event` where each has its own. A stranger at a page
    for players is taken for a player.

    `beside` goes along in each address.
    """
    pages = {**PAGES, **({"trust": "/trust"} if extra.certificate else {})}
    is_player = _is_player(person, here)
    found = [
        Way(page, address(_of(event, page) + path, beside), page == here)
        for page, path in pages.items()
        if _may_open(person, path) and (page in FOR_PLAYERS or not is_player)
    ]
    if extra.control and not is_player:
        found.append(Way("control", extra.control, is_here=False))
    return tuple(found)


def _of(event: str, page: str) -> str:
    return below(event) if page in OF_EVENT else ""


def in_events(
    events: Sequence[_Named], here: str, event: str, beside: Mapping[str, str]
) -> tuple[EventWay, ...]:
    """Where the same page of each event is, where there are several and each has its own."""
    if len(events) < 2 or here not in OF_EVENT:
        return ()
    return tuple(
        EventWay(each.name, address(below(each.id) + PAGES[here], beside), each.id == event)
        for each in events
    )


def way_in(person: Person | None, here: str, asked: str, beside: Mapping[str, str]) -> str:
    """Where one signs in or out, to come back to the address that was `asked` for; empty where
    that is no use: for players, and while one does it."""
    if here in ("login", "join", "setup") or _is_player(person, here):
        return ""
    return address("/login", {**beside, "to": asked})


def address(path: str, given: Mapping[str, str]) -> str:
    """An address of this room."""
    return f"{path}?{urlencode(given)}" if given else path


def _is_player(person: Person | None, here: str) -> bool:
    return person is None and here in FOR_PLAYERS


def _may_open(person: Person | None, path: str) -> bool:
    role = needed("GET", path)
    return role is None or (person is not None and person.may(role))
