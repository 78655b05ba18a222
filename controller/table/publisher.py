"""What a table tells the room over MQTT (contract, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.events import Closed, Event, Finding, Ruling
from controller.messages import (
    TABLE_ALERT,
    TABLE_EVENT,
    TABLE_HAND,
    TABLE_STATE,
    Alert,
    Hand,
    Message,
    Presence,
    State,
    TableEvent,
)
from controller.view import TableView


class Publisher:
    """Turns events and pictures into messages: every event with its `seq`, the latest picture,
    and an alert for each open finding, deleted when it is closed."""

    def __init__(
        self,
        site: str,
        table: str,
        *,
        session: str,
        version: str,
        publish: Callable[[Message], None],
        now_ms: Callable[[], int],
    ) -> None:
        """`publish` takes messages; `now_ms` is wall time in milliseconds."""
        self._site = site
        self._table = table
        self._session = session
        self._version = version
        self._publish = publish
        self._now_ms = now_ms
        self._seq = 0

    def state(self, state: Presence) -> Message:
        """The table's state as a message; `lost` is its last will."""
        payload = State(state, self._session, self._version)
        return TABLE_STATE.message(self._site, self._table, payload=payload)

    def say_state(self, state: Presence) -> None:
        """Publishes the table's state."""
        self._publish(self.state(state))

    def events(self, events: Sequence[Event], view: TableView) -> None:
        """Publishes events that led to `view`, and the alerts that they open, change or close."""
        at = self._now_ms()
        for event in events:
            self._seq += 1
            payload = TableEvent(self._session, self._seq, at, event)
            self._publish(TABLE_EVENT.message(self._site, self._table, payload=payload))
            match event:
                case Finding() | Ruling():
                    self._alert(event.id, view, at)
                case Closed():
                    self._publish(TABLE_ALERT.deletion(self._site, self._table, str(event.id)))
                case _:
                    pass

    def _alert(self, finding_id: int, view: TableView, at: int) -> None:
        finding = next((f for f in view.findings if f.id == finding_id), None)
        if finding is not None:
            alert = Alert(self._session, at, finding)
            self._publish(
                TABLE_ALERT.message(self._site, self._table, str(finding_id), payload=alert)
            )

    def picture(self, view: TableView) -> None:
        """Publishes the picture of the table."""
        hand = Hand(self._session, self._seq, self._now_ms(), view)
        self._publish(TABLE_HAND.message(self._site, self._table, payload=hand))
