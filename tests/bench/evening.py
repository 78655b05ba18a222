"""An endless evening at one table: hands are dealt, played and collected, one after another."""

from __future__ import annotations

import random
from collections.abc import Iterator

from controller.contract.cards import CARDS
from controller.contract.events import Event, Finding, Start
from controller.contract.observations import (
    Award,
    DealerMisdeal,
    Dismiss,
    Gone,
    HandTabled,
    Observation,
    Press,
    Riffle,
    Seen,
    Table,
    TableBlinds,
    TableSeat,
)
from controller.rules.procedure import clockwise

SEATS = (1, 2, 4, 5, 6, 7, 8, 9, 10)
STREETS = (3, 1, 1)


class Evening:
    """Yields observations; what the engine says to each is given back in `said`.

    Half of the hands end before the flop. Every tenth lacks a burn, which the dealer dismisses;
    every fiftieth is a misdeal.
    """

    def __init__(self, seed: int) -> None:
        """`seed` shuffles the cards."""
        self.said: list[Event] = []
        self._rng = random.Random(seed)
        self._t = 0.0
        self._lying: dict[str, str] = {}

    def table(self) -> Table:
        """The table record: nine players who never run out of chips."""
        return Table(
            v=1,
            table="T1",
            rulebook="roberts",
            seats=tuple(TableSeat(seat=seat, stack=10**9) for seat in SEATS),
            button=SEATS[-1],
            blinds=TableBlinds(small=50, big=100, ante=10),
        )

    def hand(self, number: int) -> Iterator[Observation]:
        """The observations of one hand, until its cards are collected."""
        deck = self._rng.sample(CARDS, len(CARDS))
        yield Riffle(t=self._after(5.0))
        button = next(event.button for event in self.said if isinstance(event, Start))
        order = clockwise(SEATS, button)
        for seat in order * 2:
            yield self._lay(deck.pop(), f"seat/{seat}", 0.6)
        if number % 50 == 49:
            yield DealerMisdeal(kind="dealer", t=self._after(1.0))
        else:
            yield from self._play(deck, order, number)
        for card, zone in self._lying.items():
            yield Gone(self._after(0.1), zone, card)
        self._lying.clear()

    def _play(self, deck: list[str], order: list[int], number: int) -> Iterator[Observation]:
        small, big, *rest = order
        if number % 2:
            for seat in (*rest, small):
                yield Press(self._after(2.0), seat, "fold")
            return
        for seat in (*rest, small):
            yield Press(self._after(2.0), seat, "call")
        yield Press(self._after(2.0), big, "check")
        for count in STREETS:
            if number % 10 or count == 3:
                yield self._lay(deck.pop(), "burn", 2.0)
            for _ in range(count):
                yield self._lay(deck.pop(), "board", 0.7)
            for seat in order:
                yield Press(self._after(2.0), seat, "check")
                for finding in [event for event in self.said if isinstance(event, Finding)]:
                    yield Dismiss(kind="dealer", t=self._after(1.0), finding=finding.id)
        for seat in order:
            yield HandTabled(kind="dealer", t=self._after(1.0), seat=seat)
        yield Award(kind="dealer", t=self._after(3.0))

    def _lay(self, card: str, zone: str, after: float) -> Seen:
        self._lying[card] = zone
        return Seen(self._after(after), zone, card)

    def _after(self, seconds: float) -> float:
        self._t = round(self._t + seconds, 3)
        return self._t
