"""The deck between two deals: cards are taken in, spread, shuffled and cut on the felt. What the
antennas read of that is no deal.

CONTRACT, *What counts as what*: after a hand cards are being collected, and what they do is no
finding. The riffle is the first movement of the shuffle, so that more of it comes.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from controller.contract.observations import Seen
from controller.contract.zones import seat_of
from controller.hand.places import Places
from controller.rules.hand import Hand

GATHERED_S = 2.0
"""Seconds in which no card that lay on the table is dealt again, nor any other after the riffle or
once cards are spread there: they are gathered, shuffled and cut before."""

CROSSES_S = 0.5
"""Seconds in which a card that is pitched has crossed the middle (CONTRACT, `flicker`)."""


class Shuffle:
    """What was seen of the deck since the last deal, and whether cards at seats have to wait."""

    def __init__(self) -> None:
        """Nothing was seen."""
        self._left: dict[str, float] = {}
        self._spread = -inf
        self._crossed: tuple[str, float, float] | None = None
        self._dealt: Hand | None = None
        self.due: float | None = None
        """When what has come to a seat meanwhile, and lies there still, was dealt."""

    def hand_begins(self) -> None:
        """What was seen before is no part of the hand."""
        self._left, self._spread, self.due, self._crossed = {}, -inf, None, None

    def left(self, tag: str, t: float) -> None:
        """A card left where it lay."""
        self._left[tag] = t

    def spread(self, t: float, tag: str | None = None) -> None:
        """The riffle; or a card came to the middle, as it was taken in or shuffled."""
        self._crossed = None if tag is None else (tag, t, self._spread)
        self._spread = t
        if self.due is not None:
            self.due = t + GATHERED_S

    def flew(self, tag: str, t: float) -> bool:
        """A card comes to a seat: whether it only crossed the middle, right before this. Then
        nothing was spread."""
        if self._crossed is None or self._crossed[0] != tag or t - self._crossed[1] >= CROSSES_S:
            return False
        self._spread, self._crossed = self._crossed[2], None
        self._left.pop(tag, None)
        return True

    def is_gathered(self, tag: str, t: float) -> bool:
        """Whether a card that comes to a seat now may come from the stub."""
        return t >= self._until(tag)

    def _until(self, tag: str) -> float:
        return max(self._spread, self._left.get(tag, -inf)) + GATHERED_S

    # --- after the riffle ---

    def awaits_pitch(self, hand: Hand) -> bool:
        """Whether the deck may still be shuffled: nothing of the hand has been dealt."""
        return hand.awaits_first_card and hand is not self._dealt

    def awaits_first_card(self, hand: Hand) -> bool:
        """Whether nothing of the hand has been dealt, nor come to a seat."""
        return hand.awaits_first_card and self.due is None

    def comes(self, seen: Seen) -> bool:
        """A card comes while a hand awaits its first pitch: whether it is that. One in the middle
        is spread, and one at a seat which may not come from the stub yet has to wait."""
        if seat_of(seen.zone) is None:
            if seen.zone != "stub":
                self.spread(seen.t, seen.tag)
            return False
        self.flew(seen.tag, seen.t)
        if self.is_gathered(seen.tag, seen.t):
            return True
        self.due = max(self.due or -inf, self._until(seen.tag))
        return False

    def over(
        self, hand: Hand, places: Places, is_card: Callable[[str], bool], t: float
    ) -> list[Seen]:
        """The deal begins: what came since the riffle, and lies there still, stays there. What lies
        in the middle came before the deal, or amid it: nobody knows."""
        self._dealt, self.due = hand, None
        at_seats, in_the_middle = [], []
        for tag, zone, since in places.lying():
            pile = zone.partition("/")[0]
            is_new = hand.t <= since < t and places.is_present(tag, pile)
            if not is_new or pile == "stub" or not is_card(tag):
                continue
            if pile == "seat":
                at_seats.append(Seen(since, zone, tag))
            else:
                in_the_middle.append(Seen(t, zone, tag))
        return at_seats + in_the_middle
