"""A dealer's rhythm: how well a story of the deal fits the cards as they were read.

A dealer pitches card after card in much the same time, and stops now and then. A story says whom
each pitch was due to; cards that were not read leave a gap of a pitch in it, and a card that was
read late has none of its own. What fits worse is less likely, in the logarithm of odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import inf, log, pi, sqrt

VARIES = 0.2
"""By how much of the rhythm the time from pitch to pitch varies (standard deviation): gaps up to a
third longer or shorter, and what reading adds."""

STOPS = 6.0
"""What a gap counts at most: one in some hundred is a stop, and says nothing of the rhythm."""

UNREAD = 4.0
"""One card in some fifty is not read."""

LATE = 6.0
"""One in some hundred is read late, anywhere between the next ones."""

_SHORTEST = 0.05

Read = tuple[float, int]
"""When a card was read, and at which seat."""


def misfit(due: Sequence[int], dealt: Sequence[Read]) -> float:
    """How badly it fits that the pitches were `due` to these seats in this order and the cards
    were read as they were `dealt`; infinite if it cannot have been so. At least two cards."""
    return _misfit(tuple(due), tuple(dealt))


@lru_cache(maxsize=256)  # each rule that looks at a deal asks for the same stories
def _misfit(due: tuple[int, ...], dealt: tuple[Read, ...]) -> float:
    return min(_Fit(due, dealt, rhythm).best() for rhythm in _rhythms(dealt))


def _rhythms(dealt: Sequence[Read]) -> set[float]:
    """What the dealer's rhythm may be: that of most cards, or of all of them, one late or not."""
    gaps = sorted(after - t for (t, _), (after, _) in pairwise(dealt))
    span = dealt[-1][0] - dealt[0][0]
    usual = (gaps[(len(gaps) - 1) // 2], gaps[len(gaps) // 2])
    even = (span / len(gaps), span / max(1, len(gaps) - 1))
    return {max(rhythm, _SHORTEST) for rhythm in (*usual, *even)}


class _Fit:
    """One story at one rhythm: which card was which pitch, and which of them were read late."""

    def __init__(self, due: Sequence[int], dealt: Sequence[Read], rhythm: float) -> None:
        self._due = due
        self._dealt = dealt
        self._rhythm = rhythm
        seats = [seat for _, seat in dealt]
        self._pitches = {
            seat: [k for k, owner in enumerate(due) if owner == seat] for seat in seats
        }
        # Before which pitch a card can't have been pitched that was read late: its own.
        nth = [seats[:i].count(seat) for i, seat in enumerate(seats)]
        self._own = [
            self._pitches[seat][n] if n < len(self._pitches[seat]) else inf
            for seat, n in zip(seats, nth, strict=True)
        ]
        self._spread = [log(VARIES * sqrt(2 * pi * pitches)) for pitches in range(1, len(due) + 1)]

    def best(self) -> float:
        """The least misfit of all choices."""
        due, dealt = self._due, self._dealt
        until: list[dict[int, float]] = []
        least = inf
        for card, (_, seat) in enumerate(dealt):
            until.append({pitch: self._until(card, pitch, until) for pitch in self._pitches[seat]})
            late = self._late_at_last(card + 1)
            for pitch, misfit in until[card].items():
                least = min(least, misfit + late + UNREAD * (len(due) - pitch - 1))
        return least + len(dealt) * log(self._rhythm)

    def _until(self, card: int, pitch: int, until: Sequence[dict[int, float]]) -> float:
        """The least misfit of the cards up to this one, if it was this pitch."""
        least, late = inf, 0.0
        t = self._dealt[card][0]
        for before in range(card - 1, -1, -1):
            gap = (t - self._dealt[before][0]) / self._rhythm
            for earlier, misfit in until[before].items():
                if earlier < pitch:
                    pitches = pitch - earlier
                    off = (gap - pitches) / VARIES
                    fits = min(STOPS, off**2 / (2 * pitches)) + self._spread[pitches - 1]
                    least = min(least, misfit + late + UNREAD * (pitches - 1) + fits)
            if self._own[before] >= pitch:
                return least  # it was not pitched yet, so not read late
            late += LATE - UNREAD
        return min(least, UNREAD * pitch + late)

    def _late_at_last(self, first: int) -> float:
        """All cards from here on were read late."""
        rest = self._own[first:]
        return inf if inf in rest else (LATE - UNREAD) * len(rest)
