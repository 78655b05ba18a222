"""The demo's table: cards on virtual antennas, read over a pty by the real bridge."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from controller.cards import CARDS
from controller.demo.phh import PlayedHand
from controller.observations import Table, TableBlinds, TableSeat, decode
from controller.table.service import TableService
from controller.view import FindingView
from firmware_bridge.bridge import Bridge, Wiring
from firmware_bridge.sensed import SeatButton
from firmware_bridge.virtual.table import VirtualTable

ZONES = (*(f"seat/{n}" for n in range(1, 11)), "board", "burn", "muck")
LABELS: tuple[SeatButton, ...] = ("check", "call", "bet", "raise", "fold", "all-in", "time")
BUTTONS = tuple((seat, label) for seat in range(1, 11) for label in LABELS)
TICK_S = 0.1


class WiredFelt:
    """A felt whose cards are tags over antennas and whose entries go to the table's service.

    Implements `controller.demo.dealer.Felt`.
    """

    def __init__(
        self,
        *,
        rng: random.Random,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        """`rng` makes the deck's UIDs; `clock` and `sleep` are in the table's seconds."""
        uids = rng.sample(range(1 << 32), len(CARDS))
        self._tags = {card: f"E0040150{uid:08X}" for card, uid in zip(CARDS, uids, strict=True)}
        self._clock = clock
        self._sleep = sleep
        self._service: TableService | None = None
        self._bridge: Bridge | None = None
        self.table = VirtualTable(ZONES, BUTTONS, clock=clock, sleep=sleep)

    def bridge(self, service: TableService, notice: Callable[[str], None]) -> Bridge:
        """The bridge that reads this table into a service."""
        self._service = service
        self._bridge = Bridge(
            [Wiring(self.table.port, ZONES, BUTTONS)],
            service.observe,
            clock=self._clock,
            sleep=self._sleep,
            registered=set(self._tags.values()).__contains__,
            notice=notice,
            tick_every=TICK_S,
        )
        return self._bridge

    @property
    def is_read(self) -> bool:
        """Whether the table's link is up."""
        return self._bridge is not None and self._bridge.health().links[0].state == "up"

    def set_up(self, hand: PlayedHand, seats: Sequence[int], rulebook: str) -> None:
        """Seats the players of a hand, the first left of the button."""
        self._serving.observe(
            Table(
                v=1,
                table=self._serving.view.table,
                rulebook=rulebook,
                seats=tuple(
                    TableSeat(seat=seat, stack=stack)
                    for seat, stack in sorted(zip(seats, hand.stacks, strict=True))
                ),
                button=seats[-1],
                blinds=TableBlinds(small=hand.blinds[0], big=hand.blinds[1], ante=hand.ante),
                deck={tag: card for card, tag in self._tags.items()},
                zones=ZONES,
            )
        )

    def place(self, zone: str, card: str) -> None:
        """Lays a card onto an antenna."""
        self.table.place(zone, self._tags[card])

    def take(self, zone: str, card: str) -> None:
        """Lifts a card off an antenna."""
        self.table.take(zone, self._tags[card])

    def press(self, seat: int, button: str) -> None:
        """Presses a seat's button."""
        self.table.press(seat, button)

    def enter(self, **fields: Any) -> None:  # noqa: ANN401 - the fields of an observation
        """Enters something on the dealer's display, or as the floor."""
        t = self._serving.entry_time(self._clock())
        self._serving.observe(decode(msgspec.json.encode({"t": t, **fields})))

    def findings(self) -> Sequence[FindingView]:
        """What the dealer's screen shows as open."""
        return self._serving.view.findings

    @property
    def _serving(self) -> TableService:
        if self._service is None:
            raise RuntimeError("the felt has no bridge yet")
        return self._service
