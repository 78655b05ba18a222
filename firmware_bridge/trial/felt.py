"""Cards on the felt, hand after hand: who lies in whose field from when to when.

It knows the movements of a game, not its rules: cards are pitched, slide over other
antennas, are lifted and covered, folded into a heap, collected.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from firmware_bridge.trial.facts import Facts, Span

DECK = 52
PITCH = Span(0.5, 0.9)
SLIDE = Span(0.04, 0.12)
LIFT = Span(0.4, 3.0)
COVER = Span(0.5, 3.0)
STREET = Span(8.0, 25.0)
COLLECT = Span(0.5, 3.0)
SHUFFLE = Span(8.0, 15.0)
SLIDES_OVER = 0.3
LIFTED = 0.4
FOLDS = 0.7


class Stay:
    """One card in one antenna's field from `begins` to `ends`, in seconds.

    It rests there or `slides` through; the antenna `beside` reads it as well. What makes it
    hard to read: a hand upon it (`covered`), a `gap`, answers to every second poll only
    (`alternating`), an antenna that never reads it (`dead`).
    """

    __slots__ = (
        "alternating", "begins", "beside", "covered", "dead", "ends", "gap", "odd", "slides",
        "tag", "zone",
    )  # fmt: skip

    def __init__(self, tag: str, zone: str, begins: float, ends: float) -> None:
        self.tag = tag
        self.zone = zone
        self.begins = begins
        self.ends = ends
        self.beside = ""
        self.slides = self.dead = self.alternating = self.odd = False
        self.covered = self.gap = Span(0.0, 0.0)


def beside(zones: Sequence[str]) -> dict[str, list[str]]:
    """The antennas to the left and right of each, in a row of seats or of board positions."""
    places = {}
    for zone in zones:
        row, _, number = zone.partition("/")
        near = (int(number) - 1, int(number) + 1) if number else ()
        places[zone] = [f"{row}/{n}" for n in near if f"{row}/{n}" in zones]
    return places


class Felt:
    """A table with these antennas; `dice` decides what happens on it."""

    def __init__(self, zones: Sequence[str], facts: Facts, dice: random.Random) -> None:
        self._facts = facts
        self._dice = dice
        self._beside = beside(zones)
        self._zones = zones
        self._seats = [zone for zone in zones if zone.startswith("seat/")]
        board = [zone for zone in zones if zone.startswith("board")]
        self._board = [board[min(n, len(board) - 1)] for n in range(5)] if board else []
        self.deck = [f"E0040150{dice.getrandbits(32):08X}" for _ in range(DECK)]

    def hands(self) -> Iterator[list[Stay]]:
        """The stays of one hand after the other, for ever; each list in order of `begins`."""
        t = 1.0
        while True:
            stays, t = self._hand(t)
            yield sorted(stays, key=lambda stay: stay.begins)

    def _between(self, span: Span) -> float:
        return self._dice.uniform(*span)

    def _hand(self, t: float) -> tuple[list[Stay], float]:
        stays: list[Stay] = []
        stub = self._dice.sample(self.deck, DECK)
        dealt: list[tuple[str, str, float]] = []
        for seat in self._seats * 2:
            t += self._between(PITCH)
            dealt.append((stub.pop(), seat, t))
            stays += self._slide(*dealt[-1])
        streets = [t + 3.0]
        for _ in range(4):
            streets.append(streets[-1] + self._between(STREET))
        end = streets[-1]
        for seat in self._seats:
            folds = self._dice.random() < FOLDS
            leaves = (self._dice.choice(streets[1:]) - 1.0) if folds else end
            looks = self._dice.uniform(0.5, 4.0) + t
            hand = [(tag, lands) for tag, where, lands in dealt if where == seat]
            stays += self._hole_cards(seat, hand, looks, leaves)
            if "muck" in self._zones:
                clear = end + self._between(COLLECT)
                stays += [self._rest(tag, "muck", leaves + 0.4, clear) for tag, _ in hand]
        for street, places in zip(streets[1:4], ((0, 1, 2), (3,), (4,)), strict=True):
            clear = end + self._between(COLLECT)
            if "burn" in self._zones:
                stays.append(self._rest(stub.pop(), "burn", street, clear))
            for nth, place in enumerate(places):
                if self._board:
                    lands = street + 0.8 + 0.3 * nth
                    stays.append(self._rest(stub.pop(), self._board[place], lands, clear))
        return stays, end + COLLECT.most + self._between(SHUFFLE)

    def _slide(self, tag: str, seat: str, lands: float) -> list[Stay]:
        """A card that is pitched may pass through another field on its way."""
        if self._dice.random() >= SLIDES_OVER:
            return []
        over = self._dice.choice([*self._board[:1], *self._beside[seat]] or [seat])
        stay = Stay(tag, over, lands - self._between(SLIDE), lands)
        stay.slides = True
        return [] if over == seat else [stay]

    def _hole_cards(
        self, seat: str, cards: Sequence[tuple[str, float]], looks: float, leaves: float
    ) -> list[Stay]:
        """A player's two cards lie, are looked at once, and leave together."""
        dice = self._dice
        looked = Span(looks, looks + self._between(LIFT))
        lifted = dice.random() < LIFTED and looked.most < leaves
        stays = []
        for tag, lands in cards:
            dead = dice.random() < self._facts.dead
            spells = [(lands, leaves)]
            if lifted:
                spells = [(lands, looked.least), (looked.most, leaves)]
            for begins, ends in spells:
                stay = self._rest(tag, seat, begins, ends)
                stay.dead = dead
                if not lifted:
                    stay.covered = Span(looks, looks + self._between(COVER))
                stays.append(stay)
        return stays

    def _rest(self, tag: str, zone: str, begins: float, ends: float) -> Stay:
        dice, facts = self._dice, self._facts
        stay = Stay(tag, zone, begins, ends)
        stay.alternating = dice.random() < facts.alternating
        if self._beside[zone] and dice.random() < facts.at_edge:
            stay.beside = dice.choice(self._beside[zone])
        gap = begins + dice.expovariate(1 / facts.gap_every_s)
        stay.gap = Span(gap, gap + self._between(facts.gap))
        return stay
