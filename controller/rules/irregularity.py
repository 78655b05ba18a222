"""What every irregularity has in common: what may be amiss, and what the books ask of it.

A watcher doubts or claims that something is `Amiss`; its code names the irregularity. What a book
makes of that depends on the `moment`: a set of facts, all of which are declared in `facts` so that
a rule book file can be checked against them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from controller.rules.hand import Hand, OpenFinding
from controller.rules.procedure import Street

SCRAP_CODES = ("joker", "boxed-card", "boxed-cards")
"""The codes of cards that do not play."""


@dataclass(frozen=True, slots=True)
class Amiss:
    """Something is wrong since `t`, or may be: `code` says what.

    `read` says whether that is certain, or whether something that was merely not read would explain
    it as well. It concerns these `seats` and `tags`; where there are none, the cards of its
    `street`. `facts` are what was so, for the books. `due` are the seats whose turn it was, `early`
    those that acted before them.
    """

    t: float
    code: str
    seats: tuple[int, ...] = ()
    read: bool = True
    facts: frozenset[str] = frozenset()
    tags: tuple[str, ...] = field(default=(), repr=False)
    street: Street | None = None
    due: tuple[int, ...] = ()
    early: tuple[int, ...] = ()


Numbering = Callable[[Amiss], int]
"""Gives what is a finding now its number."""


class Irregularity:
    """One kind of irregularity.

    `question` is the step id of what the dealer is asked while the finding rests on something not
    seen, or None where it never does. It rests on the antenna of this `zone`, or on those of the
    seats. `of_street`: the burn or the cards of its street are wrong; what `comes_first` explains
    the others of these and is settled before them. `disputes`: as long as it is open its remedy may
    take its street's cards off the board.
    """

    code: str
    facts: frozenset[str] = frozenset()
    question: str | None = None
    zone: str | None = None
    of_street: bool = False
    comes_first: bool = False
    disputes: bool = True

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """The facts that the rule books' rulings depend on, as they are now."""
        del hand, finding
        return frozenset()

    def zones(self, amiss: Amiss) -> tuple[str, ...]:
        """The zones whose antennas it rests on."""
        if self.zone is not None:
            return (self.zone,)
        return tuple(f"seat/{seat}" for seat in amiss.due or amiss.seats)
