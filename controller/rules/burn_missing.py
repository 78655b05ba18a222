"""Burn missing: a street's card came and no card was burned for it.

RR7-HE-4, RR7-HE-5, RR7-IRR-15 and their RRP twins: the flop is redealt before action, a turn
or river card becomes the burn it should have been, and after action the card stands and the
later streets get the cards they would have had in the true order. NL10-MIS-06, NL10-MIS-07:
reshuffled with a new burn. UK and TDA 2009 are silent.

The sensors can't tell a burn that was never made from one that was never read, so the finding
has basis `unseen`: it waits for `settle` or the next step of the hand, is asked as a question,
and a burn that is read late closes it. A table without a burn antenna never reports it.
"""

from __future__ import annotations

from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Deviation, NoBurn


class BurnMissing:
    """The irregularity `burn-missing`."""

    code = "burn-missing"
    facts = frozenset(
        {"flop", "turn", "river", "before-action", "after-action", "all-in", "all-in-later"}
    )
    question: str | None = "ask-burn"

    def explains(self, deviation: Deviation) -> bool:
        """A street's card without a burn."""
        return isinstance(deviation, NoBurn)

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """The street, and how far it and the later ones have gone."""
        street = finding.street or "flop"
        return frozenset({street, hand.street_moment(street)})
