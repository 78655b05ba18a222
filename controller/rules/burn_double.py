"""Double burn: two or more cards were burned for one street.

RR7-HE-4 and its RRP twin: with no flop card exposed the second burn goes back, else the flop is
redealt with the first one. RR7-HE-5, RR7-IRR-15: on the turn and river the cards change to their
true places before action; after it the street stands, and the second burn is the next street's.
UK, TDA 2009 and NL 2010 are silent; NL 2010 leaves it to Robert's.

Two burns are read as such. Where no action is due between two streets, or none would be noticed,
two burns that are some time apart may as well have had a card between them that was not read:
then the finding is a question.
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
