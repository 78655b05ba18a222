"""Short flop: the flop stayed at one or two cards.

No book covers it: RRP-HE-0 has three cards turned, RR7-DEC-1 leaves the rest to the floor.
Decision: before action the next card completes it, without another burn; after action the floor
decides.

A card that was not read looks the same, so the finding has basis `unseen`: it waits for `WAIT`
or the next action, is asked as a question, and a third card that is read late closes it.
"""

from __future__ import annotations

from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Deviation, ShortFlop

WAIT = 3.0
"""Seconds after the last flop card within which another one is awaited."""


class ShortFlopDealt:
    """The irregularity `short-flop`."""

    code = "short-flop"
    facts = frozenset({"before-action", "after-action", "all-in", "all-in-later"})
    question: str | None = "ask-third-card"

    def explains(self, deviation: Deviation) -> bool:
        """A flop that has stayed short."""
        return isinstance(deviation, ShortFlop)

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Before or after action on the flop."""
        del finding
        return frozenset({hand.street_moment("flop")})
