"""Topics and payloads: all that travels over MQTT, and how (contract, section 4).

The table of topics stands at the end of this file. Everything is JSON below
`cutcard/1/<site>/`. `at` is wall time, every `_ms` of the room is the room's own time;
both are milliseconds. `session` names one run of a process and is never used again.
"""

from __future__ import annotations

import re
from typing import Generic, Literal, TypeVar

import msgspec
from msgspec import Raw, Struct

from controller.events import Blinds, Event
from controller.view import FindingView, TableView

VERSION = 1
MAX_PAYLOAD = 256 * 1024
_ROOT = "cutcard/1"
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")

Presence = Literal["init", "ready", "lost"]


class MessageError(ValueError):
    """A received payload that cannot be used. The text holds nothing of the payload."""


class UnknownVersionError(MessageError):
    """A payload of a version that is not spoken here."""


class Message(Struct, frozen=True):
    """One publication. A retained message with an empty payload deletes what was retained."""

    topic: str
    payload: bytes
    qos: Literal[0, 1]
    retain: bool
    expiry_s: int | None = None
    response_topic: str | None = None
    correlation: bytes | None = None


class State(Struct, frozen=True):
    """Whether a table or the room is there; `lost` is its last will."""

    state: Presence
    session: str
    version: str
    v: int = VERSION


class Hand(Struct, frozen=True):
    """The public picture of a table after event number `seq` of this session."""

    session: str
    seq: int
    at: int
    view: TableView
    v: int = VERSION


class Alert(Struct, frozen=True):
    """An open finding with its ruling; its topic is deleted when the finding is closed."""

    session: str
    at: int
    finding: FindingView
    v: int = VERSION


class TableEvent(Struct, frozen=True):
    """One event; (table, session, seq) is unique and `seq` counts from 1 without a gap."""

    session: str
    seq: int
    at: int
    event: Event
    v: int = VERSION


class Health(Struct, frozen=True):
    """What is well and what is not: zones that are lost, links in words, the outbox."""

    session: str
    at: int
    lost_zones: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    backlog: int = 0
    clock_error_ms: int | None = None
    v: int = VERSION


class Command(Struct, frozen=True):
    """What every command to a table carries; each command adds fields of its own."""

    id: str
    actor: str
    role: str
    session: str
    hand: int | None = None
    finding: int | None = None
    v: int = VERSION


class Answer(Struct, frozen=True):
    """A table's answer to the command `id`; `reason` says why it was not accepted."""

    id: str
    ok: bool
    reason: str = ""
    v: int = VERSION


class RoomTime(Struct, frozen=True):
    """The room's time, by which all deadlines of the room are meant."""

    session: str
    now_ms: int
    v: int = VERSION


class RoomClock(Struct, frozen=True):
    """The blinds clock. It never ticks: either `deadline_ms` or `remaining_ms` is given.

    `index` counts the entries of the structure from 0, `level` the levels that are played
    from 1; on a break `level` and `blinds` are those of the level before, if there was one.
    `next_blinds` are those of the next level to be played. `to_break_ms` is how long after
    the end of this entry the next break begins. `ended`: the last level has run out and
    stays in force.
    """

    index: int
    level: int
    on_break: bool
    blinds: Blinds | None
    next_blinds: Blinds | None
    next_is_break: bool
    duration_ms: int
    deadline_ms: int | None = None
    remaining_ms: int | None = None
    to_break_ms: int | None = None
    ended: bool = False
    v: int = VERSION


P = TypeVar("P", bound=Struct)


class Decoded(Struct, Generic[P], frozen=True):
    """A received payload, and how many of its top-level fields are not known here."""

    value: P
    unknown_fields: int


class _Header(Struct, frozen=True):
    v: int


class Topic(Struct, Generic[P], frozen=True):
    """One row of the table of topics; each `+` of `path` stands for a name."""

    path: str
    payload: type[P]
    qos: Literal[0, 1] = 1
    retain: bool = False
    expiry_s: int | None = None

    def name(self, site: str, *names: str) -> str:
        """The topic for these names. Raises ValueError for a name that MQTT cannot carry."""
        for each in (site, *names):
            if not _NAME.fullmatch(each):
                raise ValueError(f"{each!r} is not a name: letters, digits, '_', '.' and '-' only")
        rest = iter(names)
        parts = [next(rest) if part == "+" else part for part in self.path.split("/")]
        if next(rest, None) is not None:
            raise ValueError(f"too many names for {self.path}")
        return f"{_ROOT}/{site}/{'/'.join(parts)}"

    def filter(self, site: str) -> str:
        """The subscription to all topics of this row."""
        return f"{_ROOT}/{site}/{self.path}"

    def names(self, site: str, topic: str) -> tuple[str, ...] | None:
        """The names in `topic`, or None when it is not of this row."""
        parts, pattern = topic.split("/"), self.filter(site).split("/")
        if len(parts) != len(pattern):
            return None
        pairs = list(zip(parts, pattern, strict=True))
        if all(wanted in (part, "+") for part, wanted in pairs):
            found = tuple(part for part, wanted in pairs if wanted == "+")
            return found if all(_NAME.fullmatch(each) for each in found) else None
        return None

    def message(self, site: str, *names: str, payload: P) -> Message:
        """The publication of `payload`, with the row's QoS, retain flag and expiry."""
        return Message(
            self.name(site, *names),
            msgspec.json.encode(payload),
            self.qos,
            self.retain,
            self.expiry_s,
        )

    def deletion(self, site: str, *names: str) -> Message:
        """The message that deletes what was retained under these names."""
        return Message(self.name(site, *names), b"", self.qos, True)

    def decode(self, payload: bytes) -> Decoded[P]:
        """Read a received payload. Raises UnknownVersionError, else MessageError."""
        if len(payload) > MAX_PAYLOAD:
            raise MessageError(f"payload of {len(payload)} bytes on {self.path}")
        try:
            version = msgspec.json.decode(payload, type=_Header).v
            if version != VERSION:
                raise UnknownVersionError(f"version {version} on {self.path}")
            value = msgspec.json.decode(payload, type=self.payload)
            given = msgspec.json.decode(payload, type=dict[str, Raw]).keys()
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise MessageError(f"not the payload of {self.path}") from None
        return Decoded(value, len(given - set(self.payload.__struct_encode_fields__)))


TABLE_STATE = Topic("tables/+/$state", State, retain=True)
TABLE_HAND = Topic("tables/+/hand", Hand, retain=True)
TABLE_HEALTH = Topic("tables/+/health", Health, retain=True)
TABLE_ALERT = Topic("tables/+/alerts/+", Alert, retain=True)
TABLE_EVENT = Topic("tables/+/events", TableEvent)
TABLE_COMMAND = Topic("tables/+/cmd/+", Command, expiry_s=30)
TABLE_ANSWER = Topic("tables/+/answers", Answer, expiry_s=30)
ROOM_STATE = Topic("room/$state", State, retain=True)
ROOM_TIME = Topic("room/time", RoomTime, qos=0)
ROOM_CLOCK = Topic("room/clock", RoomClock, retain=True)
