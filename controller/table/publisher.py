"""What a table tells the room over MQTT (contract, section 4): events and pictures become
messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from controller.contract.events import Closed, Event, Finding, Phase, Ruling, Start
from controller.contract.messages import (
    TABLE_ALERT,
    TABLE_CHAIN,
    TABLE_EVENT,
    TABLE_HAND,
    TABLE_HEALTH,
    TABLE_STATE,
    Alert,
    Chain,
    Dismissed,
    Hand,
    Health,
    Message,
    Presence,
    State,
    TableEvent,
)
from controller.contract.observations import Dismiss, FloorDismiss, FloorRuling, Observation
from controller.contract.view import TableView, for_everybody
from controller.storage.chains import ChainHead
from controller.storage.journal import HeldFinding

MOST_HELD = 50
"""A room shows no more than a hundred alerts of one table."""


class Publisher:
    """Every event with its `seq`, the latest picture, and an alert for each open finding,
    deleted when it is closed. `seq` is that of the last event of this session.

    The alert of a priority 1 that a dealer dismissed is `held` until the floor closes it.
    Players' names stay at the table, unless `names`.
    """

    def __init__(
        self,
        site: str,
        table: str,
        *,
        session: str,
        version: str,
        now_ms: Callable[[], int],
        held: tuple[HeldFinding, ...] = (),
        t: Callable[[], float] | None = None,
        names: bool = False,
        journal: str | UnsetType = UNSET,
    ) -> None:
        """`now_ms` is wall time in milliseconds and `t` the table's; `held` is what was held before
        a restart. Without `names` nothing that is published has a player's name. `journal` is the
        name of the one in which hands and findings are numbered."""
        self._journal = journal
        self._names = names
        self.seq = 0
        self.held = held
        self.session = session
        self._site = site
        self._table = table
        self._version = version
        self._now_ms = now_ms
        self._t = t

    def state(self, state: Presence) -> Message:
        """The table's state; `lost` is its last will."""
        payload = State(state, self.session, self._version)
        return TABLE_STATE.message(self._site, self._table, payload=payload)

    def beat(self) -> Message:
        """That the table is there: its state for those who listen just now."""
        return msgspec.structs.replace(self.state("ready"), qos=0, retain=False)

    def events(
        self, observation: Observation, events: Sequence[Event], before: TableView, view: TableView
    ) -> list[Message]:
        """The events by which an observation led from `before` to `view`, and the alerts that
        they open, change or close."""
        messages: list[Message] = []
        at = self._now_ms()
        released = self._hold(observation, events, before)
        for event in events:
            self.seq += 1
            payload = TableEvent(
                self.session, self.seq, at, self._nameless(event), journal=self._journal
            )
            if _decides(event):
                by, reason = getattr(observation, "by", None), getattr(observation, "reason", None)
                payload = msgspec.structs.replace(payload, by=by or UNSET, reason=reason or UNSET)
            messages.append(TABLE_EVENT.message(self._site, self._table, payload=payload))
            match event:
                case Finding() | Ruling():
                    messages += self.alerts(view, event.id)
                case Closed():
                    messages += self.alerts(view, event.id) or [self.no_alert(str(event.id))]
                case _:
                    pass
        return messages + [self.no_alert(str(finding)) for finding in released]

    def _hold(
        self, observation: Observation, events: Sequence[Event], before: TableView
    ) -> list[int]:
        """Holds what the dealer has just dismissed; returns what is held no more."""
        had = [each.finding.id for each in self.held]
        match observation:
            case Dismiss():
                closed = next(
                    (e for e in events if isinstance(e, Closed) and e.id == observation.finding),
                    None,
                )
                if closed is not None and closed.how == "dismissed":
                    said = Dismissed(closed.hand, observation.by, observation.reason)
                    grave = (f for f in before.findings if f.id == closed.id and f.priority == 1)
                    self.held += tuple(HeldFinding(finding, said) for finding in grave)
                    self.held = self.held[-MOST_HELD:]
            case FloorDismiss() | FloorRuling():
                self.held = tuple(h for h in self.held if h.finding.id != observation.finding)
            case _:
                pass
        return [each for each in had if each not in {h.finding.id for h in self.held}]

    def open_findings(self, view: TableView) -> list[int]:
        """The ids of what the floor may decide: what is open, and what is held."""
        return [f.id for f in view.findings] + [h.finding.id for h in self.held]

    def alerts(self, view: TableView, finding_id: int | None = None) -> list[Message]:
        """The alerts of the open findings and of those that are held, or of one of them."""
        at = self._now_ms()
        alerts = [Alert(self.session, at, finding) for finding in view.findings]
        alerts += [Alert(self.session, at, h.finding, h.dismissed) for h in self.held]
        return [
            TABLE_ALERT.message(self._site, self._table, str(alert.finding.id), payload=alert)
            for alert in alerts
            if finding_id in (None, alert.finding.id)
        ]

    def no_alert(self, finding: str) -> Message:
        """The message that deletes an alert."""
        return TABLE_ALERT.deletion(self._site, self._table, finding)

    def picture(self, view: TableView, seq: int | None = None) -> Message:
        """The picture of the table after the last event, or after the one with this number; without
        what is for the dealer's screen only, since lookers-on read it."""
        view = for_everybody(view)
        if not self._names:
            seats = tuple(msgspec.structs.replace(seat, player=None) for seat in view.seats)
            view = msgspec.structs.replace(view, seats=seats)
        t = None if self._t is None else self._t()
        seq = self.seq if seq is None else seq
        hand = Hand(self.session, seq, self._now_ms(), view, t=t)
        return TABLE_HAND.message(self._site, self._table, payload=hand)

    def chain(self, head: ChainHead) -> Message:
        """How far the journal has come."""
        payload = Chain(
            self.session,
            self._now_ms(),
            head.chain,
            head.hand,
            head.n,
            head.link.hex(),
            head.boxes,
            head.sealed.hex() if head.boxes else None,
        )
        return TABLE_CHAIN.message(self._site, self._table, payload=payload)

    def _nameless(self, event: Event) -> Event:
        if self._names or not isinstance(event, Start):
            return event
        seats = tuple(msgspec.structs.replace(seat, player=None) for seat in event.seats)
        return msgspec.structs.replace(event, seats=seats)

    def health(self, health: Health) -> Message:
        """How the table is; it is given its `session` and `at` here."""
        payload = msgspec.structs.replace(health, session=self.session, at=self._now_ms())
        return TABLE_HEALTH.message(self._site, self._table, payload=payload)


def _decides(event: Event) -> bool:
    """Whether it may be a person's decision."""
    return isinstance(event, Ruling | Closed) or (
        isinstance(event, Phase) and event.phase == "misdeal"
    )
