"""The demo's table: cards on virtual antennas, read over a pty by `cutcard table`."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from controller.broker.client import Endpoint
from controller.contract.cards import CARDS
from controller.contract.view import FindingView, TableView
from controller.demo.deck import JOKER, PUCK, STRANGE
from controller.demo.desk import Desk
from controller.demo.phh import PlayedHand
from controller.demo.screen import UnseenScreen
from firmware_bridge.sensed import SeatButton
from firmware_bridge.virtual.table import VirtualTable

ZONES = (*(f"seat/{n}" for n in range(1, 11)), "board", "burn", "muck")
LABELS: tuple[SeatButton, ...] = ("check", "call", "bet", "raise", "fold", "all-in", "time")
BUTTONS = tuple((seat, label) for seat in range(1, 11) for label in LABELS)
SOCKET = "dealer.sock"
THINGS = (*CARDS, JOKER, STRANGE, PUCK)


class WiredFelt:
    """A felt whose cards are tags over antennas; entries go over the dealer's socket, and what
    the floor decides over MQTT.

    Implements `controller.demo.dealer.Felt`.
    """

    def __init__(
        self,
        folder: Path,
        *,
        table: str,
        rulebook: str,
        rng: random.Random,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        """`rng` makes the deck's UIDs; `clock` and `sleep` are in the table's seconds. The
        table's files and its socket are in `folder`."""
        uids = rng.sample(range(1 << 32), len(THINGS))
        self._tags = {thing: f"E0040150{uid:08X}" for thing, uid in zip(THINGS, uids, strict=True)}
        self._folder = folder
        self._table = table
        self._rulebook = rulebook
        self.virtual = VirtualTable(ZONES, BUTTONS, clock=clock, sleep=sleep)
        self.screen = UnseenScreen(folder / SOCKET, TableView(table=table, rulebook=rulebook))
        self.desk: Desk | None = None
        self.is_read = False

    def configure(self, seats: Sequence[int], site: str, endpoint: Endpoint) -> Path:
        """Writes the files that `cutcard table` reads; returns its settings' path."""
        deck = "".join(f'{self._tags[card]} = "{card}"\n' for card in (*CARDS, JOKER))
        self._write("deck.toml", deck)
        lines = [
            "[table]",
            f"id = {json.dumps(self._table)}",
            f"rulebook = {json.dumps(self._rulebook)}",
            f"seats = {sorted(seats)}",
            f"button = {seats[-1]}",
            "blinds = { small = 1, big = 2 }",
            "[[port]]",
            f"device = {json.dumps(self.virtual.port)}",
            f"zones = {json.dumps(ZONES)}",
            f"buttons = {{ seats = {list(range(1, 11))}, labels = {json.dumps(LABELS)} }}",
            "[deck]",
            'file = "deck.toml"',
            f'objects = {{ {self._tags[PUCK]} = "button" }}',
            "[broker]",
            f"host = {json.dumps(endpoint.host)}",
            f"port = {endpoint.port}",
            f"site = {json.dumps(site)}",
        ]
        if endpoint.user is not None:
            lines.append(f"user = {json.dumps(endpoint.user)}")
        if endpoint.password:
            self._write("password", endpoint.password)
            lines.append('password_file = "password"')
        lines += ["[screen]", f'socket = "{SOCKET}"']
        lines += ["[journal]", 'path = "journal.sqlite"', 'keys = "keys"']
        return self._write("table.toml", "\n".join(lines) + "\n")

    def _write(self, name: str, text: str) -> Path:
        path = self._folder / name
        path.touch(mode=0o600)
        path.write_text(text)
        return path

    async def run(self) -> None:
        """Scans and shows until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.virtual.run(), name="felt")
            group.create_task(self.screen.run(), name="screen")

    async def set_up(self, hand: PlayedHand, seats: Sequence[int]) -> None:
        """Seats the players of a hand as the room would, the first left of the button.

        Raises NoTableError.
        """
        desk = self._at_desk
        who = sorted(zip(seats, hand.stacks, strict=True))
        orders = [{"seat": seat, "status": "seated", "stack": stack} for seat, stack in who]
        small, big = hand.blinds

        def number() -> int:
            return self.view.hand

        await desk.insist("seats", hand=number, seats=orders, button=seats[-1])
        await desk.insist("level", hand=number, small=small, big=big, ante=hand.ante)

    @property
    def view(self) -> TableView:
        """The table as the dealer's screen shows it."""
        return self.screen.view

    @property
    def is_watched(self) -> bool:
        """Whether the table sees the felt and hears its dealer."""
        return self.is_read and self.screen.is_connected

    @property
    def is_behind(self) -> bool:
        """Whether the table has yet to read what was sensed or entered."""
        return self.virtual.unread > 0 or self.screen.unread > 0

    def heard(self, line: str) -> None:
        """Takes a line that the table's service says of its ports."""
        self.is_read = self.is_read or (self.virtual.port in line and " is up: " in line)

    def place(self, zone: str, card: str) -> None:
        """Lays a card onto an antenna."""
        self.virtual.place(zone, self._tags[card])

    def take(self, zone: str, card: str) -> None:
        """Lifts a card off an antenna."""
        self.virtual.take(zone, self._tags[card])

    def press(self, seat: int, button: str) -> None:
        """Presses a seat's button."""
        self.virtual.press(seat, button)

    def enter(self, **fields: Any) -> None:  # noqa: ANN401 - the fields of an observation
        """Enters something on the dealer's display, or says it as the floor. Raises OrderError."""
        if fields.get("kind") != "floor":
            self.screen.enter(**fields)
            return
        more = {k: v for k, v in fields.items() if k not in ("kind", "input", "by")}
        self._at_desk.give(str(fields["input"]), hand=self.view.hand, actor="floor", **more)

    def findings(self) -> Sequence[FindingView]:
        """What the dealer's screen shows as open."""
        return self.view.findings

    @property
    def _at_desk(self) -> Desk:
        if self.desk is None:
            raise RuntimeError("the felt has no broker yet")
        return self.desk
