"""Who is on duty and whose tables are whose: signing on and off, sections, handing over. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from controller.room.acts import ActError
from controller.room.alerts import FloorRecord, Note, OnDuty
from controller.room.life import taken, with_alert

MOST_PEOPLE = 100
MOST_SECTIONS = 100
MOST_NOTES = 50


def configured(record: FloorRecord, sections: Mapping[str, tuple[str, ...]]) -> FloorRecord:
    """The record under settings that may be others now: sections that were changed since stay,
    unless the settings were changed as well."""
    if dict(record.configured) == dict(sections):
        return record
    return replace(record, sections=dict(sections), configured=dict(sections))


def signed_on(
    record: FloorRecord,
    name: str,
    sections: tuple[str, ...] | None,
    director: bool | None,
    now_ms: int,
) -> FloorRecord:
    """Somebody is on duty, or is so with other sections; what they had is theirs again."""
    before = record.duty.get(name)
    if before is None and len(record.duty) >= MOST_PEOPLE:
        raise ActError(f"there are already {MOST_PEOPLE} people on duty")
    if sections is None:
        own = (name,) if name in record.sections else ()
        sections = before.sections if before is not None else own
    for each in sections:
        if each not in record.sections:
            raise ActError(f"there is no section '{each[:40]}'")
    if director is None:
        director = before.director if before is not None else False
    here = OnDuty(name, now_ms if before is None else before.since_ms, sections, director)
    record = replace(record, duty={**record.duty, name: here})
    for alert in list(record.alerts.values()):
        if alert.owner == name and alert.alone_ms is not None:
            back = replace(alert, alone_ms=None, taken_ms=now_ms, level=0, why="")
            record = with_alert(record, back)
    return record


def signed_off(record: FloorRecord, name: str, now_ms: int) -> FloorRecord:
    """Somebody goes: what they have shows their name and calls the others."""
    if name not in record.duty:
        raise ActError(f"{name} is not on duty")
    left = {each: one for each, one in record.duty.items() if each != name}
    record = replace(record, duty=left)
    for alert in list(record.alerts.values()):
        if alert.owner == name and alert.closed_ms is None and alert.alone_ms is None:
            record = with_alert(record, replace(alert, alone_ms=now_ms))
    return record


def with_section(record: FloorRecord, name: str, tables: Iterable[str]) -> FloorRecord:
    """The tables of a section; without any there is no such section."""
    listed = tuple(dict.fromkeys(tables))
    sections = {each: ids for each, ids in record.sections.items() if each != name}
    if listed:
        if len(sections) >= MOST_SECTIONS:
            raise ActError(f"there are already {MOST_SECTIONS} sections")
        return replace(record, sections={**record.sections, name: listed})
    if name not in record.sections:
        raise ActError(f"there is no section '{name[:40]}'")
    duty = {
        who: replace(one, sections=tuple(each for each in one.sections if each != name))
        for who, one in record.duty.items()
    }
    return replace(record, sections=sections, duty=duty)


def handed_over(record: FloorRecord, name: str, to: str, now_ms: int) -> FloorRecord:
    """One goes and another comes: sections and open alerts pass on."""
    gone = record.duty.get(name)
    if gone is None:
        raise ActError(f"{name} is not on duty")
    if to == name:
        raise ActError("that is the same person")
    here = record.duty.get(to)
    sections = gone.sections
    if here is not None:
        both = tuple(dict.fromkeys((*here.sections, *gone.sections)))
        sections = both if here.sections and gone.sections else ()
    record = signed_on(record, to, sections, None, now_ms)
    left = {each: one for each, one in record.duty.items() if each != name}
    record = replace(record, duty=left)
    for alert in list(record.alerts.values()):
        if alert.owner == name and alert.closed_ms is None:
            passed = taken(alert, to, now_ms)
            record = with_alert(record, replace(passed, shelf=alert.shelf))
    return record


def with_note(record: FloorRecord, by: str, text: str, to: str, now_ms: int) -> FloorRecord:
    """One more note, until it is read."""
    if len(record.notes) >= MOST_NOTES:
        raise ActError(f"there are already {MOST_NOTES} notes; read some first")
    number = record.counted + 1
    note = Note(number, by, now_ms, text, to)
    return replace(record, notes=(*record.notes, note), counted=number)


def read(record: FloorRecord, number: int, by: str) -> FloorRecord:
    """A note was read by whom it is for."""
    note = next((each for each in record.notes if each.id == number), None)
    if note is None:
        raise ActError("that note has already been read")
    if note.to not in ("", by):
        raise ActError(f"that note is for {note.to}")
    return replace(record, notes=tuple(each for each in record.notes if each is not note))
