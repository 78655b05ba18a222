"""What a table tells the room over MQTT (contract, section 4): events and pictures become
messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.events import Closed, Event, Finding, Ruling
from controller.messages import (
    TABLE_ALERT,
    TABLE_EVENT,
    TABLE_HAND,
    TABLE_HEALTH,
    TABLE_STATE,
    Alert,
    Hand,
    Health,
    Message,
    Presence,
    State,
    TableEvent,
)
from controller.view import TableView


class Publisher:
    """Every event with its `seq`, the latest picture, and an alert for each open finding,
    deleted when it is closed. `seq` is that of the last event of this session."""

    def __init__(
        self, site: str, table: str, *, session: str, version: str, now_ms: Callable[[], int]
    ) -> None:
        """`now_ms` is wall time in milliseconds."""
        self.seq = 0
        self.session = session
        self._site = site
        self._table = table
        self._version = version
        self._now_ms = now_ms

    def state(self, state: Presence) -> Message:
        """The table's state; `lost` is its last will."""
        payload = State(state, self.session, self._version)
        return TABLE_STATE.message(self._site, self._table, payload=payload)

    def events(self, events: Sequence[Event], view: TableView) -> list[Message]:
        """Events that led to `view`, and the alerts that they open, change or close."""
        messages: list[Message] = []
        at = self._now_ms()
        for event in events:
            self.seq += 1
            payload = TableEvent(self.session, self.seq, at, event)
            messages.append(TABLE_EVENT.message(self._site, self._table, payload=payload))
            match event:
                case Finding() | Ruling():
                    messages += self.alerts(view, event.id)
                case Closed():
                    messages.append(self.no_alert(str(event.id)))
                case _:
                    pass
        return messages

    def alerts(self, view: TableView, finding_id: int | None = None) -> list[Message]:
        """The alerts of the open findings, or of one of them."""
        at = self._now_ms()
        return [
            TABLE_ALERT.message(
                self._site,
                self._table,
                str(finding.id),
                payload=Alert(self.session, at, finding),
            )
            for finding in view.findings
            if finding_id in (None, finding.id)
        ]

    def no_alert(self, finding: str) -> Message:
        """The message that deletes an alert."""
        return TABLE_ALERT.deletion(self._site, self._table, finding)

    def picture(self, view: TableView) -> Message:
        """The picture of the table after the last event."""
        hand = Hand(self.session, self.seq, self._now_ms(), view)
        return TABLE_HAND.message(self._site, self._table, payload=hand)

    def health(
        self, *, lost_zones: tuple[str, ...], links: tuple[str, ...], backlog: int
    ) -> Message:
        """How the table is."""
        payload = Health(
            self.session, self._now_ms(), lost_zones=lost_zones, links=links, backlog=backlog
        )
        return TABLE_HEALTH.message(self._site, self._table, payload=payload)
