"""Button misplaced: the puck lies elsewhere than where the button belongs.

Before the deal it is put right. RR7-MISDEAL-1g, NL10-MIS-02: found in the hand it is a misdeal
while one can be called; UK-33A2 only if the first card went to a wrong seat.

The puck has a tag, so where it lies is read; a puck without one is never misplaced. It is
carried about between hands, so nothing is claimed before it has lain still for two seconds. Where
the deal and the first action follow it the hand is played from there, and no turn is judged
otherwise; in the next hand it is put right (RR7-IRR-1). A deal that begins to its left is this
irregularity and no other one.
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
