"""What belongs to every hand and is no step of its script: cut, blinds, announcements, the deck.

It is told beside the next step, by prompts of these ids, to whom the table's settings say.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

RoutineGroup = Literal["deal", "absent", "bets", "announce", "showdown", "deck", "seats", "pace"]
Whom = Literal["off", "learner", "all"]
"""Who is told: nobody, a dealer who is learning, every dealer."""


class Routine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """By group whom the table tells; `learner` says whether its dealer is learning."""

    learner: bool = False
    deal: Whom = "learner"
    absent: Whom = "all"
    bets: Whom = "learner"
    announce: Whom = "learner"
    showdown: Whom = "learner"
    deck: Whom = "all"
    seats: Whom = "all"
    pace: Whom = "learner"

    @property
    def follows_hands(self) -> bool:
        """Whether anything that happens in a hand is told to this dealer; who is absent is told
        before the deal."""
        whom = (self.deal, self.bets, self.announce, self.showdown, self.pace)
        return "all" in whom or (self.learner and "learner" in whom)

    def tells(self, text_id: str) -> bool:
        """Whether the prompt of this id is for this dealer."""
        whom = getattr(self, ROUTINE[text_id])
        return whom == "all" or (whom == "learner" and self.learner)


ROUTINE: dict[str, RoutineGroup] = {
    "cut-left": "deal",
    "shuffle-used": "deal",
    "post-blinds": "deal",
    "post-big": "deal",
    "post-big-too": "deal",
    "post-antes": "deal",
    "post-bb-ante": "deal",
    "post-absent": "absent",
    "post-absent-other": "absent",
    "same-deal": "deal",
    "last-deal-only": "deal",
    "two-cards": "deal",
    "tap-and-burn": "deal",
    "bets-stay": "bets",
    "one-motion": "bets",
    "prior-chips": "bets",
    "amount-first": "bets",
    "all-in-button": "bets",
    "count-if-asked": "bets",
    "pull-in": "bets",
    "pot-right": "bets",
    "side-pots": "bets",
    "say-bet": "announce",
    "say-amount": "announce",
    "say-all-in": "announce",
    "say-option": "announce",
    "both-cards": "showdown",
    "read-hand": "showdown",
    "playing-board": "showdown",
    "speak-up": "showdown",
    "may-see": "showdown",
    "may-see-any": "showdown",
    "see-floor": "showdown",
    "disputes": "showdown",
    "disputes-count": "showdown",
    "change-deck": "deck",
    "deck-with-dealer": "deal",
    "deck-young": "deal",
    "wash": "deck",
    "brief-next": "seats",
    "draw-button": "seats",
    "leave-table": "seats",
    "slow": "pace",
    "keep-going": "pace",
}
"""By prompt: its group."""
