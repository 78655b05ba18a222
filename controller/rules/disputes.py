"""What may still be disputed once a hand is over: until the next one begins.

TDA24-35E4 with TDA24-22a: the right to dispute for a fouled deck ends there. Until then the floor
may also decide otherwise than it has (RR7-DEC-5).
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.events import Closed, ClosedHow, Event, Ruling
from controller.rules.button import Positions
from controller.rules.decisions import Decided, rule_anew
from controller.rules.rulebook import NEXT_HAND, RuleBook

VOID = "void-hand"


class Disputed(Struct, frozen=True, array_like=True):
    """A finding that outlived its hand, with its ruling as it `stands`. Were the hand void it would
    be the redeal of `redeal`, from the same `place` and with these `stacks` again."""

    hand: int
    stands: Decided
    redeal: int
    place: Positions
    stacks: tuple[tuple[int, int | None], ...]
    is_ruled: bool = False

    @property
    def is_void(self) -> bool:
        """Whether the floor has ruled the hand void."""
        return self.is_ruled and self.stands.ruling.outcome == VOID


def outlives(until: str | None) -> bool:
    """Whether what ends then is open when its hand is over."""
    return until == NEXT_HAND


class Disputes:
    """What is open of the hand that is over."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        """Nothing; `emit` takes the events."""
        self._emit = emit
        self.open: tuple[Disputed, ...] = ()

    def rule(
        self, finding: int, outcome: str, book: RuleBook, t: float
    ) -> tuple[Disputed, Disputed] | None:
        """The floor decides, or decides otherwise: how it stood and how it stands; None if there is
        none of this id."""
        before = next((one for one in self.open if one.stands.finding == finding), None)
        if before is None:
            return None
        stands, is_new = before.stands, outcome != before.stands.ruling.outcome
        if is_new:
            stands = rule_anew(stands, outcome, book)
            self._emit(Ruling(t, before.hand, finding, stands.ruling))
        if is_new or not before.is_ruled:
            self._emit(Closed(t, before.hand, finding, "ruled"))
        after = replace(before, stands=stands, is_ruled=True)
        self.open = tuple(after if one is before else one for one in self.open)
        return before, after

    def close(self, how: ClosedHow, t: float, finding: int | None = None) -> None:
        """The next hand begins, or somebody has closed this one."""
        ends = [each for each in self.open if finding in (None, each.stands.finding)]
        self.open = tuple(each for each in self.open if each not in ends)
        for each in ends:
            if not each.is_ruled:
                self._emit(Closed(t, each.hand, each.stands.finding, how))
