"""What a room and the one that stands by for it say to each other over MQTT.

Only rooms may read or write these topics: a room's stores travel on them, people and all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from controller.contract.messages import VERSION, Topic

PAGE = 4096
"""Bytes of a database that are compared, and sent, together."""
Count = Annotated[int, Meta(ge=0, le=2**53)]
Index = Annotated[int, Meta(ge=0, le=2**31)]
Session = Annotated[str, Meta(min_length=1, max_length=64)]
StoreName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.-]{1,64}\Z")]


class Here(Struct, frozen=True):
    """One that stands by says each second that it is there, and of which stores it `wants` all:
    those that it does not know, or of which it has missed something."""

    session: Session
    wants: tuple[StoreName, ...] = ()
    v: int = VERSION


class Run(Struct, frozen=True):
    """Pages of a store, one after the other, from the page `at` on."""

    at: Index
    data: bytes

    def __repr__(self) -> str:
        return f"Run({self.at}, {len(self.data)} bytes)"


class Part(Struct, frozen=True):
    """A part of what has become of a store, with the change `number`: `whole` where that is all of
    it, else what has changed since the number before. It has `size` bytes then, with this SHA-256
    in hexadecimal."""

    session: Session
    store: StoreName
    number: Count
    part: Index
    parts: Annotated[int, Meta(ge=1, le=2**31)]
    whole: bool
    size: Count
    sha256: Annotated[str, Meta(min_length=64, max_length=64)]
    runs: tuple[Run, ...] = ()
    v: int = VERSION


class Stores(Struct, frozen=True):
    """What the room that leads has: the number of the last change of each store, and of each the
    beat, which is no part of it. Said each second while another stands by."""

    session: Session
    stores: Mapping[StoreName, Count]
    beats: Mapping[StoreName, bytes] = {}
    v: int = VERSION


class Taken(Struct, frozen=True):
    """The room of this `session` leads from now on, in the place of the one `before`, which has to
    end if it is there after all; empty where there was none."""

    session: Session
    before: Annotated[str, Meta(max_length=64)]
    v: int = VERSION


STAND_BY_HERE = Topic("stand-by/here", Here, qos=0)
STAND_BY_PART = Topic("stand-by/part", Part)
STAND_BY_STORES = Topic("stand-by/stores", Stores)
STAND_BY_TAKEN = Topic("stand-by/taken", Taken, retain=True)
STAND_BY_TOPICS: tuple[Topic[Any], ...] = (
    STAND_BY_HERE,
    STAND_BY_PART,
    STAND_BY_STORES,
    STAND_BY_TAKEN,
)
"""Everything that rooms say to each other."""
