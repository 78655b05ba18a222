"""The clock that was called on a player has run out.

RR7-NL-16 with RR7-DEAD-1f: a minute with a warning ten seconds before its end, and a dead hand if
the player faces a bet. UK-26: 50 seconds and a count of ten; a tie goes to the player. TDA09-20,
NL10-TIME-02: a minute and a count of ten. TDA24-29c, -29d: 25 seconds and a count of five; who
faces no bet has checked. Length and conditions are each book's.

Sensors see who pressed `time` and who acted. That the player has not acted is something they did
not see: the dealer is asked before a hand is dead.
"""

from __future__ import annotations

from msgspec import Struct

from controller.rules.irregularity import Irregularity

CODE = "clock-expired"
WARNING = 10.0
"""Seconds before the end at which the dealer warns where there is no count (RR7-NL-16)."""


class ClockRule(Struct, frozen=True, forbid_unknown_fields=True):
    """How long a called clock runs, in seconds, and whether it can kill only a hand that faces
    a bet; whether one that faces none `checks` then (TDA24-29d)."""

    seconds: float = 60.0
    count: float = 0.0
    facing_bet: bool = True
    checks: bool = False

    @property
    def length(self) -> float:
        """The whole time, with the count."""
        return self.seconds + self.count

    @property
    def warning(self) -> float:
        """How long before its end the dealer warns, or begins to count (UK-26, TDA24-29c)."""
        return self.count or WARNING


class ClockExpired(Irregularity):
    """The irregularity `clock-expired`."""

    code = CODE
    question = "ask-clock"
