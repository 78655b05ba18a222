"""The deck between two deals: cards are taken in, spread, shuffled and cut on the felt. What the
antennas read of that is no deal.

CONTRACT, *What counts as what*: after a hand cards are being collected, and what they do is no
finding. The riffle is the first movement of the shuffle, so that more of it comes.
"""

from __future__ import annotations

from math import inf

GATHERED_S = 2.0
"""Seconds in which no card that lay on the table is dealt again, nor any other after the riffle or
once cards are spread there: they are gathered, shuffled and cut before."""


class Shuffle:
    """What was seen of the deck since the last deal, and whether cards at seats have to wait."""

    def __init__(self) -> None:
        """Nothing was seen."""
        self._left: dict[str, float] = {}
        self._spread = -inf
        self.due: float | None = None
        """When what has come to a seat meanwhile, and lies there still, was dealt."""

    def over(self) -> None:
        """A hand begins: what was seen before that is no part of it."""
        self._left, self._spread, self.due = {}, -inf, None

    def left(self, tag: str, t: float) -> None:
        """A card left where it lay."""
        self._left[tag] = t

    def spread(self, t: float) -> None:
        """The riffle; or a card came to the middle, as it was taken in or shuffled."""
        self._spread = t
        if self.due is not None:
            self.due = t + GATHERED_S

    def is_gathered(self, tag: str, t: float) -> bool:
        """Whether a card that comes to a seat now may come from the stub."""
        return t >= self._until(tag)

    def hold(self, tag: str) -> None:
        """A card that can't come from the stub yet came to a seat."""
        self.due = max(self.due or -inf, self._until(tag))

    def _until(self, tag: str) -> float:
        return max(self._spread, self._left.get(tag, -inf)) + GATHERED_S
