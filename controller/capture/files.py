"""Captures as files: all that crossed a table's wires and was entered at it, as JSON lines.

The first line says what is needed to read the others. Tags have false names that hold for an
epoch, until a hand is over; what is known of them is a card's code, and these have been
exchanged at random, so that a capture plays like the evening it was and names no card of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, takewhile
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from controller.contract.misfit import misfit
from controller.contract.observations import (
    Boxed,
    DeckChange,
    DeckCheck,
    Exposed,
    Gone,
    Observation,
    Pick,
    SeatStatus,
    Seen,
    Table,
)
from controller.engine.state import EngineState
from firmware_bridge import capture as wire
from firmware_bridge.attention import Attended
from firmware_bridge.capture import Record
from firmware_bridge.presence import Thresholds
from firmware_bridge.sensed import Sensed
from firmware_bridge.tracks import ZoneState
from firmware_bridge.wiring import Wiring

VERSION = 1
LONGEST_LINE = 1 << 22
LATEST_S = 1e9
MARK = b'{"kind":"capture"'
"""What a capture begins with."""


class Header(Struct, frozen=True, tag_field="kind", tag="capture", forbid_unknown_fields=True):
    """`t` is the table's time at the beginning, `when` the date. `table` is as in a log, without
    deck and objects; with `has_deck`, a tag that is in no deck is nobody's. If `raw`, the tags
    are the true ones and `tags` all that are known, whatever they are. The table's time ran `speed`
    times as fast as its host's, of which older captures do not tell."""

    v: int
    t: float
    when: str
    raw: bool
    table: Table
    ports: tuple[Wiring, ...]
    thresholds: Thresholds
    neighbours: dict[str, tuple[str, ...]]
    tick_every: float | None = None
    has_deck: bool = True
    tags: tuple[str, ...] = ()
    speed: Annotated[float, Meta(gt=0)] = 1.0

    def __repr__(self) -> str:
        return f"Header(t={self.t}, raw={self.raw})"


class Faces(Struct, frozen=True, tag_field="kind", tag="faces", forbid_unknown_fields=True):
    """An epoch begins: the false names and the faces that hold from here on.

    `decks` maps name → card code for each deck, `deck` is the one in play. `objects` keep their
    names. `carried` maps the new name of a tag of no deck that lies on the table to the old one
    of one that lies in the same place.
    """

    t: float
    decks: tuple[dict[str, str], ...]
    deck: int | None
    objects: dict[str, str]
    carried: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Faces(t={self.t}, {len(self.decks)} decks)"


class Begun(Struct, frozen=True, tag_field="kind", tag="state", forbid_unknown_fields=True):
    """How everything stood as the capture began.

    `lying` are the tags in each place of the bridge, `held` what it had not given out yet. The
    engine is brought there from `engine`, with the tags `before` on the table, by `since`;
    `last` is the time of the last observation; `ticked`, `states`, `given` and `attended` say how
    the wires stood, of which older captures do not tell all.
    """

    t: float
    lying: dict[str, tuple[str, ...]]
    held: tuple[Sensed, ...]
    engine: EngineState | None
    before: tuple[Seen | Gone, ...]
    since: tuple[Raw, ...]
    last: float = 0.0
    ticked: float | None = None
    states: Mapping[str, ZoneState] = {}
    given: float | None = None
    attended: Attended | None = None

    def __repr__(self) -> str:
        return f"Begun(t={self.t})"


class Entered(Struct, frozen=True, tag_field="kind", tag="told", forbid_unknown_fields=True):
    """Somebody else than the bridge told the table this: `o` as in a log. Where a deck came into
    play, `deck` says which and `o` has an empty one."""

    t: float
    o: Raw
    deck: int | None = None

    def __repr__(self) -> str:
        return f"Entered(t={self.t})"


