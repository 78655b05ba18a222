"""Cards that were seen in the deal: `exposed-first-card`, `exposed-card`, `exposed-cards`,
`boxed-card`, `boxed-cards`.

RR7-HE-1, RR7-MISDEAL-1a, -1b, RR7-IRR-12: one of the first two cards off the deck, or two others,
are a misdeal; one other is replaced from the stub after the deal and is the flop's burn. UK-33A6
and TDA09-27b only name the misdeals, NL10-MIS-01 makes each of them one. A card that a player
exposes plays (RR7-IRR-14, UK-62, TDA09-42, NL10-MIS-10). RR7-IRR-7, NL10-MIS-08: a boxed card is
scrap, replaced by the next card or, once that has gone to another player, after the round;
RR7-MISDEAL-1c, UK-33A1: two are a misdeal.

No sensor can tell which way up a card is, or who has seen it: the dealer enters that.
"""

from __future__ import annotations

from controller.rules.deal_rule import DealRule, ScrapRule


class Faced(DealRule):
    """An irregularity that the dealer enters: a card was seen."""


class Boxed(ScrapRule):
    """An irregularity that the dealer enters: a card lay face up in the deck."""


FACED = (
    Faced("exposed-first-card"),
    Faced("exposed-card"),
    Faced("exposed-cards"),
    Boxed("boxed-card"),
    Boxed("boxed-cards"),
)
