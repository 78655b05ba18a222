"""Button misplaced: the puck is not where the button belongs.

Before the deal it is moved. RR7-MISDEAL-1g, NL10-MIS-02: if found during the hand it is a misdeal
while one can be called; UK-33A2 only if the first card went to the wrong seat.

The puck has a tag, so its position is read; a puck without one is never misplaced. It gets carried
around between hands, so nothing is claimed until it has been still for two seconds. If the deal
and the first action follow it, the hand is played from there and turns are judged from there; in
the next hand it is corrected (RR7-IRR-1). A deal that starts to its left is this irregularity and
no other.
"""

from __future__ import annotations

from controller.rules.deal_rule import DealRule
from controller.rules.first_card_wrong_seat import judge_first_card
from controller.rules.hand import Hand, OpenFinding
from controller.rules.procedure import clockwise

CODE = "button-misplaced"


def begins_at_puck(hand: Hand, puck: int) -> bool:
    """Whether the deal began to the left of the puck, which lies at that seat, and not where it
    should have."""
    order = list(hand.betting.players)
    dealt = [(t, seat) for t, seat, _ in hand.dealt]
    if not dealt or dealt[0][1] != clockwise(order, puck)[0]:
        return False
    return judge_first_card(order, dealt, ended=hand.played) != "right"


class ButtonMisplaced(DealRule):
    """The irregularity `button-misplaced`."""

    def __init__(self) -> None:
        """There is one."""
        super().__init__(CODE, "before-deal", "dealt", "first-card-wrong")

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Whether cards have been dealt, and whether the deal began from there."""
        facts = super().moment(hand, finding)
        if not hand.dealt:
            return facts | {"before-deal"}
        wrong = begins_at_puck(hand, finding.seats[0])
        return facts | {"dealt"} | ({"first-card-wrong"} if wrong else set())
