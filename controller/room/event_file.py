"""An event as a file: all of it, or what a template keeps of it. Pure.

The file is JSON with the record of the event as the room keeps it, and a version. A clock that ran
when the file was made stands in it, with what was left then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.contract.messages import EventId, Line
from controller.contract.misfit import misfit
from controller.room import editing
from controller.room.acts import ActError
from controller.room.clock import at_start, standing
from controller.room.editing import LONGEST_MS, EditError
from controller.room.record import Record, check_own
from controller.room.register import MAX_PLAYERS, MAX_TABLES, Register
from controller.room.tournament import Tournament

KIND: Literal["cutcard event"] = "cutcard event"
VERSION = 1
MAX_FILE = 8 * 1024 * 1024
"""5,000 players with long names, and all that was given and bought."""


class EventFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`name` is how people called it, and `wall_ms` the wall clock's time when it was made."""

    kind: Literal["cutcard event"] = KIND
    v: int = VERSION
    name: Line = ""
    wall_ms: int = 0
    record: Record


class Import(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new event: from nothing, of a `file`, or `like` another one of this room, by its id. Whole,
    or, where it is like another one, always as a `template`: what was set of it, and nobody has
    entered."""

    id: EventId
    name: Line = ""
    file: EventFile | None = None
    like: str | None = None
    template: bool = False


def written(record: Record, name: str, *, now_ms: int, wall_ms: int) -> bytes:
    """The file of an event as it is now."""
    stands = replace(record, clock=standing(record.clock, now_ms), together=None, closed=())
    made = EventFile(name=name, wall_ms=wall_ms, record=stands)
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


def read(content: bytes) -> EventFile:
    """What such a file has in it. Raises ActError, with what is wrong with it."""
    try:
        return _read(msgspec.json.decode(content))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ActError("this is no file of an event: it is not JSON") from None


def asked(fields: Mapping[str, object]) -> Import:
    """What is asked for, from its fields. Raises ActError."""
    given = dict(fields)
    file = given.pop("file", None)
    try:
        found = msgspec.convert(given, Import)
    except msgspec.ValidationError as error:
        if "`$.id`" in str(error):
            raise ActError(
                "an event's id is of small letters, digits and '-', 32 at most"
            ) from None
        raise ActError(f"new event: {misfit(error, Import).words[:200]}") from None
    return found if file is None else replace(found, file=_read(file))


def _read(value: Any) -> EventFile:  # noqa: ANN401 - whatever a file has in it
    if not isinstance(value, dict) or value.get("kind") != KIND:
        raise ActError("this is no file of an event")
    version = value.get("v")
    if isinstance(version, int) and version > VERSION:
        raise ActError(f"a newer version of cutcard has written this file (version {version})")
    try:
        file = msgspec.convert(value, EventFile)
    except msgspec.ValidationError as error:
        raise ActError(f"the file can't be used: {misfit(error, EventFile).words[:200]}") from None
    _check(file.record)
    return file


def _check(record: Record) -> None:
    """Raises ActError for what is of the right kind and can't be so."""
    clock, register = record.clock, record.register
    try:
        editing.check(clock.structure)
    except EditError as error:
        raise ActError(f"the file can't be used: {error}") from None
    if not 0 <= clock.index < len(clock.structure.entries):
        raise ActError("the file can't be used: its clock is at a level that there is not")
    left_ms = clock.remaining_ms
    if clock.deadline_ms is not None or left_ms is None or not 0 <= left_ms <= LONGEST_MS:
        raise ActError("the file can't be used: its clock does not stand")
    names = [each.table for each in register.tables]
    if len(set(names)) < len(names):
        raise ActError("the file can't be used: a table is in it twice")
    if len(names) > MAX_TABLES or len(register.players) > MAX_PLAYERS:
        raise ActError("the file can't be used: it has too many tables or players")
    if len(register.by_id) < len(register.players):
        raise ActError("the file can't be used: a player is in it twice")
    for at in register.by_seat:
        if at.seat > register.seats_of.get(at.table, 0):
            raise ActError(
                f"the file can't be used: there is no seat {at.seat} at table {at.table}"
            )
    seats = [each.at for each in register.players if each.at is not None]
    if len(set(seats)) < len(seats):
        raise ActError("the file can't be used: two players have one seat")


def as_new(
    asked: Import, source: EventFile | None, begin: Record, others: Mapping[str, str]
) -> tuple[Record, tuple[str, ...]]:
    """The record of a new event, and which tables of a template it has not, since `others` have
    them. It begins with `begin` where there is no `source`. Raises ActError where a whole file has
    a table of another event."""
    left_out: tuple[str, ...] = ()
    if source is None:
        record = begin
    elif asked.template or asked.like is not None:
        record, left_out = _template(source.record, begin, others)
    else:
        check_own(source.record.register, others)
        old = source.record
        record = replace(old, lineage=begin.lineage, together=None, closed=())
    name = asked.name or (source.name if source is not None else "") or asked.id
    named = replace(record.tournament, name=name)
    return replace(record, tournament=named, configured=record.clock), left_out


def _template(
    of: Record, begin: Record, others: Mapping[str, str]
) -> tuple[Record, tuple[str, ...]]:
    """What was set of an event: its structure and tables, its prices and offers, its prizes as they
    were typed."""
    clock, register, told = of.clock, of.register, of.tournament
    free = tuple(each for each in register.tables if each.table not in others)
    left_out = tuple(each.table for each in register.tables if each.table in others)
    return (
        replace(
            begin,
            clock=at_start(
                clock.structure,
                hold_for_hands=clock.hold_for_hands,
                pause_on_dispute=clock.pause_on_dispute,
            ),
            tournament=Tournament(prizes=told.prizes, starting_stack=told.starting_stack),
            register=Register(
                tables=free,
                late_until=register.late_until,
                offers={what: replace(o, over=False) for what, o in register.offers.items()},
                gap=register.gap,
                halt=register.halt,
            ),
            money=replace(begin.money, prices=of.money.prices, split=of.money.split),
        ),
        left_out,
    )
