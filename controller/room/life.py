"""What becomes of an alert: raised by a table, changed, decided, closed. Pure.

Every function returns the record after it and the lines for the history.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller.contract.messages import RulingCommand
from controller.room.alerts import FloorRecord, Happened, Made, RoomAlert, What
from controller.room.commander import Order

MAX_OPEN = 5_000
TEST_MS = 120_000
Noted = tuple[FloorRecord, tuple[Happened, ...]]

_SAID = (
    "code",
    "title",
    "priority",
    "session",
    "hand",
    "seats",
    "by",
    "basis",
    "ruling",
    "dismissed",
)
"""The fields that a table says; the others are the room's."""


def line(
    alert: RoomAlert,
    what: What,
    now_ms: int,
    *,
    actor: str = "",
    to: str = "",
    words: str = "",
    act: str = "",
) -> Happened:
    """A line of the history about an alert."""
    return Happened(
        at_ms=now_ms,
        what=what,
        key=alert.key,
        table=alert.table,
        code=alert.code,
        title=alert.title,
        priority=alert.priority,
        age_ms=max(0, now_ms - alert.at),
        actor=actor,
        to=to,
        words=words,
        act=act,
    )


def with_alert(record: FloorRecord, alert: RoomAlert) -> FloorRecord:
    """The record with this one in the place of the one of the same key."""
    return replace(record, alerts={**record.alerts, alert.key: alert})


def without(record: FloorRecord, key: str) -> FloorRecord:
    """The record without that alert."""
    left = {each: alert for each, alert in record.alerts.items() if each != key}
    return replace(record, alerts=left)


def token(alert: RoomAlert) -> str:
    """What is remembered of an alert that somebody has seen to: others of its key are new."""
    return f"{alert.key} {alert.title}".strip()


def said(record: FloorRecord, seed: RoomAlert, now_ms: int) -> Noted:
    """A table says that there is this: it is raised, or goes on as what it has become."""
    known = record.alerts.get(seed.key)
    if token(seed) in record.settled:
        return record, ()
    if known is None or known.closed_ms is not None:
        if len(record.alerts) >= MAX_OPEN and seed.priority > 1:
            return record, ()
        return with_alert(record, seed), (line(seed, "raised", now_ms),)
    if known.code != seed.code:
        after, closed = ended(record, seed.key, "gone", now_ms)
        again, raised = said(after, seed, now_ms)
        return again, (*closed, *raised)
    after_it = replace(known, **{name: getattr(seed, name) for name in _SAID})
    if after_it == known:
        return record, ()
    told: tuple[Happened, ...] = ()
    if after_it.dismissed is not None and known.dismissed is None:
        by, why = after_it.dismissed.by or "", after_it.dismissed.reason or ""
        told = (line(after_it, "dismissed", now_ms, actor=by, words=why),)
    elif after_it.priority < known.priority:
        told = (line(after_it, "changed", now_ms),)
        if after_it.priority == 1 and after_it.shelf is not None:
            after_it = returned(after_it, now_ms)
    return with_alert(record, after_it), told


def ruled_there(record: FloorRecord, key: str, outcome: str, now_ms: int) -> FloorRecord:
    """A table has closed it by this ruling; who made it is said by the answer, if this room
    asked for it."""
    alert = record.alerts.get(key)
    if alert is None or not outcome:
        return record
    if alert.made is not None and alert.made.outcome == outcome:
        return record
    return with_alert(record, replace(alert, made=Made(outcome, "", now_ms)))


def ended(record: FloorRecord, key: str, how: str, now_ms: int, actor: str = "") -> Noted:
    """An alert is closed: it goes, but for one that was ruled on, which may be amended."""
    alert = record.alerts.get(key)
    if alert is None or alert.closed_ms is not None:
        return record, ()
    who = actor or (alert.made.by if alert.made is not None else "")
    words = alert.made.outcome if alert.made is not None and how == "ruled" else ""
    told = (line(alert, "closed", now_ms, actor=who, to=alert.owner, words=words, act=how),)
    if alert.kind == "finding" and how == "ruled":
        kept = replace(alert, closed_ms=now_ms, how=how, amendable=True, shelf=None)
        return with_alert(record, kept), told
    return without(record, key), told


def riffled(record: FloorRecord, table: str, hand: int) -> FloorRecord:
    """A table is at this hand: rulings of hands before it stand."""
    over = [
        key
        for key, each in record.alerts.items()
        if each.table == table and each.amendable and each.hand != hand
    ]
    for key in over:
        record = without(record, key)
    return record


def decided(record: FloorRecord, order: Order, now_ms: int) -> Noted:
    """A table has answered a decision on a finding, or has not."""
    alert = record.alerts.get(f"{order.table}/{order.command.finding}")
    command = order.command
    if alert is None or command.finding is None:
        return record, (_table_line(order, now_ms),)
    told = line(
        alert, _WORDS[order.status], now_ms, actor=command.actor, act=order.name, words=order.words
    )
    if order.status != "confirmed":
        return with_alert(record, replace(alert, refused=order.words)), (told,)
    alert = replace(alert, refused="")
    outcome = command.outcome if isinstance(command, RulingCommand) else order.name
    if outcome == "misdeal" or isinstance(command, RulingCommand):
        told = replace(told, words=outcome)
        alert = replace(alert, made=Made(outcome, command.actor, now_ms))
    if not alert.owner:
        alert = replace(alert, owner=command.actor, taken_ms=now_ms, alone_ms=None)
    return with_alert(record, replace(alert, shelf=None, level=0, why="")), (told,)


def coming(record: FloorRecord, table: str, actor: str, now_ms: int) -> Noted:
    """A table has heard that somebody comes: what nobody has there is theirs."""
    told = []
    for alert in list(record.alerts.values()):
        if alert.table == table and alert.state == "new" and alert.priority < 3:
            record = with_alert(record, taken(alert, actor, now_ms))
            told.append(line(alert, "acted", now_ms, actor=actor, act="take"))
    return record, tuple(told)


def taken(alert: RoomAlert, owner: str, now_ms: int) -> RoomAlert:
    """The alert with this owner."""
    return replace(alert, owner=owner, taken_ms=now_ms, alone_ms=None, shelf=None, level=0, why="")


def passed(record: FloorRecord, now_ms: int) -> Noted:
    """Time passed: what was shelved comes back, a test is over."""
    told: tuple[Happened, ...] = ()
    for alert in record.alerts.values():
        if alert.shelf is not None and alert.shelf.until_ms <= now_ms:
            back = returned(alert, now_ms)
            record = with_alert(record, back)
            told += (line(back, "returned", now_ms),)
        if alert.kind == "test" and now_ms - alert.at >= TEST_MS:
            record, closed = ended(record, alert.key, "over", now_ms)
            told += closed
    return record, told


def returned(alert: RoomAlert, now_ms: int) -> RoomAlert:
    """The alert back from its shelf: nobody's time with it begins anew."""
    if alert.owner and alert.alone_ms is None:
        return replace(alert, shelf=None, taken_ms=now_ms)
    return replace(alert, shelf=None, alone_ms=now_ms)


_WORDS: dict[str, What] = {
    "confirmed": "confirmed",
    "refused": "refused",
    "unanswered": "unanswered",
}


def _table_line(order: Order, now_ms: int) -> Happened:
    return Happened(
        at_ms=now_ms,
        what=_WORDS[order.status],
        act=order.name,
        table=order.table,
        actor=order.command.actor,
        words=order.words,
    )
