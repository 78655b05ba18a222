"""Wrong card count: a player acted with too many or too few cards, and no other finding says so.

RR7-DEAD-1d and its RRP twin: such a hand is dead; RR7-MISDEAL-2: no chips are returned once a
misdeal can't be called. NL10-MIS-05 plays the hand out and leaves the rest to Robert's. UK and
TDA 2009 are silent.

Too many cards are read as such. Too few may be a card that is there but not read: the dealer is
asked.
"""

from __future__ import annotations

from controller.rules.deal_rule import DealRule


class WrongCardCount(DealRule):
    """The irregularity `wrong-card-count`."""

    def __init__(self) -> None:
        """There is one."""
        super().__init__("wrong-card-count", "too-many", "too-few", question="ask-count")
