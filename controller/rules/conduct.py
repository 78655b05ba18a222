"""What of the findings is a player's own conduct."""

from __future__ import annotations

from controller.rules.clock_expired import CODE as CLOCK_EXPIRED
from controller.rules.muck_retrieved import CODE as MUCK_RETRIEVED
from controller.rules.out_of_turn import OUT

PLAYERS_OWN = frozenset({OUT, CLOCK_EXPIRED, MUCK_RETRIEVED})
"""The findings whose seats are those of players who did it themselves: acting out of turn, letting
a called clock run out, taking a hand back from the muck (RR7-ETIQ-01, RR7-ETIQ-07, UK-64). Whether
it was meant so, the floor judges."""
