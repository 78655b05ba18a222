"""Action out of turn, and a player who was skipped by it.

RR7-BET-10, RRP-BET-10: an early action may be held binding if no bet, call or raise comes between;
who checks early may not bet or raise at the next turn, and RR7's early caller no more on that round
(it is the later text). NL10-HR-20: it may be binding. UK-39A, TDA09-29b: it binds unless the action
to it changes, and a check, call or fold is no change; UK-39A lets the offender only call or fold
after a change. A fold that faces a bet is dead (RR7-DEAD-1a); UK-52 holds every early fold, and
UK-39C an early all-in.

A player who is silent while others act behind him may lose his turn: three of them, or all if there
are fewer (RR7-BET-11), or substantial action, which is binding then (UK-39B, UK-34). Whoever waits
for a player before him loses nothing, nor does he who has called "time".

Sensors see who pressed and whose cards reached the muck. That the player in between has not acted
is something they did not see: the dealer is asked, unless the player acts afterwards. A player
whose cards were never all read may have folded unseen, and one without buttons may have acted:
nothing is claimed about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from controller.contract.events import RulingText
from controller.rules import misdeal
from controller.rules.hand import Ban, Hand, OpenFinding
from controller.rules.irregularity import Irregularity

Between = Literal["unchanged", "called", "changed"]
"""What the passed-over players did when the turn came back to them: nothing yet or nothing that
matters, a call, or a bet or raise."""
ActedBy = Literal["press", "dealer", "muck", "inferred"]

BANS: dict[str, Ban] = {
    "no-raise-later": "next-turn",
    "no-raise-this-round": "round",
    "only-call-or-fold": "round",
}
"""The steps of a ruling by which a seat may not bet or raise, and for how long."""

AGAIN = 1.5
"""Seconds within which a seat's next press is its last one once more, or puts it right."""
DOUBLED = 2.0
"""Seconds after an action within which a press belongs to it and not to what comes next."""
OUT = "out-of-turn"
SKIPPED = "skipped-player"
AT_RISK = 3
"""So many players behind a silent one put his right to act at risk (RR7-BET-11)."""


@dataclass(frozen=True, slots=True)
class Act:
    """What a seat did; `amount` is what it has in on this round, if told."""

    seat: int
    button: str
    amount: int | None
    by: ActedBy


def stands_behind(acts: Sequence[Act]) -> bool:
    """Whether these actions behind a player are substantial, by which he is passed over: the same
    under every book (UK-34); with two players behind there can be no third."""
    return misdeal.is_past("substantial-action", [a.button not in ("check", "fold") for a in acts])


def is_at_risk(behind: int, others: int) -> bool:
    """Whether so many of the others have acted behind a player that he may lose his turn under
    Robert's Rules (RR7-BET-11)."""
    return behind >= min(AT_RISK, others)


def came_between(act: Act, before: int | None, after: int | None) -> Between:
    """What an action changes for those behind, which finds this bet to be matched and leaves that
    one."""
    if act.button in ("bet", "raise") or after != before:
        return "changed"
    return "called" if act.button in ("call", "all-in") else "unchanged"


def worse(one: Between, other: Between) -> Between:
    """The greater change of two."""
    order: tuple[Between, ...] = ("unchanged", "called", "changed")
    return max(one, other, key=order.index)


def proposed(ruling: RulingText) -> str:
    """The ruling's outcome, or that of the advice where the floor decides."""
    while ruling.advisory is not None and ruling.outcome == "floor":
        ruling = ruling.advisory
    return ruling.outcome


class _ByTurn(Irregularity):
    question = "ask-turn"

    def __init__(self, code: str, facts: frozenset[str]) -> None:
        self.code = code
        self.facts = facts

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """What was done early, or how many have acted behind, and what came between."""
        del hand
        return finding.facts


_BETWEEN = frozenset({"unchanged", "called", "changed"})
OUT_OF_TURN = (
    _ByTurn(
        OUT,
        _BETWEEN
        | {
            "early-check",
            "early-call",
            "early-bet",
            "early-raise",
            "early-fold",
            "early-all-in",
            "in-muck",
            "in-muck-uncalled",
            "by-order",
            "facing-bet",
            "no-bet",
        },
    ),
    _ByTurn(SKIPPED, _BETWEEN | {"few-behind", "many-behind"}),
)
