"""A felt without wires: what the demo's dealer does goes straight into an engine."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from controller.contract.cards import CARDS
from controller.contract.events import Event
from controller.contract.observations import Observation, Tick, decode
from controller.contract.picture import Picture
from controller.contract.view import FindingView
from controller.demo.dealer import Dealer
from controller.demo.deck import JOKER, PUCK, twin
from controller.demo.phh import PlayedHand, read_hand
from controller.engine.engine import Engine
from controller.library.books import Library

HANDS = Path(__file__).resolve().parents[2] / "config" / "hands"


class EngineFelt:
    """Implements `controller.demo.dealer.Felt`; keeps the log and the events."""

    def __init__(self, library: Library, rulebook: str) -> None:
        self.t = 0.0
        self.engine = Engine(library.book)
        self.picture = Picture("T1", rulebook, library.texts)
        self.log: list[Observation] = []
        self.events: list[Event] = []

    def set_up(self, hand: PlayedHand, seats: Sequence[int]) -> None:
        """The players of a hand sit down, the last of them on the button."""
        self.enter(
            kind="table",
            v=1,
            table="T1",
            rulebook=self.picture.view.rulebook,
            button=seats[-1],
            seats=[{"seat": s, "stack": c} for s, c in zip(seats, hand.stacks, strict=True)],
            blinds={"small": hand.blinds[0], "big": hand.blinds[1], "ante": hand.ante},
            deck={card: card for card in (*CARDS, JOKER)} | {twin(card): card for card in CARDS},
            objects={PUCK: "button"},
        )

    def enter(self, **fields: Any) -> None:  # noqa: ANN401
        self._observe(decode(msgspec.json.encode({"t": round(self.t, 3), **fields})))

    def _observe(self, observation: Observation) -> None:
        self.log.append(observation)
        events = self.engine.observe(observation)
        if events:
            self.events += events
            self.picture.take(events)

    def place(self, zone: str, card: str) -> None:
        self.enter(kind="seen", zone=zone, tag=card)

    def take(self, zone: str, card: str) -> None:
        self.enter(kind="gone", zone=zone, tag=card)

    def press(self, seat: int, button: str) -> None:
        self.enter(kind="press", seat=seat, button=button)

    def findings(self) -> Sequence[FindingView]:
        return self.picture.view.findings

    async def pause(self, seconds: float) -> None:
        """What has a moment becomes certain at that moment, however seldom the clock ticks."""
        self.t += seconds
        self._observe(Tick(round(self.t, 3)))  # nearly all of them: not by way of JSON


def seat_players(hand: PlayedHand, rng: random.Random) -> list[int]:
    """Seats for the players of a hand, the first left of the button."""
    seats = sorted(rng.sample(range(1, 11), len(hand.stacks)))
    turn = rng.randrange(len(seats))
    return seats[turn:] + seats[:turn]


def deal(
    library: Library,
    rulebook: str,
    name: str,
    error: str | None = None,
    *,
    seed: int = 0,
    instead: Mapping[str, Sequence[str]] | None = None,
) -> EngineFelt:
    """Deals one played hand with an error at most, and carries out its remedy, with other
    steps `instead` of some."""
    rng = random.Random(seed)
    hand = read_hand(HANDS / f"{name}.phh", rng)
    felt = EngineFelt(library, rulebook)
    seats = seat_players(hand, rng)
    felt.set_up(hand, seats)
    asyncio.run(Dealer(felt, felt.pause, rng).deal_hand(hand, seats, error, instead))
    return felt
