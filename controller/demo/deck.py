"""The dealer's hands: a deck, and where its cards lie."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from controller.contract.cards import CARDS
from controller.contract.view import FindingView

JOKER = "X1"
STRANGE = "strange"
"""A card of another deck."""
PUCK = "puck"


def twin(card: str) -> str:
    """A second card of the same rank and suit."""
    return f"{card}'"


Pause = Callable[[float], Awaitable[None]]
"""Waits for so many seconds of the table's time."""


class Felt(Protocol):
    """The table as hands can touch it. Cards are named by their codes, and there are `STRANGE`,
    `twin` cards and the `PUCK`; what the sensors make of them is the table's affair."""

    def place(self, zone: str, card: str) -> None:
        """A card is laid into a zone."""

    def take(self, zone: str, card: str) -> None:
        """A card is lifted from a zone."""

    def press(self, seat: int, button: str) -> None:
        """A player presses a seat button."""

    def enter(self, **fields: Any) -> None:  # noqa: ANN401 - the fields of an observation
        """Something is entered on the dealer's display, or by the floor; into a log, anything."""

    def findings(self) -> Sequence[FindingView]:
        """What the dealer's screen shows as open."""


class Deck:
    """A stub in its order and the cards that have left it; `board` in the order of arrival.

    `aside` lies face up beside the stub, `faulty` are the cards with which something is wrong.
    """

    def __init__(self, felt: Felt, pause: Pause, rng: random.Random, cards: Sequence[str]) -> None:
        """`cards` are the stub, its top first; `rng` decides on paces and shuffles."""
        self.stub = list(cards)
        self.board: list[str] = []
        self.aside: list[str] = []
        self.faulty: list[str] = []
        self._felt = felt
        self._pause = pause
        self._rng = rng
        self._where: dict[str, str] = {}

    async def pace(self, seconds: float) -> None:
        """Takes about so long."""
        await self._pause(seconds * self._rng.uniform(0.85, 1.15))

    def lay(self, zone: str, card: str) -> None:
        """Lays a card into a zone."""
        self._where[card] = zone
        self._felt.place(zone, card)

    def lift(self, card: str) -> str:
        """Takes a card from where it lies; returns the zone."""
        zone = self._where.pop(card)
        self._felt.take(zone, card)
        return zone

    def at(self, zone: str) -> list[str]:
        """The cards in a zone."""
        return [card for card, where in self._where.items() if where == zone]

    async def pitch(self, seats: Sequence[int]) -> None:
        """Deals a card to each of these seats in turn."""
        for seat in seats:
            self.lay(f"seat/{seat}", self.stub.pop(0))
            await self.pace(0.55)

    async def move(self, card: str, zone: str) -> None:
        """Takes a card from where it lies to another zone."""
        self.lift(card)
        await self.pace(0.5)
        self.lay(zone, card)

    async def burn(self) -> None:
        """Burns the top card."""
        self.lay("burn", self.stub.pop(0))
        await self.pace(0.7)

    async def turn_up(self, count: int) -> None:
        """Turns up the next cards on the board."""
        for _ in range(count):
            card = self.stub.pop(0)
            self.board.append(card)
            self.lay("board", card)
            await self.pace(0.15 if count > 1 else 0.3)

    async def off_board(self, card: str) -> None:
        """Takes a card off the board."""
        self.board.remove(card)
        self.lift(card)
        await self.pace(0.3)

    async def back_to_stub(self, cards: Sequence[str]) -> None:
        """Takes cards off the board and puts them under the stub."""
        for card in list(cards):
            await self.off_board(card)
            self.stub.append(card)

    async def shuffle(self) -> None:
        """Shuffles the stub."""
        self._rng.shuffle(self.stub)
        await self.pace(3.0)

    async def collect(self) -> None:
        """Takes everything back into the stub; what is no card of the deck stays out."""
        for card in self._rng.sample(sorted(self._where), len(self._where)):
            self.lift(card)
            self.stub.append(card)
            await self.pace(0.06)
        self.stub = [card for card in (*self.stub, *self.aside) if card in CARDS]
        self.board, self.aside, self.faulty = [], [], []
