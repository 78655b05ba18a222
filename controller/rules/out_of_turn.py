"""Action out of turn, and a player who was passed over by it.

RR7-BET-10, RRP-BET-10: an early action may be held binding if no bet, call or raise comes between;
an early check may not become a bet or raise, an early call no raise. UK-39A, TDA09-29b: it binds
unless the action to it changes, and a check, call or fold is no change; UK-39A lets the offender
only call or fold after a change, UK-52 holds an early fold and UK-39C an early all-in in any case.
NL10-HR-20: it may be binding. RR7-BET-11, UK-39B: a player who is silent while there is substantial
action behind him may lose his turn: the floor rules his hand.

Sensors see who pressed and whose cards reached the muck. That the player in between has not acted
is something not seen: it is asked, unless he acts afterwards. A player whose cards were never all
read may have folded without being seen, and one without buttons may have acted: of them nothing
is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from controller.rules import misdeal
from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Deviation, PassedOver

Between = Literal["unchanged", "called", "changed"]
"""What the passed-over players did when the turn came back to them: nothing yet or nothing that
matters, a call, or a bet or raise."""
ActedBy = Literal["press", "dealer", "muck"]


@dataclass(frozen=True, slots=True)
class Act:
    """What a seat did; `amount` is what it has in on this round, if told."""

    seat: int
    button: str
    amount: int | None
    by: ActedBy


def stands_behind(acts: Sequence[Act]) -> bool:
    """Whether these actions behind a player are substantial: the same under every book (UK-34);
    with two players behind there can be no third."""
    return misdeal.is_past("substantial-action", [a.button not in ("check", "fold") for a in acts])


def worse(one: Between, other: Between) -> Between:
    """The greater change of two."""
    order: tuple[Between, ...] = ("unchanged", "called", "changed")
    return max(one, other, key=order.index)


class _ByTurn:
    question: str | None = "ask-turn"

    def __init__(self, code: str, facts: frozenset[str]) -> None:
        self.code = code
        self.facts = facts

    def explains(self, deviation: Deviation) -> bool:
        """Somebody acted before a player whose turn it was."""
        return isinstance(deviation, PassedOver) and deviation.code == self.code

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """What the early action was, and what came between."""
        del hand
        return finding.facts


OUT_OF_TURN = (
    _ByTurn(
        "out-of-turn",
        frozenset(
            {
                "early-check",
                "early-call",
                "early-bet",
                "early-raise",
                "early-fold",
                "early-all-in",
                "in-muck",
                "in-muck-uncalled",
                "unchanged",
                "called",
                "changed",
                "by-order",
            }
        ),
    ),
    _ByTurn("skipped-player", frozenset()),
)
