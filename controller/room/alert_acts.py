"""What people do with alerts and with their duty, and what becomes of it: pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.contract.messages import Actor, Identifier, Line
from controller.contract.observations import nearest
from controller.room import duty
from controller.room.acts import ActError, convert
from controller.room.alerts import FloorRecord, Happened, RoomAlert, Shelf
from controller.room.life import Noted, ended, line, returned, taken, token, with_alert
from controller.room.shift import Limits

_MINUTE_MS = 60_000
_BY_TABLE = ("finding",)

Key = Annotated[str, Meta(min_length=1, max_length=140)]
Name = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+(?![\s\S])")]
NoteText = Annotated[
    str, Meta(min_length=1, max_length=500, pattern=r"^[^\x00-\x09\x0b-\x1f\x7f]*(?![\s\S])")
]
Sections = Annotated[tuple[Name, ...], Meta(max_length=duty.MOST_SECTIONS)]
TableIds = Annotated[tuple[Identifier, ...], Meta(max_length=2_000)]


class FloorAct(Struct, frozen=True, kw_only=True):
    """What every act carries: who does it, and why if that was said."""

    actor: Actor
    reason: Line = ""


class OfAlert(FloorAct, frozen=True, kw_only=True):
    """`unshelve`, `close`: the alert of this key."""

    key: Key


class Take(OfAlert, frozen=True, kw_only=True):
    """`take`, `give-back`: with `over` also what somebody else has."""

    over: bool = False


class HandOver(OfAlert, frozen=True, kw_only=True):
    """`hand-over`: to somebody else."""

    to: Actor


class Shelve(OfAlert, frozen=True, kw_only=True):
    """`shelve`: put aside for so many minutes; it has to be said why."""

    minutes: Annotated[int, Meta(ge=1)]
    reason: Annotated[Line, Meta(min_length=1)]


class Test(FloorAct, frozen=True, kw_only=True):
    """`test`: an alert that is none, to hear whether it arrives."""

    table: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.-]{0,64}(?![\s\S])")] = ""


class Duty(FloorAct, frozen=True, kw_only=True):
    """`duty`: on or off, oneself or the `person` named; None leaves it as it is."""

    on: bool
    person: Actor | None = None
    sections: Sections | None = None
    director: bool | None = None


class Section(FloorAct, frozen=True, kw_only=True):
    """`section`: its tables; none removes it."""

    name: Name
    tables: TableIds


class HandShift(FloorAct, frozen=True, kw_only=True):
    """`shift`: sections and alerts pass to another, with a note."""

    to: Actor
    note: NoteText | None = None


class Leave(FloorAct, frozen=True, kw_only=True):
    """`note`: for `to`, or for whoever reads it first."""

    text: NoteText
    to: Annotated[str, Meta(max_length=80)] = ""


class Read(FloorAct, frozen=True, kw_only=True):
    """`read-note`."""

    id: int


def asked(name: str, fields: Mapping[str, object]) -> FloorAct:
    """What was asked, from its name and fields. Raises ActError for what there is not."""
    if name not in ALERT_ACTS:
        raise ActError(f"there is no '{name[:40]}'{nearest(name[:40], ALERT_ACTS)}")
    return convert(name, fields, ALERT_ACTS[name][0])


def perform(record: FloorRecord, name: str, act: FloorAct, now_ms: int, limits: Limits) -> Noted:
    """The record after the act `name`, and what is to be said of it; nothing where it was so
    already. Raises ActError where that can't be done now, with the reason."""
    return ALERT_ACTS[name][1](record, act, now_ms, limits)


def about(alert: RoomAlert, name: str, act: FloorAct, now_ms: int, *, to: str = "") -> Happened:
    """The line for an act on an alert."""
    return line(alert, "acted", now_ms, actor=act.actor, to=to, words=act.reason, act=name)


def _open(record: FloorRecord, key: str) -> RoomAlert:
    alert = record.alerts.get(key)
    if alert is None or alert.closed_ms is not None:
        raise ActError("that alert is closed")
    return alert


def _others(alert: RoomAlert, actor: str) -> bool:
    """Whether somebody else has it, who is still there."""
    return bool(alert.owner) and alert.owner != actor and alert.alone_ms is None


def _take(record: FloorRecord, act: Take, now_ms: int, _limits: Limits) -> Noted:
    alert = _open(record, act.key)
    if _others(alert, act.actor) and not act.over:
        raise ActError(f"{alert.owner} has it")
    if alert.owner == act.actor and alert.alone_ms is None and alert.shelf is None:
        return record, ()
    mine = taken(alert, act.actor, now_ms)
    told = about(alert, "take", act, now_ms, to=alert.owner if alert.owner != act.actor else "")
    return with_alert(record, mine), (told,)


def _give_back(record: FloorRecord, act: Take, now_ms: int, _limits: Limits) -> Noted:
    alert = _open(record, act.key)
    if not alert.owner:
        return record, ()
    if _others(alert, act.actor) and not act.over:
        raise ActError(f"{alert.owner} has it")
    free = replace(alert, owner="", taken_ms=None, alone_ms=now_ms, level=0, why="")
    return with_alert(record, free), (about(alert, "give-back", act, now_ms),)


