"""What the irregularities of the deal and the deck have in common.

What a book makes of them depends on whether a misdeal can still be called (RR7-MISDEAL-1,
UK-33D, NL10-MIS-05), on what was so when it happened, and on whether the seat has acted.
"""

from __future__ import annotations

from controller.rules import misdeal
from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Irregularity


def misdeal_moment(hand: Hand, finding: OpenFinding) -> frozenset[str]:
    """Whether a misdeal can still be called. It counts when attention was called to it
    (RR7-MISDEAL-1), for as long as no street has come after that."""
    goes_on = any(hand.burns.values()) or any(hand.board.values())
    called = None if goes_on else finding.called
    return misdeal.moment(hand.betting.actions if called is None else called)


class DealRule(Irregularity):
    """An irregularity of the deal or the deck."""

    def __init__(self, code: str, *facts: str, question: str | None = None) -> None:
        """`facts` are those that may be so when it happens."""
        self.code = code
        self.facts = misdeal.FACTS | {"holder-acted", "holder-to-act"} | frozenset(facts)
        self.question = question

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """How far the hand has gone, what was so at the time, and whether the seat has acted."""
        acted = any(
            hand.betting.players[seat].has_acted
            for seat in finding.seats
            if seat in hand.betting.players
        )
        holder = "holder-acted" if acted else "holder-to-act"
        return misdeal_moment(hand, finding) | finding.facts | {holder}


class ScrapRule(DealRule):
    """A card that is scrap: the next card below it replaces it, unless that one has gone to another
    player; then it is replaced once the round is dealt (RR7-IRR-7)."""

    def __init__(self, code: str) -> None:
        """There are no other facts."""
        super().__init__(code, "on-board", "in-sequence", "passed-over")

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Also whether cards were dealt to others since."""
        order = [tag for _, _, tag in hand.dealt]
        first = min((order.index(tag) for tag in finding.tags if tag in order), default=len(order))
        others = any(seat not in finding.seats for _, seat, _ in hand.dealt[first:])
        return super().moment(hand, finding) | {"passed-over" if others else "in-sequence"}
