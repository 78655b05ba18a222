"""What the processes of a simulation say to each other: one JSON value a line.

Times are `time.monotonic_ns()`, which all processes of a machine share.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from controller.broker.client import Endpoint

Kind = Literal["$state", "hand", "alerts", "events"]
KINDS: tuple[Kind, ...] = ("$state", "hand", "alerts", "events")
"""What a table says, by the part of its topic after the table's name."""
PREFIX = "sim-"
"""What the names of simulated tables begin with."""


def kind_of(topic: str) -> Kind | None:
    """Of a topic `cutcard/1/SITE/tables/TABLE/KIND…`."""
    parts = topic.split("/", 6)
    return next((k for k in KINDS if len(parts) > 5 and parts[5] == k), None)


def table_of(topic: str) -> str:
    """The table's name in such a topic."""
    return topic.split("/", 5)[4]


class Orders(Struct, frozen=True):
    """What a generator is to do: these tables, each at its endpoint, for `seconds` at `rate`
    messages a second; `errors` hands of a thousand have one. `run` is in the tables' sessions."""

    site: str
    run: str
    tables: tuple[tuple[str, Endpoint], ...]
    rate: float
    seconds: float
    errors: float
    seed: int
    connects_per_s: float


class Begin(Struct, frozen=True, tag="begin"):
    """All tables begin at that time."""

    at_ns: int


class Stop(Struct, frozen=True, tag="stop"):
    """No more is begun."""


class Tidy(Struct, frozen=True, tag="tidy"):
    """The tables take away what they left at the broker, and go."""


ToGenerator = Begin | Stop | Tidy


class Tally(Struct, frozen=True, tag="tally"):
    """What a generator has done so far. `connected` tables of its own; `published` were handed to
    their clients, `sent` left for the first time and `acked` were acknowledged, by kind.

    `superseded`: a newer picture took its place before it had left. `waiting` have still to be
    sent or acknowledged, `refused` were by the broker, `dropped` were given up. `again` were sent
    once more after one of `reconnects`. `late_ms` is how far behind its time the generator was at
    most, `behind_ms` how far lately.
    """

    connected: int = 0
    published: int = 0
    sent: Mapping[str, int] = {}
    acked: int = 0
    superseded: int = 0
    waiting: int = 0
    refused: int = 0
    dropped: int = 0
    again: int = 0
    reconnects: int = 0
    hands: int = 0
    late_ms: float = 0.0
    behind_ms: float = 0.0
    trouble: str = ""


class AlertsSaid(Struct, frozen=True, tag="alerts"):
    """Alerts that were opened and deleted, each with its table, finding and when."""

    opened: tuple[tuple[str, str, int], ...]
    deleted: tuple[tuple[str, str, int], ...]


class Ended(Struct, frozen=True, tag="ended"):
    """All has been said and is acknowledged, or `Tally.waiting` tells what is not."""


FromGenerator = Tally | AlertsSaid | Ended


class CounterOrders(Struct, frozen=True):
    """What the counting subscriber is to hear: the tables of this run at this site."""

    site: str
    run: str
    endpoint: Endpoint


class Counted(Struct, frozen=True):
    """What the counting subscriber has heard, by kind. `doubles` are events that came again,
    `gaps` those that are missing before the last one of their table."""

    connected: bool = False
    received: Mapping[str, int] = {}
    doubles: int = 0
    gaps: int = 0
    bytes: int = 0
    trouble: str = ""


def line(value: Struct) -> bytes:
    """The value as one line."""
    return msgspec.json.encode(value) + b"\n"
