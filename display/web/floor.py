"""The floor page as words and numbers: open alerts, what can be decided, what was."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from controller.contract.events import RulingText, rulable
from controller.contract.messages import Dismissed, RulingCommand
from controller.files.settings import config_dir
from controller.library.catalogue import read_summaries
from controller.room.alerts import Happened, Made, Note, RoomAlert
from controller.room.commander import Decision, Order
from controller.room.shift import Counts, Group, Limits, PersonOnDuty, Pushes, RunningMute, Trouble
from controller.room.tables import TableSeen
from controller.room.view import RoomView

MANY_TABLES = 100
"""As many are not told again with every change: with 1,000 they would be nine tenths of it."""


class Rule(Struct, frozen=True):
    """A rule that is cited, in our words."""

    id: str
    text: str


class Advice(Struct, frozen=True):
    """What a rule book says: outcome, the book's id, the rules' ids, the steps and the rules."""

    outcome: str
    book: str
    cites: tuple[str, ...]
    steps: tuple[str, ...]
    rules: tuple[Rule, ...] = ()


class Given(Struct, frozen=True):
    """A decision that was sent to a table and what became of it; `what` is the act's name and
    `outcome` that of a ruling."""

    id: str
    table: str
    finding: str
    what: str
    outcome: str
    by: str
    status: str
    words: str


class Shelved(Struct, frozen=True):
    """Put aside by somebody, for a reason, until then."""

    until_ms: int
    by: str
    reason: str


class FloorAlert(Struct, frozen=True):
    """One alert, open or closed by a ruling that may be amended.

    `key` names it in `POST /alerts/NAME`; `table`, `session`, `hand` and `finding` go with what
    is decided about it at the table. `kind`, `state` and `action` are words of
    `controller.room.alerts`. Only a finding has `says`, `finding`, `first` and `others`.

    `at` is the room's time when it was raised. `owner` has it since `taken_ms`, or had it and
    `owner_away` went off duty. `level` is 0, 1 (everyone on duty) or 2 (the directors too),
    `why` it escalated `not-taken` `not-ruled` or `owner-away`; `escalates_ms` is when it does
    next. `calls` are the people whose page shows it as theirs and sounds; empty is everybody.
    `mine` are those in whose sections it is. `event` is that of the table, and
    empty where it is the first.

    `question`: the dealer has still to say whether it happened. `until`: what ends the time in
    which it can be ruled so. `coming`: who is on the way, "" for somebody, None for nobody.
    `ruling` is the ruling that the table has confirmed. `refused` is why the table did not take
    the last decision. `amendable`: closed, and may be ruled otherwise until the next riffle.
    `first` is the outcome that the rule book gives, "" where it is silent; `others` are what
    else may be ruled. `dismissed` by the dealer: it can only be closed then. `timeline` changes
    when there is more to be read in `/floor/timeline/KEY`. No word of it is for reading but the
    table's own: `title`, steps, rules, reasons.
    """

    key: str
    kind: str
    state: str
    action: str
    table: str
    finding: str
    session: str
    hand: int | None
    code: str
    title: str
    seats: tuple[int, ...]
    priority: int
    at: int
    owner: str
    owner_away: bool
    taken_ms: int | None
    level: int
    why: str
    escalates_ms: int | None
    calls: tuple[str, ...]
    mine: tuple[str, ...]
    shelved: Shelved | None
    shelvings_left: int
    question: bool
    says: Advice | None
    advisory: Advice | None
    until: str
    stale: bool
    coming: str | None
    ruling: Made | None
    refused: str
    amendable: bool
    how: str
    event: str
    dismissed: Dismissed | None
    first: str
    others: tuple[str, ...]
    given: tuple[Given, ...]
    timeline: int


class FloorTable(Struct, frozen=True):
    """A table, for a list of all: `live` if it is heard, `hand` under way, whose `sections`."""

    id: str
    live: bool
    hand: int | None
    session: str
    floor: str
    sections: tuple[str, ...]


class Floor(Struct, frozen=True):
    """One message to the floor page, the same for every person; `now_ms` is the room's time.

    `alerts` are open, what is shelved too: the gravest first, then the oldest, what was
    dismissed last. `ruled` are closed and may be amended until the next riffle. `given` are the
    decisions of late on what is no longer open. `people` `sections` `notes` `mutes` `groups`
    `flood` `counts` `news` `trouble` `pushes` and `limits` are those of `controller.room.shift`.
    `tables` are all that there are, None: as they were told last.
    """

    now_ms: int
    alerts: tuple[FloorAlert, ...]
    given: tuple[Given, ...]
    lost: tuple[str, ...]
    heard: bool
    banner: str
    ruled: tuple[FloorAlert, ...] = ()
    tables: tuple[FloorTable, ...] | None = ()
    people: tuple[PersonOnDuty, ...] = ()
    sections: Mapping[str, tuple[str, ...]] = {}
    notes: tuple[Note, ...] = ()
    mutes: tuple[RunningMute, ...] = ()
    groups: tuple[Group, ...] = ()
    flood: bool = False
    counts: Counts = Counts()
    news: tuple[Happened, ...] = ()
    trouble: tuple[Trouble, ...] = ()
    pushes: Pushes = Pushes()
    limits: Limits = Limits()
    faults: tuple[str, ...] = ()
    stands_by: bool = False
    language: str = "en"


def floor(room: RoomView) -> Floor:
    """What the floor page shows of a room."""
    return _floor(room, tuple(_table(room, table) for table in room.tables))


def floor_in_between(room: RoomView) -> Floor:
    """The same where it is told often: without the tables, if they are many."""
    return floor(room) if len(room.tables) < MANY_TABLES else _floor(room, None)


def _floor(room: RoomView, listed: tuple[FloorTable, ...] | None) -> Floor:
    shift, by_id = room.shift, {table.id: table for table in room.tables}
    alerts = tuple(_alert(room, each, by_id.get(each.table)) for each in shift.alerts)
    ruled = tuple(_alert(room, each, by_id.get(each.table)) for each in shift.ruled)
    shown = {given.id for alert in (*alerts, *ruled) for given in alert.given}
    return Floor(
        now_ms=room.now_ms,
        alerts=alerts,
        given=tuple(_given(each) for each in room.orders if each.command.id not in shown),
        lost=tuple(table.id for table in room.tables if not table.live),
        heard=room.heard,
        banner=room.banner,
        ruled=ruled,
        tables=listed,
        people=shift.people,
        sections=shift.sections,
        notes=shift.notes,
        mutes=shift.mutes,
        groups=shift.groups,
        flood=shift.flood,
        counts=shift.counts,
        news=shift.news,
        trouble=shift.trouble,
        pushes=shift.pushes,
        limits=shift.limits,
        faults=room.faults,
        stands_by=room.stands_by,
        language=room.language,
    )


def _table(room: RoomView, table: TableSeen) -> FloorTable:
    hand = table.hand
    return FloorTable(
        id=table.id,
        live=table.live,
        hand=None if hand is None else hand.view.hand,
        session="" if hand is None else hand.session,
        floor="" if hand is None else hand.view.floor,
        sections=tuple(name for name, ids in room.shift.sections.items() if table.id in ids),
    )


def _alert(room: RoomView, alert: RoomAlert, table: TableSeen | None) -> FloorAlert:
    shift, ruling = room.shift, alert.ruling
    first, others = rulable(ruling) if ruling is not None else ("", ())
    shelf = alert.shelf
    heard = shift.heard.get(alert.table)
    return FloorAlert(
        key=alert.key,
        kind=alert.kind,
        state=alert.state,
        action=alert.action,
        table=alert.table,
        finding=alert.finding,
        session=alert.session,
        hand=alert.hand,
        code=alert.code,
        title=alert.title,
        seats=alert.seats,
        priority=alert.priority,
        at=alert.at,
        owner=alert.owner,
        owner_away=bool(alert.owner) and alert.alone_ms is not None,
        taken_ms=alert.taken_ms,
        level=alert.level,
        why=alert.why,
        escalates_ms=shift.escalates_ms.get(alert.key),
        calls=shift.calls.get(alert.key, ()),
        mine=shift.in_sections.get(alert.key, ()),
        shelved=Shelved(shelf.until_ms, shelf.by, shelf.reason) if shelf is not None else None,
        shelvings_left=max(0, shift.limits.shelve_times - alert.shelvings),
        question=alert.basis == "unseen",
        says=_advice(ruling) if ruling is not None else None,
        advisory=_advice(ruling.advisory) if ruling is not None and ruling.advisory else None,
        until=(ruling.until or "") if ruling is not None else "",
        stale=bool(alert.table) and (table is None or not table.live),
        coming=_coming(table, room.coming.get(alert.table)) if table is not None else None,
        ruling=alert.made,
        refused=alert.refused,
        amendable=alert.amendable,
        how=alert.how,
        event=next((each.id for each in room.events if alert.table in each.tables), ""),
        dismissed=alert.dismissed,
        first=first,
        others=others,
        given=tuple(
            _given(each)
            for each in room.orders
            if alert.finding
            and each.table == alert.table
            and str(each.command.finding) == alert.finding
        ),
        timeline=heard.last if heard is not None else 0,
    )


def _coming(table: TableSeen, said: Decision | None) -> str | None:
    if table.hand is None or table.hand.view.floor != "coming":
        return None
    here = (table.hand.session, table.hand.view.hand)
    return said.actor if said is not None and (said.session, said.hand) == here else ""


def _advice(ruling: RulingText) -> Advice:
    said = read_summaries(config_dir())
    return Advice(
        outcome=ruling.outcome,
        book=ruling.rulebook,
        cites=ruling.cites,
        steps=tuple(step.text for step in ruling.steps),
        rules=tuple(Rule(cite, said[cite]) for cite in ruling.cites if cite in said),
    )


def _given(order: Order) -> Given:
    command = order.command
    return Given(
        id=command.id,
        table=order.table,
        finding="" if command.finding is None else str(command.finding),
        what=order.name,
        outcome=command.outcome if isinstance(command, RulingCommand) else "",
        by=command.actor,
        status=order.status,
        words=order.words,
    )