def _hand_over(record: FloorRecord, act: HandOver, now_ms: int, _limits: Limits) -> Noted:
    alert = _open(record, act.key)
    if _others(alert, act.actor):
        raise ActError(f"{alert.owner} has it")
    if record.duty and act.to not in record.duty:
        raise ActError(f"{act.to} is not on duty")
    if alert.owner == act.to and alert.alone_ms is None:
        return record, ()
    told = about(alert, "hand-over", act, now_ms, to=act.to)
    return with_alert(record, taken(alert, act.to, now_ms)), (told,)


def _shelve(record: FloorRecord, act: Shelve, now_ms: int, limits: Limits) -> Noted:
    alert = _open(record, act.key)
    if alert.priority == 1:
        raise ActError("an alert that stops a table can't be snoozed")
    if alert.shelf is not None:
        raise ActError(f"{alert.shelf.by} has snoozed it")
    if act.minutes > limits.shelve_minutes:
        raise ActError(f"it can be snoozed for {limits.shelve_minutes} minutes at most")
    if alert.shelvings >= limits.shelve_times:
        raise ActError(f"it has been snoozed {alert.shelvings} times; deal with it now")
    shelf = Shelf(now_ms + act.minutes * _MINUTE_MS, act.actor, act.reason)
    aside = replace(alert, shelf=shelf, shelvings=alert.shelvings + 1, level=0, why="")
    return with_alert(record, aside), (about(alert, "shelve", act, now_ms),)


def _unshelve(record: FloorRecord, act: OfAlert, now_ms: int, _limits: Limits) -> Noted:
    alert = _open(record, act.key)
    if alert.shelf is None:
        raise ActError("it is not snoozed")
    return with_alert(record, returned(alert, now_ms)), (about(alert, "unshelve", act, now_ms),)


def _close(record: FloorRecord, act: OfAlert, now_ms: int, _limits: Limits) -> Noted:
    alert = _open(record, act.key)
    if alert.kind in _BY_TABLE:
        raise ActError("a finding is closed by its table: rule on it or dismiss it")
    record, told = ended(record, act.key, "seen-to", now_ms, act.actor)
    if alert.kind != "test":
        record = replace(record, settled=(*record.settled, token(alert)))
    return record, (replace(told[0], words=act.reason),)


def _test(record: FloorRecord, act: Test, now_ms: int, _limits: Limits) -> Noted:
    if any(each.kind == "test" for each in record.alerts.values()):
        raise ActError("a test is already running")
    number = record.counted + 1
    alert = RoomAlert(
        key=f"{act.table}/test-{number}",
        table=act.table,
        kind="test",
        at=now_ms,
        priority=1,
        code="test",
        by=act.actor,
    )
    told = line(alert, "raised", now_ms, actor=act.actor)
    return with_alert(replace(record, counted=number), alert), (told,)


def _plain(
    name: str, act: FloorAct, now_ms: int, *, to: str = "", words: str | None = None
) -> tuple[Happened, ...]:
    """The line for an act that is about no alert; its words are the reason, unless they are
    given."""
    said = act.reason if words is None else words
    return (Happened(at_ms=now_ms, what="acted", act=name, actor=act.actor, to=to, words=said),)


def _duty(record: FloorRecord, act: Duty, now_ms: int, _limits: Limits) -> Noted:
    person = act.person or act.actor
    if not act.on:
        return duty.signed_off(record, person, now_ms), _plain("duty-off", act, now_ms, to=person)
    after = duty.signed_on(record, person, act.sections, act.director, now_ms)
    if after == record:
        return record, ()
    words = ", ".join(after.duty[person].sections)[:200]
    return after, _plain("duty-on", act, now_ms, to=person, words=words)


def _section(record: FloorRecord, act: Section, now_ms: int, _limits: Limits) -> Noted:
    words = f"{act.name}: {', '.join(act.tables) or '-'}"[:200]
    after = duty.with_section(record, act.name, act.tables)
    return after, _plain("section", act, now_ms, words=words)


def _shift(record: FloorRecord, act: HandShift, now_ms: int, _limits: Limits) -> Noted:
    after = duty.handed_over(record, act.actor, act.to, now_ms)
    if act.note:
        after = duty.with_note(after, act.actor, act.note, act.to, now_ms)
    return after, _plain("shift", act, now_ms, to=act.to, words=act.note or "")


def _note(record: FloorRecord, act: Leave, now_ms: int, _limits: Limits) -> Noted:
    after = duty.with_note(record, act.actor, act.text, act.to, now_ms)
    return after, _plain("note", act, now_ms, to=act.to, words=act.text)


def _read(record: FloorRecord, act: Read, now_ms: int, _limits: Limits) -> Noted:
    after = duty.read(record, act.id, act.actor)
    return after, _plain("read-note", act, now_ms, words=str(act.id))


Performed = Callable[[FloorRecord, Any, int, Limits], Noted]

ALERT_ACTS: Mapping[str, tuple[type[FloorAct], Performed]] = {
    "take": (Take, _take),
    "give-back": (Take, _give_back),
    "hand-over": (HandOver, _hand_over),
    "shelve": (Shelve, _shelve),
    "unshelve": (OfAlert, _unshelve),
    "close": (OfAlert, _close),
    "test": (Test, _test),
    "duty": (Duty, _duty),
    "section": (Section, _section),
    "shift": (HandShift, _shift),
    "note": (Leave, _note),
    "read-note": (Read, _read),
}
"""Every act: its name → what it carries and what it does."""
