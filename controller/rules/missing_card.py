"""The check of the deck between hands: a card that is missing is told before the deal.

The finding belongs to the coming hand and is open in it, until a check finds the deck complete.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.contract.events import Closed, ClosedHow, Event, Finding, Ruling, priority_of
from controller.rules import misdeal
from controller.rules.hand import OpenFinding
from controller.rules.irregularity import Amiss, Numbering
from controller.rules.rulebook import RuleBook
from controller.rules.watcher import Watcher

CODE = "missing-card"
_BEFORE_THE_DEAL = misdeal.moment(()) | {"holder-to-act", "before-deal"}
_WORDS = (("street", "flop"), ("next", "turn"), ("seats", ""), ("due", ""))


class ShortDeck:
    """Keeps what a check has found until the hand begins to which it belongs."""

    def __init__(self, emit: Callable[[Event], None], number: Numbering) -> None:
        """`number` numbers findings; `emit` takes the events."""
        self._emit = emit
        self._number = number
        self._hand = 0
        self._finding: OpenFinding | None = None

    @property
    def open(self) -> tuple[int, float] | None:
        """The number and the time of the finding that waits for its hand."""
        return None if self._finding is None else (self._finding.id, self._finding.t)

    def told(self) -> list[Event]:
        """What was told of the finding that waits for its hand."""
        if self._finding is None:
            return []
        t, number, ruling = self._finding.t, self._finding.id, self._finding.ruling
        priority = priority_of(ruling.outcome, "seen")
        return [Finding(t, self._hand, number, CODE, priority, "seen", (), (), ruling)]

    def restore(self, known: tuple[int, float] | None, hand: int, book: RuleBook) -> None:
        """Goes on with what was `open`."""
        if known is not None:
            self._hand = hand
            self._finding = _missing_card(known[0], known[1], book)

    def is_short(self, hand: int, book: RuleBook, t: float) -> None:
        """A card is missing; `hand` is the number of the coming one."""
        if self._finding is not None:
            return
        self._hand = hand
        self._finding = _missing_card(self._number(Amiss(t, CODE)), t, book)
        for told in self.told():
            self._emit(told)

    def close(self, how: ClosedHow, t: float, finding: int | None = None) -> bool:
        """It is complete again, or somebody has decided; `finding` is the one meant, if not any.
        False if it was not open."""
        if self._finding is None or finding not in (None, self._finding.id):
            return False
        self._emit(Closed(t, self._hand, self._finding.id, how))
        self._finding = None
        return True

    def rule(self, finding: int, outcome: str, book: RuleBook, t: float) -> bool:
        """The floor has decided; False if it was not open."""
        found = self._finding
        if found is None or finding != found.id:
            return False
        if outcome != found.ruling.outcome:
            ruling = book.decided(CODE, outcome, _WORDS, found.ruling)
            self._emit(Ruling(t, self._hand, finding, ruling))
        return self.close("ruled", t)

    def hand_over(self) -> list[OpenFinding]:
        """The hand begins: what is open is open in it."""
        found, self._finding = self._finding, None
        return [] if found is None else [found]


def _missing_card(number: int, t: float, book: RuleBook) -> OpenFinding:
    ruling = book.ruling(CODE, _BEFORE_THE_DEAL, None, _WORDS)
    return OpenFinding(number, CODE, t, None, (), (), "seen", ruling)


class Missing(Watcher):
    """Hears of checks of the deck in a hand that has only begun."""

    code = CODE

    def checked(self, *, is_short: bool) -> None:
        """The deck was checked once more before the deal."""
        finding = self._finding()
        if is_short and finding is None:
            self._judge.establish(Amiss(self._now.t, CODE), self._now.t)
        elif finding is not None and not is_short:
            self._judge.close(finding, "remedied", self._now.t)
