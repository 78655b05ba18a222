"""Button misplaced: the puck is not where the button belongs.

Before the deal it is moved. RR7-MISDEAL-1g, NL10-MIS-02: if found during the hand it is a misdeal
while one can be called; UK-33A2 only if the first card went to the wrong seat.

The puck has a tag, so its position is read; a puck without one is never misplaced. It gets carried
around between hands, so nothing is claimed until it has been still for two seconds. If the deal
and the first action follow it, the hand is played from there and turns are judged from there; in
the next hand it is corrected (RR7-IRR-1).
"""

from __future__ import annotations

from controller.rules.deal_rule import DealRule
from controller.rules.hand import Hand, OpenFinding


class ButtonMisplaced(DealRule):
    """The irregularity `button-misplaced`."""

    def __init__(self) -> None:
        """There is one."""
        super().__init__("button-misplaced", "before-deal", "dealt", "first-card-wrong")

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Whether cards have been dealt, and whether the first went to the wrong seat."""
        facts = super().moment(hand, finding)
        if not hand.dealt:
            return facts | {"before-deal"}
        wrong = hand.dealt[0][1] != next(iter(hand.betting.players))
        return facts | {"dealt"} | ({"first-card-wrong"} if wrong else set())
