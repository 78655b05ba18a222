"""Four-card flop: four or more cards were turned up for the flop.

RR7-HE-3, RR7-HE-7, RRP-HE-3, RRP-HE-7: redealt, the burn stays, even if the extra card is
known. UK-35, TDA09-28: the four are scrambled and the floor picks one as the next burn.
NL10-MIS-06: reshuffled with a new burn. Only UK-35 and TDA09-28 say the same once there has
been action on the flop; their text does not cover five cards.

No antenna sees the scramble and the pick: the floor's entry shows them, or the dealer's tick
(`defining_acts.py`). Sensors know the number of cards on the board for certain. They can't tell a
fourth flop card from a turn that came at once: a card belongs to the flop if it comes in the same
motion of the dealer's hand, nobody has acted and nothing was burned (`SAME_MOTION`).
"""

from __future__ import annotations

from controller.rules.hand import Hand, OpenFinding
from controller.rules.too_many import Surplus

SAME_MOTION = 2.0
"""Seconds after a street's last card within which another one belongs to it."""


class FourCardFlop(Surplus):
    """The irregularity `four-card-flop`."""

    code = "four-card-flop"
    facts = frozenset(
        {
            *("before-action", "after-action", "all-in", "all-in-later"),
            *("four", "five-or-more", "burned", "not-burned"),
        }
    )

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Before or after action on the flop, how many cards it has, and whether one was burned for
        it: where none was, one is burned before the next (RR7-HE-7 has the burn remain)."""
        many = "four" if len(finding.tags) == 4 else "five-or-more"
        burned = "burned" if hand.was_burned("flop") else "not-burned"
        return frozenset({hand.street_moment("flop"), many, burned})
