"""Too many or too few hole cards: `extra-card`, `extra-cards`, `too-few-cards`,
`seat-dealt-out`.

RR7-HE-2, RR7-IRR-11: an extra card that was dealt last goes back and is the flop's burn;
RR7-MISDEAL-1d, -1e, -1f, -1j: otherwise a misdeal while one can be called, except that a card
that still comes in sequence is dealt. RR7-DEAD-1d: after that a wrong count is a dead hand.
A seat that is dealt out counts if its player is at the table or has posted (RR7-MISDEAL-1j).
UK-33A4, UK-33B, UK-33D, TDA09-27c, NL10-MIS-03, NL10-MIS-05.

Antennas count what they read: a card too many is certain. A missing card may just not have been
read, so the dealer is asked about it, and a gap of one pitch in the rhythm claims nothing.
"""

from __future__ import annotations

from controller.rules.deal_rule import DealRule
from controller.rules.hand import Hand

DEALT_OUT = "seat-dealt-out"
TOO_FEW = "too-few-cards"


class CardCount(DealRule):
    """An irregularity in how many cards the seats have."""


CARD_COUNT = (
    CardCount("extra-card", "dealt-last", "dealt-between"),
    CardCount("extra-cards"),
    CardCount(TOO_FEW, "in-sequence", "passed-over", "button", question="ask-short"),
    CardCount(DEALT_OUT, "not-there", question="ask-dealt-out"),
)


def dealt_out(hand: Hand) -> tuple[int, ...]:
    """The seats that seem to have no cards, while that is open."""
    finding = hand.open_finding(DEALT_OUT)
    return () if finding is None else finding.seats
