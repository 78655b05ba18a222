"""Too many cards on the turn or river: another one came in the dealer's same motion.

RR7-HE-8 and its RRP twin want what changes least in the cards that would have come. How that is
done is the floor's choice: the first card is the street and the second one the river's burn (on
the river it goes back), or both go and the would-be river is the turn, as after a premature one.
NL10-MIS-07: reshuffled with a new burn. UK and TDA 2009 are silent.

Which of the two the floor has chosen, the cards show: whether the first one stays. Antennas count
the cards for certain. That two of them came in one motion is read off the time
between them (`SAME_MOTION`): what comes later is the next street, too soon.
"""

from __future__ import annotations

from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Deviation, SurplusCard
from controller.rules.procedure import Street

SURPLUS_CODES: dict[Street, str] = {
    "flop": "four-card-flop",
    "turn": "too-many-turn",
    "river": "too-many-river",
}


class TooMany:
    """The irregularities `too-many-turn` and `too-many-river`. The fact `by-order` never holds by
    itself: only the floor's word brings such a ruling about."""

    facts = frozenset({"before-action", "after-action", "all-in", "all-in-later", "by-order"})
    question: str | None = None

    def __init__(self, street: Street) -> None:
        """One for each of the two streets."""
        self.code = SURPLUS_CODES[street]
        self._street: Street = street

    def explains(self, deviation: Deviation) -> bool:
        """A surplus card on this street."""
        return isinstance(deviation, SurplusCard) and deviation.street == self._street

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Before or after action on the street."""
        del finding
        return frozenset({hand.street_moment(self._street)})
