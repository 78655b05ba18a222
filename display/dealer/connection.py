"""The state of the link to the table, and everything that is not well, in words."""

from __future__ import annotations

from msgspec import Struct

from controller.contract.view import TableView
from display.dealer.texts import Texts


class Connection(Struct, frozen=True):
    """The link to the table: `silence` is seconds since it was last heard of.

    `cause` is empty while it is well, else the key of a text `cause-…`. `bad` counts
    lines that could not be read.
    """

    cause: str = "absent"
    silence: float = 0.0
    bad: int = 0

    @property
    def is_open(self) -> bool:
        """Tell whether a line can be sent."""
        return self.cause in ("", "silent")


REFUSED = ("newer", "foreign")
"""Causes that the table itself says: what it kept is not for this version, or not its own."""


def duration(seconds: float) -> str:
    """Return a span as minutes and seconds, `1:05`, or with hours, `2:00:05`."""
    whole = int(seconds)
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02}"
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def faults(view: TableView | None, connection: Connection, texts: Texts) -> tuple[str, ...]:
    """Return everything that is not well, in words."""
    found = [texts(f"cause-{connection.cause}")] if connection.cause else []
    if connection.bad:
        found.append(texts("link-unreadable", count=connection.bad))
    return (*found, *(view.links if view is not None else ()))


def reader_words(view: TableView | None, texts: Texts) -> tuple[str, ...]:
    """Return how each reader is, and what is to be done about those that are not well."""
    if view is None:
        return ()
    readers = [
        texts(f"reader-{one.state.replace(' ', '-')}", port=one.port) for one in view.readers
    ]
    return (*readers, *(texts("reader-zone", zone=texts.zone(one)) for one in view.lost_zones))


def silent_words(view: TableView | None, texts: Texts) -> tuple[str, ...]:
    """Return what asks nothing of anyone for now, and until when."""
    lines = []
    for one in view.silent if view is not None else ():
        zone = texts.zone(one.zone) if one.zone else ""
        if one.until is None:
            lines.append(texts("silent-zone", zone=zone or texts.code(one.code or "")))
            continue
        what = " · ".join(part for part in (texts.code(one.code or ""), zone) if part)
        lines.append(texts("silent-until", what=what, hand=one.until))
    return tuple(lines)


def lost_words(connection: Connection, texts: Texts) -> str:
    """Return how long the table has not been heard of, or why there is none."""
    if connection.cause in REFUSED:
        return texts(f"cause-{connection.cause}")
    key = "silent-since" if connection.cause == "silent" else "lost-since"
    return texts(key, since=duration(connection.silence))