class Stack(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat after a hand."""

    seat: int
    status: SeatStatus
    stack: int


class Stacks(Struct, frozen=True, tag_field="kind", tag="stacks", forbid_unknown_fields=True):
    """What the last hand came to: with other faces another may have won it."""

    t: float
    stacks: tuple[Stack, ...]


Own = Header | Faces | Begun | Entered | Stacks
Line = Own | Record

AnObservation = TypeVar("AnObservation", bound=Observation)

_KINDS: dict[str, msgspec.json.Decoder[Any]] = {
    str(kind.__struct_config__.tag): msgspec.json.Decoder(kind)
    for kind in (
        Header, Faces, Begun, Entered, Stacks, wire.Opened, wire.Closed, wire.Lost,
        wire.Received, wire.Sent, wire.Steps, wire.Pressed,
    )
}  # fmt: skip


class _Peek(Struct):
    kind: str


_peek = msgspec.json.Decoder(_Peek).decode
encode = msgspec.json.Encoder().encode


class CaptureError(ValueError):
    """A line of a capture that means nothing; the message says why, without any tag."""


def read_line(line: bytes) -> Line:
    """Raises CaptureError."""
    if len(line) > LONGEST_LINE:
        raise CaptureError(f"longer than {LONGEST_LINE} bytes")
    try:
        kind = _peek(line).kind
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise CaptureError("this is not a capture record") from None
    if kind not in _KINDS:
        raise CaptureError(f"unknown kind {kind[:40]!r}")
    try:
        read: Line = _KINDS[kind].decode(line)
    except UnicodeDecodeError:
        raise CaptureError(f"this is no {kind!r} record") from None
    except msgspec.MsgspecError as error:
        # What does not fit may be a tag; where it is tells none.
        at = takewhile(lambda part: isinstance(part, str), misfit(error, _KINDS[kind].type).at)
        where = "".join(f".{part}" for part in at)
        raise CaptureError(f"this is no {kind!r} record{where and ': at $' + where}") from None
    return read


def read_capture(
    name: str, lines: Iterable[bytes], warnings: list[str]
) -> Iterator[tuple[int, Line]]:
    """Yields line number and record. Raises CaptureError with `FILE: line N: fault`.

    A last line that was cut short (no newline, not whole) is dropped with a warning.
    """
    last, number = 0.0, 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = read_line(line)
        except CaptureError as error:
            if not line.endswith(b"\n") and number > 1:
                warnings.append(f"{name}: line {number}: cut short at the end of the file, dropped")
                return
            raise CaptureError(f"{name}: line {number}: {error}") from None
        if isinstance(record, Header) != (number == 1):
            fault = "a capture begins with its header" if number == 1 else "a second header"
            raise CaptureError(f"{name}: line {number}: {fault}")
        if isinstance(record, Header) and record.v != VERSION:
            raise CaptureError(
                f"{name}: line 1: this is capture version {record.v}; only {VERSION} can be read"
            )
        if record.t < last:
            fault = f"time runs backwards, from {last:g} to {record.t:g}"
            raise CaptureError(f"{name}: line {number}: {fault}")
        if record.t > LATEST_S:
            raise CaptureError(f"{name}: line {number}: no table has run for {record.t:g} s")
        last = record.t
        yield number, record
    if not number:
        raise CaptureError(f"{name}: line 1: a capture begins with its header; this one is empty")


def renamed(observation: Observation, name: Callable[[str], str]) -> Observation:
    """The observation with other names for its tags, and without a deck.

    Where several tags stand together they are in the order of their names.
    """
    o = observation
    match o:
        case Table():
            return msgspec.structs.replace(
                o, deck=None if o.deck is None else {}, objects=_sorted(o.objects, name)
            )
        case DeckChange():
            return msgspec.structs.replace(o, deck={})
        case DeckCheck():
            return msgspec.structs.replace(o, tags=tuple(sorted(name(tag) for tag in o.tags)))
        case Seen() | Gone() | Exposed() | Boxed() | Pick() if o.tag is not None:
            return msgspec.structs.replace(o, tag=name(o.tag))
        case _:
            return o


def evened(observations: Iterable[AnObservation]) -> tuple[AnObservation, ...]:
    """The same with those that happened to tags at one time and place in the order of the tags'
    names: the bridge tells them in the order of the true ones."""
    out: list[AnObservation] = []
    for key, run in groupby(observations, _moment):
        together = list(run)
        if key is not None:
            together.sort(key=lambda o: getattr(o, "tag", ""))
        out += together
    return tuple(out)


def _moment(o: Observation) -> tuple[type, float, str] | None:
    return (type(o), o.t, o.zone) if isinstance(o, Seen | Gone) else None


def _sorted(things: Mapping[str, str], name: Callable[[str], str]) -> dict[str, str]:
    return dict(sorted((name(tag), thing) for tag, thing in things.items()))
