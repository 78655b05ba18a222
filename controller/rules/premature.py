"""Premature flop, turn and river: a street's card came before the betting round was complete.

RR7-HE-6, RR7-IRR-16 (and their RRP twins): such cards do not play, whoever folds later; the
round is finished first. RR7-HE-7, UK-RP5A: the flop is redealt, its burn stays. RR7-HE-8,
UK-RP5B: the turn is set aside, the would-be river is the turn, and the river is dealt without
a burn from a reshuffled stub. RR7-HE-8, UK-RP5C: the river goes back and is redealt, its burn
stays. TDA 2009 is silent, NL 2010 leaves it to Robert's. No book covers betting on the premature
card.

Antennas read the card for certain. That the round was not complete depends on an action that was
not seen, so the finding has basis `unseen` until somebody still to act does so. It waits for
`settle`, during which the cards are held back; a press that completes the round in that time makes
them a regular street. At seats without buttons there is no knowing who has acted, so nothing is
claimed.
"""

from __future__ import annotations

from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Irregularity
from controller.rules.procedure import STREETS, Street

CODES: dict[Street, str] = {street: f"premature-{street}" for street in STREETS}


class Premature(Irregularity):
    """The irregularities `premature-flop`, `premature-turn` and `premature-river`."""

    facts = frozenset({"not-acted-on", "acted-on", "burned", "not-burned"})
    question = "ask-round"
    zone = "board"

    def __init__(self, street: Street) -> None:
        """One for each street."""
        self.code = CODES[street]
        self._street: Street = street

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Whether there was betting on the card, and whether a burn came with it: where none can
        be read, it did."""
        del finding
        acted = "acted-on" if hand.board[self._street] else "not-acted-on"
        burned = "burned" if hand.was_burned(self._street) else "not-burned"
        return frozenset({acted, burned})


def early_finding(hand: Hand, street: Street) -> OpenFinding | None:
    """What is open about cards of this street that came too soon, while they lie there."""
    return hand.open_finding(CODES[street], street) if hand.early[street] else None
