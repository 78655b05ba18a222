"""Cards that do not belong: `joker`, `foreign-card`, `foreign-card-in-stub`, `duplicate-card`,
`missing-card`.

RR7-IRR-8, RR7-IRR-9, RR7-DEAD-1e: a joker is replaced, or kills the hand that acted on it.
RR7-IRR-3: a card from another deck voids the hand unless it is only in the stub. RR7-IRR-4: so does
a duplicate card; a player who knew of it and bet on may lose the refund (RR7-IRR-5). RR7-IRR-10:
with a card missing the result of a hand stands; a deck known to be short is not dealt. NL10-MIS-09
finds or replaces the card before any betting. UK and TDA 2009 are silent.

If every card of the hand is unknown, it is not one stray card but a different deck, about which the
books only say when decks are changed (RR7-PROC-22, UK-24, TDA09-17, NL10-HR-15). The hand stands;
its cards just can't be watched.

A tag says what the table knows about it, not what is printed on the card: an unknown tag counts as
a card from another deck even if it was only registered wrongly, and with two tags for one card the
faces are checked before anything is undone. A card without a tag is never read. That a deck is a
card short only shows where a deck reader checks it before the shuffle.
"""

from __future__ import annotations

from controller.rules.deal_rule import DealRule, ScrapRule
from controller.rules.hand import Hand, OpenFinding


class WrongCard(DealRule):
    """An irregularity in what a tag turns out to be."""


class Joker(ScrapRule):
    """The irregularity `joker`."""


class MissingCard(DealRule):
    """The irregularity `missing-card`: before the deal the deck is made complete."""

    def __init__(self) -> None:
        """There is one."""
        super().__init__("missing-card", "before-deal", "dealt")

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Also whether cards have been dealt."""
        return super().moment(hand, finding) | {"dealt" if hand.dealt else "before-deal"}


WRONG_CARD = (
    Joker("joker"),
    WrongCard("foreign-card", "whole-deck"),
    WrongCard("foreign-card-in-stub"),
    WrongCard("duplicate-card"),
    MissingCard(),
)
