"""Who did what in a room, as sentences: acts on the clock, at tables, with alerts and people."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.messages import ClockCommand, RulingCommand
from controller.people.staff_store import Done
from controller.room import alert_acts
from controller.room.acts import ActError
from controller.room.alert_acts import (
    Duty,
    FloorAct,
    HandOver,
    HandShift,
    Leave,
    OfAlert,
    Section,
    Shelve,
)
from controller.room.commander import OrderError, command_of
from display.web.clock_sentences import clock_act
from display.web.sentences import MINUTE_MS, Sentences, fields_of, sentences

OK = "ok"
_NEEDS = "needs "
_DOORS = ("wrong", "wait", "code")
_ALONE = ("login", "join", "logout", "setup", "structure-file", "players-file", "events")


class AuditLine(Struct, frozen=True):
    """A line of who did what. `at` is the wall clock's, in seconds; `refused` says why nothing came
    of it, and is empty where it was done; `role` is empty for strangers."""

    at: float
    role: str
    address: str
    text: str
    refused: str


def audit_line(
    done: Done, language: str, players: Mapping[str, Mapping[str, str]] | None = None
) -> AuditLine:
    """A line as a page shows it. `players` are the names of those who play now, of each event by
    its id; the first one's is empty."""
    say = sentences(language)
    who, refused = done.person or say("stranger"), done.result != OK
    what, event = _in_event(done.what)
    done = replace(done, what=what)
    names = (players or {}).get(event, {})
    text = _tried(say, who, done) if refused else _done(say, who, done, names)
    text = say.more(text, [say("of-event", event=event)] if event else ())
    why = _why(say, done.result) if refused else ""
    return AuditLine(done.at, say.role(done.role) if done.role else "", done.address, text, why)


def _in_event(what: str) -> tuple[str, str]:
    """What was done, and in which event beside the first, if it was in one."""
    match what.split(" ", 2):
        case ["event", event, rest]:
            return rest, event
    return what, ""


def _parts(what: str) -> tuple[str, str, str]:
    """The part of the room, the act there, and the table where there is one."""
    match what.split(" "):
        case [act] if act in _ALONE:
            return "", act, ""
        case ["floor", table, act]:
            return "floor", act, table
        case ["players" | "race", act]:  # as it is asked at the clock, and done there
            return "clock", act, ""
        case [part, act]:
            return part, act, ""
    return "", "", ""


def _kind(part: str, act: str) -> str:
    return f"{part}-{act}" if part else act


def _done(say: Sentences, who: str, done: Done, players: Mapping[str, str]) -> str:
    part, act, table = _parts(done.what)
    if not say.knows(_kind(part, act)):
        return say.general(who, "")
    fields = fields_of(done.about)
    match part:
        case "clock":
            return clock_act(say, who, act, fields, names=players)
        case "alerts":
            return _alert(say, who, act, fields)
        case "floor":
            return _floor(say, who, act, fields, table)
        case "events":
            return say.more(say("events-close", who=who), [str(fields.get("id", ""))])
        case "tables":
            return say.more(say.general(who, f"{part}-{act}"), [_table(say, fields)])
        case "people":
            return _people(say, who, act, done.about)
    return say.general(who, act)


def _tried(say: Sentences, who: str, done: Done) -> str:
    part, act, table = _parts(done.what)
    kind = _kind(part, act)
    if not say.knows(kind):
        return say.attempt(who, "")
    named = done.about if part == "people" or kind == "login" else ""
    return say.attempt(who, kind, say.place(table, None) if table else named)


def _why(say: Sentences, result: str) -> str:
    if result in _DOORS:
        return say(f"why-{result}")
    if result.startswith(_NEEDS):
        return say("why-needs", role=say.role(result.removeprefix(_NEEDS)))
    return say("why-other") if result.isdecimal() else say.refusal(result)


def _alert(say: Sentences, who: str, name: str, fields: Mapping[str, object]) -> str:
    kind = f"alerts-{name}"
    try:
        act = alert_acts.asked(name, {**fields, "actor": who})
    except ActError:
        return say.general(who, kind)
    return say.words(_alert_act(say, who, kind, act), act.reason)


def _alert_act(say: Sentences, who: str, kind: str, act: FloorAct) -> str:
    def said(more: str = "", **values: str) -> str:
        return say(f"{kind}-{more}" if more else kind, who=who, **values)

    table = say.place(act.key.partition("/")[0], None) if isinstance(act, OfAlert) else ""
    match act:
        case HandOver(to=to):
            return say.more(said("to", to=to), [table])
        case Shelve(minutes=minutes):
            return say.more(said(), [table, say.minutes(minutes * MINUTE_MS)])
        case alert_acts.Test(table=id_) if id_:
            return say.more(said(), [say.place(id_, None)])
        case Duty(on=on, person=person):
            way = "on" if on else "off"
            return said(f"{way}-other", person=person) if person not in (None, who) else said(way)
        case Section(name=name, tables=tables):
            return said("tables" if tables else "none", name=name, tables=", ".join(tables))
        case HandShift(to=to, note=note):
            return say.words(said("to", to=to), note or "")
        case Leave(text=text, to=to):
            return say.words(said("to", to=to) if to else said(), text)
    return say.more(said(), [table])


def _floor(say: Sentences, who: str, name: str, fields: Mapping[str, object], table: str) -> str:
    kind = f"floor-{name}"
    try:
        command = command_of(name, {**fields, "actor": who}, id_="-", role="floor")
    except OrderError:
        return say.more(say.general(who, kind), [say.place(table, None)])
    seat = command.seat if isinstance(command, ClockCommand) else None
    outcome = say.outcome(command.outcome) if isinstance(command, RulingCommand) else ""
    what = say.more(say.general(who, kind), [say.place(table, seat), outcome])
    return say.words(what, command.reason or "")


def _table(say: Sentences, fields: Mapping[str, object]) -> str:
    table = fields.get("table")
    return say.place(table, None) if isinstance(table, str) else ""


def _people(say: Sentences, who: str, name: str, about: str) -> str:
    kind, (person, _, more) = f"people-{name}", about.rpartition(": ")
    if name in ("add", "role") and person:
        return say(f"{kind}-role", who=who, name=person, role=say.role(more))
    if name == "tables" and person:
        if more == "all":
            return say(f"{kind}-all", who=who, name=person)
        return say(f"{kind}-some", who=who, name=person, tables=", ".join(more.split(" ")))
    return say(kind, who=who, name=about)
