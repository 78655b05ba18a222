"""Premature burn: a card was burned before the betting round was complete.

UK-RP5 names burns but gives no steps for a burn alone; RR7-HE-6 and RR7-IRR-16 speak of cards
that are dealt too soon. Decision: it stays, and no second one is burned for that street; as long
as a second one stays, nothing is fixed.

Sensors see that a card was burned. That the round was incomplete depends on an action that was not
seen, as with a premature street, and the finding becomes one of those when a board card follows.
"""

from __future__ import annotations

from controller.rules.irregularity import Irregularity

CODE = "burn-premature"


class BurnPremature(Irregularity):
    """The irregularity `burn-premature`."""

    code = CODE
    question = "ask-round"
    zone = "burn"
