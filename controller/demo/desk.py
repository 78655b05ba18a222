"""The demo at the broker: it hears the table, and gives it the room's and the floor's word."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress

from controller.broker.client import Endpoint, Incoming, MqttClient
from controller.contract.events import ASIDES, Event, Prompt
from controller.contract.messages import (
    FLOOR_COMMANDS,
    ROOM_ANSWER,
    TABLE_EVENT,
    TABLE_STATE,
    MessageError,
)
from controller.room.commander import Commander, Order

POLL_S = 0.01
TRIES = 6


class NoTableError(Exception):
    """The table did not take a command; the text is one line for the user."""


class Desk:
    """Hears one table over MQTT, and commands it.

    `session` is the table's, empty before it is heard; `prompt` what it last asked the dealer
    to do, by the id of its text and with its arguments.
    """

    def __init__(
        self,
        site: str,
        table: str,
        endpoint: Endpoint,
        *,
        tell: Callable[[Event], None],
        report: Callable[[str], None],
    ) -> None:
        """`tell` gets each event of the table once; `report` a line for trouble with the broker."""
        self._site = site
        self._table = table
        self._tell = tell
        self._heard: tuple[str, int] = ("", 0)
        own = secrets.token_hex(8)
        self._client = MqttClient(endpoint, "cutcard-demo", report=report)
        self.commander = Commander(
            site,
            own,
            publish=self._client.publish,
            now_ms=lambda: time.monotonic_ns() // 1_000_000,
            new_id=lambda: secrets.token_hex(12),
            changed=lambda: None,
        )
        self.session = ""
        self.prompt: tuple[str, dict[str, object]] = ("", {})
        for topic in (TABLE_EVENT, TABLE_STATE):
            self._client.subscribe(topic.name(site, table))
        self._client.subscribe(self.commander.answers)

    @property
    def is_connected(self) -> bool:
        """Whether the broker has let us in."""
        return self._client.connected

    def start(self) -> None:
        """Begins to connect."""
        self._client.start(self._received)

    async def close(self) -> None:
        """Disconnects."""
        await self._client.close(0.3)

    def give(self, name: str, *, hand: int, **fields: object) -> Order:
        """Sends a command. Raises OrderError."""
        role = "floor" if name in FLOOR_COMMANDS else "director"
        given = {"actor": "demo", "session": self.session, "hand": hand, **fields}
        return self.commander.give(self._table, name, given, role=role)

    async def insist(self, name: str, *, hand: Callable[[], int], **fields: object) -> None:
        """Gives a command until the table has taken it. Raises NoTableError with its words."""
        order = None
        for _ in range(TRIES):
            order = self.give(name, hand=hand(), **fields)
            while order.status == "sent":
                await asyncio.sleep(POLL_S)
                self.commander.tick()
                order = self.commander.orders[order.command.id]
            if order.status == "confirmed":
                return
            await asyncio.sleep(0.3)
        raise NoTableError(f"table {self._table} does not accept '{name}': {order and order.words}")

    def _received(self, incoming: Incoming) -> None:
        with suppress(MessageError):
            if TABLE_EVENT.names(self._site, incoming.topic):
                said = TABLE_EVENT.decode(incoming.payload).value
                session, seq = self._heard
                if said.session != session or said.seq > seq:
                    self._heard = (said.session, said.seq)
                    if isinstance(said.event, Prompt) and said.event.text_id not in ASIDES:
                        self.prompt = (said.event.text_id, said.event.args)
                    self._tell(said.event)
            elif TABLE_STATE.names(self._site, incoming.topic):
                state = TABLE_STATE.decode(incoming.payload).value
                self.session = state.session if state.state == "ready" else ""
            elif ROOM_ANSWER.names(self._site, incoming.topic):
                answer = ROOM_ANSWER.decode(incoming.payload).value
                self.commander.answered(answer, incoming.correlation)
