"""Wrong card count: a player acted with too many or too few cards, and no other finding says so.

RR7-DEAD-1d and its RRP twin: such a hand is dead; RR7-MISDEAL-2: no chips are returned once a
misdeal can't be called. NL10-MIS-05 plays the hand out and leaves the rest to Robert's. UK and
TDA 2009 are silent. TDA24-37c: a button that has acted with too few is dead.

Too many cards are read as such. Too few may be a card that is there but not read: the dealer is
asked. While anybody has a card that was not read, a card too many may be that one's; and a finding
that has said so of a seat before has said it.
"""

from __future__ import annotations

from controller.contract.zones import seat_of
from controller.rules.deal_rule import DealRule
from controller.rules.doubt import Doubt
from controller.rules.hand import HoleCard
from controller.rules.irregularity import Amiss
from controller.rules.procedure import HOLE_CARDS, Showdown
from controller.rules.watcher import Watcher

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


class WrongCardCount(DealRule):
    """The irregularity `wrong-card-count`."""

    def __init__(self) -> None:
        """There is one."""
        super().__init__(CODE, "too-many", "too-few", "button", question="ask-count")


class Counting(Watcher):
    """Counts the cards of each seat that acts."""

    code = CODE

    def acted(self, seat: int) -> None:
        """It must have two cards."""
        amiss = self._amiss(seat)
        if amiss is not None:
            self._doubt(amiss)

    def prove(self, doubt: Doubt) -> None:
        """It has stayed so since the seat acted."""
        amiss = doubt.amiss
        still = self._amiss(amiss.seats[0])
        if still is not None and still.facts == amiss.facts:
            self._judge.establish(still, self._now.t)

    def came(self, _tag: str, zone: str) -> None:
        """A card came to a seat: perhaps the one that was missing."""
        finding, seat = self._finding(), seat_of(zone)
        if finding is None or "too-few" not in finding.facts or seat not in finding.seats:
            return
        if not self._has_too_few(seat):
            self._judge.close(finding, "remedied", self._now.t)

    def _amiss(self, seat: int) -> Amiss | None:
        hand = self._hand
        told = any(of == seat and code in _SAYS_SO for code, of in self._judge.told)
        gone = hand.betting.players[seat].folded or isinstance(hand.head, Showdown)
        if gone or told or not self._judge.watching:
            return None
        more = self._too_many(seat)
        if more:
            facts = frozenset({"too-many"})
            return Amiss(self._now.t, CODE, (seat,), facts=facts, tags=tuple(more))
        if self._has_too_few(seat):
            button = {"button"} if seat == hand.positions.button else set[str]()
            facts = frozenset({"too-few", *button})
            return Amiss(self._now.t, CODE, (seat,), read=False, facts=facts)
        return None

    def _too_many(self, seat: int) -> list[str]:
        """The cards that lie before a player who has two without them."""
        roles = self._hand.roles
        lie = self._lying.only_at(seat)
        home = HoleCard(seat)
        own = [tag for tag in lie if roles.get(tag) == home]
        more = [t for t in lie if t not in roles and self._kinds.classify(t) == "card"]
        if not more and len(own) <= HOLE_CARDS:
            return []
        others = [s for s in self._hand.betting.players if s != seat]
        if any(len(self._hand.tags_of(s)) < HOLE_CARDS for s in others):
            return []
        if not more:
            return own[HOLE_CARDS:]
        return more if len(self._hand.tags_of(seat)) >= HOLE_CARDS else []

    def _has_too_few(self, seat: int) -> bool:
        """A card of the seat was taken away and none came for it, or it lies elsewhere."""
        held = self._hand.tags_of(seat)
        return len(held) == HOLE_CARDS and any(self._is_lost(tag, seat) for tag in held)

    def _is_lost(self, tag: str, seat: int) -> bool:
        zones = self._lying.zones(tag)
        if self._hand.roles.get(tag) != HoleCard(seat):
            return True
        if any(tag in f.tags and f.under_way for f in self._hand.findings):
            left = [of for of in self._hand.tags_of(seat) if self._lying.seat(of) == seat]
            return f"seat/{seat}" not in zones and bool(left)
        middle = ("board", "burn", "stub")
        return bool(zones) and all(zone.partition("/")[0] in middle for zone in zones)
