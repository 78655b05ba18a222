"""Double burn: two or more cards were burned for one street.

RR7-HE-4 and its RRP twin: if no flop card is exposed the second burn goes back, otherwise the flop
is redealt with the first one. RR7-HE-5, RR7-IRR-15: on the turn and river, before action, the cards
go to their true places; after it the street stands, and the second burn is the next street's. UK,
TDA 2009 and NL 2010 are silent; NL 2010 leaves it to Robert's.

Two burns are read as such. If no action is due between two streets, or none would be noticed, there
may have been an unread card between two burns some time apart: then the finding is a question.
"""

from __future__ import annotations

from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Deviation, DoubleBurn


class BurnDouble:
    """The irregularity `burn-double`."""

    code = "burn-double"
    facts = frozenset(
        {
            "flop",
            "turn",
            "river",
            "nothing-exposed",
            "before-action",
            "after-action",
            "all-in",
            "all-in-later",
        }
    )
    question: str | None = "ask-two-burns"

    def explains(self, deviation: Deviation) -> bool:
        """A second burn for a street."""
        return isinstance(deviation, DoubleBurn)

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """The street, whether it is out, and how far it and the later ones have gone."""
        street = finding.street or "flop"
        out = bool(hand.board[street]) or street in hand.acted_streets
        return frozenset({street, hand.street_moment(street) if out else "nothing-exposed"})
