"""Frames with other UIDs in them: what the families have in common. Pure.

Only what is known to say nothing of a tag is left as it is. Bytes of an intact frame that are not
understood become FF, which means nothing either where they stand; signal strengths, data
formats and the order of tags are evened out, since a tag could be known by them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

Name = Callable[[str, Sequence[str]], str]
"""Gives the other UID of a tag; the tags of its frame are the second argument."""


def filled(size: int) -> bytes:
    """Return so many bytes that fit no layout of any message."""
    return b"\xff" * size


def named(tags: Sequence[str], name: Name) -> list[str]:
    """Return the other UIDs of the tags of a frame, in an order of their own."""
    return sorted(name(tag, tags) for tag in tags)


class Page(msgspec.Struct, frozen=True):
    """One of several frames that hold one set of tags together; `last` if no other follows.

    `key` is the same for all of them. `again` gives the frame with other tags in it, None if
    they do not fit; `index` and `count` are its place among them, where that is known before.
    """

    key: object
    tags: tuple[str, ...]
    last: bool
    again: Callable[[Sequence[str]], bytes | None]
    index: int = 0
    count: int = 0

    def __repr__(self) -> str:
        return f"Page({len(self.tags)} tags)"
