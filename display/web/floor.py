"""The floor page as words and numbers: open alerts, what can be decided, what was."""

from __future__ import annotations

from msgspec import Struct

from controller.events import OUTCOMES, RulingText
from controller.messages import Alert, Command, Dismissed, RulingCommand
from controller.room.commander import Decision, Order
from controller.room.tables import TableSeen
from controller.room.view import RoomView

BOOKS = {
    "homepokertourney": "House rules",
    "uk-tda": "UK TDA",
    "roberts": "Robert's Rules",
    "nl-2010": "NL 2010",
    "tda-2009": "TDA 2009",
}
UNTIL = {
    "action": "someone acts",
    "next-street": "the next street",
    "turn": "the turn",
    "award": "the pot is awarded",
}


class Advice(Struct, frozen=True):
    """What a rule book says: outcome, who says so with the rules' ids, and the steps."""

    outcome: str
    words: str
    source: str
    steps: tuple[str, ...]


class Choice(Struct, frozen=True):
    """An outcome that can be ruled, as it is sent and as it is read."""

    outcome: str
    words: str


class Given(Struct, frozen=True):
    """A decision that was sent to a table and what became of it."""

    id: str
    table: str
    finding: str
    what: str
    status: str
    words: str


class FloorAlert(Struct, frozen=True):
    """One finding that is open or that the dealer dismissed.

    `session` and `hand` go back with what is decided about it.

    `question`: the dealer has still to say whether it happened. `coming`: who is on the way,
    "" for somebody, None for nobody. `ruled` is the ruling that was made here and by whom.
    `first` is the answer that the rule book gives; `others` are what else may be ruled.
    `dismissed` says in words that the dealer did so; it can only be closed then.
    """

    table: str
    finding: str
    session: str
    hand: int | None
    title: str
    where: str
    priority: int
    at: int
    question: bool
    says: Advice
    advisory: Advice | None
    until: str
    stale: bool
    coming: str | None
    ruled: str
    dismissed: str
    first: Choice | None
    others: tuple[Choice, ...]
    given: tuple[Given, ...]


class Floor(Struct, frozen=True):
    """One message to the floor page; `now_ms` is the room's time.

    `given` are the decisions of late on what is no longer open.
    """

    now_ms: int
    alerts: tuple[FloorAlert, ...]
    given: tuple[Given, ...]
    lost: tuple[str, ...]
    heard: bool
    banner: str


def floor(room: RoomView) -> Floor:
    """What the floor page shows of a room: the gravest alert first, then the oldest."""
    by_id = {table.id: table for table in room.tables}
    alerts = tuple(
        _alert(room, by_id[each.table], each.finding, by_id[each.table].alerts[each.finding])
        for each in room.alerts
    )
    shown = {given.id for alert in alerts for given in alert.given}
    return Floor(
        now_ms=room.now_ms,
        alerts=alerts,
        given=tuple(_given(each) for each in room.orders if each.command.id not in shown),
        lost=tuple(table.id for table in room.tables if not table.live),
        heard=room.heard,
        banner=room.banner,
    )


def words(outcome: str) -> str:
    """An outcome as it is read: `redeal flop`."""
    return outcome.replace("-", " ")


def _alert(room: RoomView, table: TableSeen, number: str, alert: Alert) -> FloorAlert:
    finding = alert.finding
    ruling = finding.ruling
    first = _first(ruling)
    ruled = room.ruled.get((table.id, number))
    if ruled is not None and ruled.session != alert.session:
        ruled = None
    return FloorAlert(
        table=table.id,
        finding=number,
        session=alert.session,
        hand=_hand(table, alert),
        title=finding.title,
        where=_where(finding.seats),
        priority=finding.priority,
        at=alert.at,
        question=finding.basis == "unseen",
        says=_advice(ruling),
        advisory=_advice(ruling.advisory) if ruling.advisory else None,
        until=UNTIL.get(ruling.until, words(ruling.until)) if ruling.until else "",
        stale=not table.live,
        coming=_coming(table, room.coming.get(table.id)),
        dismissed=_dismissed(alert.dismissed) if alert.dismissed else "",
        ruled=f"{words(ruled.outcome)}, by {ruled.actor}" if ruled else "",
        first=first,
        others=tuple(
            Choice(outcome, words(outcome))
            for outcome in OUTCOMES
            if outcome not in ("floor", "misdeal") and (first is None or outcome != first.outcome)
        ),
        given=tuple(
            _given(each)
            for each in room.orders
            if each.table == table.id and str(each.command.finding) == number
        ),
    )


def _dismissed(said: Dismissed) -> str:
    who = f"the dealer, {said.by}," if said.by else "the dealer"
    return f"Dismissed by {who} in hand {said.hand}{f': {said.reason}' if said.reason else ''}"


def _hand(table: TableSeen, alert: Alert) -> int | None:
    """The hand that is under way, if what is known of it is of the alert's session."""
    if table.hand is None or table.hand.session != alert.session:
        return None
    return table.hand.view.hand


def _coming(table: TableSeen, said: Decision | None) -> str | None:
    if table.hand is None or table.hand.view.floor != "coming":
        return None
    here = (table.hand.session, table.hand.view.hand)
    return said.actor if said is not None and (said.session, said.hand) == here else ""


def _first(ruling: RulingText) -> Choice | None:
    """The answer of the book; where it is silent, what the book that advises would say."""
    given = ruling.advisory if ruling.outcome == "floor" else ruling
    if given is None or given.outcome == "floor":
        return None
    return Choice(given.outcome, words(given.outcome))


def _advice(ruling: RulingText) -> Advice:
    book = BOOKS.get(ruling.rulebook, ruling.rulebook)
    return Advice(
        outcome=ruling.outcome,
        words="floor decides" if ruling.outcome == "floor" else words(ruling.outcome),
        source=f"{book}: {', '.join(ruling.cites)}" if ruling.cites else book,
        steps=tuple(step.text for step in ruling.steps),
    )


def _where(seats: tuple[int, ...]) -> str:
    if not seats:
        return ""
    listed = ", ".join(str(seat) for seat in seats)
    return f"Seat {listed}" if len(seats) == 1 else f"Seats {listed}"


def _given(order: Order) -> Given:
    command = order.command
    return Given(
        id=command.id,
        table=order.table,
        finding="" if command.finding is None else str(command.finding),
        what=f"{_what(order.name, command)}, by {command.actor}",
        status=order.status,
        words=order.words,
    )


def _what(name: str, command: Command) -> str:
    if isinstance(command, RulingCommand):
        return f"Rule: {words(command.outcome)}"
    return words(name).capitalize()
