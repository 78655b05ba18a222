"""Counting the cards of who acts: a hand without two cards is dead.

While anybody has a card that was not read, a card too many may be that one's; and a finding that
has said so of a seat before has said it.
"""

from __future__ import annotations

from controller.engine.doubt import Doubt
from controller.engine.judge import Judge
from controller.engine.places import Places
from controller.engine.resolver import Resolver
from controller.engine.setup import Setup
from controller.engine.walk import Walk
from controller.rules.hand import HoleCard
from controller.rules.irregularity import Amiss
from controller.rules.procedure import HOLE_CARDS, Showdown

CODE = "wrong-card-count"
_SAYS_SO = frozenset(
    {
        "first-card-wrong-seat",
        "out-of-sequence",
        "empty-seat-dealt",
        "too-few-cards",
        "seat-dealt-out",
        "extra-card",
        "extra-cards",
        "fouled-hand",
        CODE,
    }
)


class Counting:
    """Counts the cards of each seat that acts."""

    def __init__(
        self, walk: Walk, setup: Setup, judge: Judge, places: Places, resolver: Resolver
    ) -> None:
        """`places` knows where each tag is, `resolver` what kind of thing it is."""
        self._walk = walk
        self._hand = walk.hand
        self._setup = setup
        self._judge = judge
        self._places = places
        self._resolver = resolver

    def acted(self, seat: int) -> None:
        """A seat has checked, called, bet, raised or gone all-in."""
        amiss = self._amiss(seat)
        if amiss is not None and not self._judge.doubts_of(CODE):
            self._judge.doubts.append(Doubt(amiss, self._walk.t + self._setup.timing.settle))

    def prove(self, amiss: Amiss) -> None:
        """It has stayed so since the seat acted."""
        still = self._amiss(amiss.seats[0])
        if still is not None and still.facts == amiss.facts:
            self._judge.establish(still, self._walk.t)

    def came(self, seat: int) -> None:
        """A card came to a seat: perhaps the one that was missing."""
        finding = self._hand.open_finding(CODE)
        if finding is None or "too-few" not in finding.facts or seat not in finding.seats:
            return
        if not self._has_too_few(seat):
            self._judge.close(finding, "remedied", self._walk.t)

    def _amiss(self, seat: int) -> Amiss | None:
        hand = self._hand
        told = any(of == seat and code in _SAYS_SO for code, of in self._judge.told)
        gone = hand.betting.players[seat].folded or isinstance(hand.head, Showdown)
        if gone or told or not self._judge.watching:
            return None
        more = self._too_many(seat)
        if more:
            facts = frozenset({"too-many"})
            return Amiss(self._walk.t, CODE, (seat,), facts=facts, tags=tuple(more))
        if self._has_too_few(seat):
            return Amiss(self._walk.t, CODE, (seat,), read=False, facts=frozenset({"too-few"}))
        return None

    def _held(self, seat: int) -> list[str]:
        return [tag for _, at, tag in self._hand.dealt if at == seat]

    def _too_many(self, seat: int) -> list[str]:
        """The cards that lie before a player who has two without them."""
        roles = self._hand.roles
        lie = [tag for tag in self._places.tags() if self._lies_only_at(tag, seat)]
        own = [tag for tag in lie if roles.get(tag) == HoleCard(seat)]
        more = [t for t in lie if t not in roles and self._resolver.classify(t) == "card"]
        others = [s for s in self._hand.betting.players if s != seat]
        if any(len(self._held(s)) < HOLE_CARDS for s in others):
            return []
        if not more:
            return own[HOLE_CARDS:]
        return more if len(self._held(seat)) >= HOLE_CARDS else []

    def _lies_only_at(self, tag: str, seat: int) -> bool:
        return self._places.zones(tag) == [f"seat/{seat}"] and self._places.seat(tag) == seat

    def _has_too_few(self, seat: int) -> bool:
        """A card of the seat was taken away and none came for it, or it lies elsewhere."""
        held = self._held(seat)
        return len(held) == HOLE_CARDS and any(self._is_lost(tag, seat) for tag in held)

    def _is_lost(self, tag: str, seat: int) -> bool:
        zones = self._places.zones(tag)
        if self._hand.roles.get(tag) != HoleCard(seat):
            return True
        if any(tag in f.tags and f.under_way for f in self._hand.findings):
            left = [of for of in self._held(seat) if self._places.seat(of) == seat]
            return f"seat/{seat}" not in zones and bool(left)
        middle = ("board", "burn", "stub")
        return bool(zones) and all(zone.partition("/")[0] in middle for zone in zones)
