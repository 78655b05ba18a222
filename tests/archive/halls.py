"""Tables of software at a real broker that say events and say them again when asked."""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import UNSET

from controller.archive.kept import KeptEvent
from controller.broker.client import Endpoint, Incoming, MqttClient
from controller.contract.messages import (
    TABLE_COMMAND,
    TABLE_EVENT,
    TABLE_HAND,
    Hand,
    TableEvent,
)
from controller.contract.view import TableView
from controller.table.commands import reply_with
from controller.table.resend import Resender

SITE = "demo"


class TellingTable:
    """Publishes what it is given; keeps it all, but for `gone`."""

    def __init__(self, endpoint: Endpoint, table: str) -> None:
        self.table = table
        self.kept: dict[tuple[str, int], bytes] = {}
        self.asked = 0
        self._client = MqttClient(endpoint, f"table-{table}", report=lambda _: None)
        self._resender = Resender(SITE, table, self, time.monotonic)

    def start(self) -> None:
        self._client.subscribe(TABLE_COMMAND.name(SITE, self.table, "resend"))
        self._client.start(self._received)

    def say(self, told: Sequence[KeptEvent]) -> None:
        """Publishes events; the picture after the last of them is kept by the broker."""
        for each in told:
            payload = TableEvent(
                each.session, each.seq, each.at, each.event, by=each.by or UNSET,
                reason=each.reason or UNSET,
            )  # fmt: skip
            message = TABLE_EVENT.message(SITE, self.table, payload=payload)
            self.kept[each.session, each.seq] = message.payload
            self._client.publish(message)
        last = told[-1]
        view = Hand(
            last.session, last.seq, last.at, TableView(table=self.table, rulebook="roberts")
        )
        self._client.publish(TABLE_HAND.message(SITE, self.table, payload=view))

    def between(self, session: str, first: int, last: int) -> list[bytes]:
        return [
            self.kept[session, seq] for seq in range(first, last + 1) if (session, seq) in self.kept
        ]

    def latest(self) -> list[bytes]:
        tops: dict[str, int] = {}
        for session, seq in self.kept:
            tops[session] = max(seq, tops.get(session, 0))
        return [self.kept[key] for key in tops.items()]

    def _received(self, incoming: Incoming) -> None:
        self.asked += 1
        answer, messages = self._resender.asked(incoming.payload, retained=incoming.retain)
        reply = reply_with(
            answer,
            SITE,
            response_topic=incoming.response_topic,
            correlation=incoming.correlation,
        )
        for message in (*messages, *([] if reply is None else [reply])):
            self._client.publish(message)

    async def close(self) -> None:
        await self._client.close(timeout_s=0.2)
