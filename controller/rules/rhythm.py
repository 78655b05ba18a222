"""A dealer's rhythm: how well a story of the deal fits the cards as they were read.

A dealer pitches card after card in much the same time, and stops now and then. A story says whom
each pitch was due to; cards that were not read leave a gap of a pitch in it, and a card that was
read late has none of its own. What fits worse is less likely, in the logarithm of odds.
"""

from __future__ import annotations

from collections.abc import Sequence
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
        self._nth = [seats[: i + 1].count(seat) for i, seat in enumerate(seats)]

    def best(self) -> float:
        """The least misfit of all choices."""
        due, dealt = self._due, self._dealt
        until: list[dict[int, float]] = []
        least = inf
        for card, (t, seat) in enumerate(dealt):
            until.append({})
            for pitch in (k for k, owner in enumerate(due) if owner == seat):
                ways = [self._missed(0, pitch) + self._late(0, card, pitch)]
                for before in range(card):
                    late = self._late(before + 1, card, pitch)
                    ways += [
                        misfit
                        + late
                        + self._missed(earlier + 1, pitch)
                        + self._gap(t - dealt[before][0], pitch - earlier)
                        for earlier, misfit in until[before].items()
                        if earlier < pitch
                    ]
                until[card][pitch] = min(ways)
                rest = self._missed(pitch + 1, len(due))
                late = self._late(card + 1, len(dealt), len(due))
                least = min(least, until[card][pitch] + late + rest)
        return least + len(dealt) * log(self._rhythm)

    def _gap(self, seconds: float, pitches: int) -> float:
        off = (seconds / self._rhythm - pitches) / VARIES
        return min(STOPS, off**2 / (2 * pitches)) + log(VARIES * sqrt(2 * pi * pitches))

    def _missed(self, first: int, end: int) -> float:
        """These pitches were not read, or not in time."""
        return UNREAD * (end - first)

    def _late(self, first: int, end: int, pitch: int) -> float:
        """These cards were read late, all of them pitched before this pitch."""
        for card in range(first, end):
            if self._due[:pitch].count(self._dealt[card][1]) < self._nth[card]:
                return inf
        return (LATE - UNREAD) * (end - first)
