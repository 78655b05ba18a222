"""Board or burn disturbed: a card left the board or the burns, and no remedy asked for it.

HPT-BURN-05: burns stay apart from the muck until the pot is awarded. RR7-IRR-15 and its RRP twin
can only correct a burn error as long as stub, board and burns are intact. No book has a remedy.
Decision: the card is put back, which its tag makes certain.

A card that is straightened, or not read for a moment, is not a finding: it waits for `settle`, is
asked as a question unless the card is seen somewhere else, and closes once the card is back.
"""

from __future__ import annotations

from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Deviation, Disturbed
from controller.rules.procedure import Pile

DISTURBED: dict[Pile, str] = {"board": "board-disturbed", "burn": "burn-disturbed"}


class PileDisturbed:
    """The irregularities `board-disturbed` and `burn-disturbed`."""

    facts: frozenset[str] = frozenset()

    def __init__(self, pile: Pile) -> None:
        """One for each pile."""
        self.code = DISTURBED[pile]
        self.question: str | None = f"ask-{pile}-in-place"
        self._pile: Pile = pile

    def explains(self, deviation: Deviation) -> bool:
        """A card that left this pile."""
        return isinstance(deviation, Disturbed) and deviation.pile == self._pile

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """It makes no difference when it is noticed."""
        del hand, finding
        return frozenset()
