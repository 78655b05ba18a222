"""What may still be disputed once a hand is over: until the next one begins.

TDA24-35E4 with TDA24-22a: the right to dispute for a fouled deck ends there.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from controller.contract.events import Closed, ClosedHow, Event
from controller.rules.decisions import Decided, rule_anew, told
from controller.rules.rulebook import NEXT_HAND, RuleBook


class Disputed(Struct, frozen=True, array_like=True):
    """A finding that outlived its hand: its ruling `stands` unless the floor decides otherwise.
    Were the hand void it would be the redeal of `redeal`, with these `stacks` again."""

    hand: int
    stands: Decided
    redeal: int
    stacks: tuple[tuple[int, int | None], ...]


def outlives(until: str | None) -> bool:
    """Whether what ends then is open when its hand is over."""
    return until == NEXT_HAND


class Disputes:
    """What is open of the hand that is over."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        """Nothing; `emit` takes the events."""
        self._emit = emit
        self.open: tuple[Disputed, ...] = ()

    def rule(self, finding: int, outcome: str, book: RuleBook, t: float) -> Disputed | None:
        """The floor decides; None if it was not open."""
        found = self._take(finding)
        if found is not None:
            anew = found.stands
            if outcome != anew.ruling.outcome:
                anew = rule_anew(anew, outcome, book)
                self._emit(told(anew, found.hand, t)[0])
            self._emit(Closed(t, found.hand, finding, "ruled"))
        return found

    def close(self, how: ClosedHow, t: float, finding: int | None = None) -> None:
        """The next hand begins, or somebody has closed this one."""
        for each in self.open:
            if finding in (None, each.stands.finding):
                self._take(each.stands.finding)
                self._emit(Closed(t, each.hand, each.stands.finding, how))

    def _take(self, finding: int) -> Disputed | None:
        found = next((one for one in self.open if one.stands.finding == finding), None)
        self.open = tuple(one for one in self.open if one is not found)
        return found
