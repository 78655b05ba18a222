"""Hands that begin without a riffle, and with another deck: what their first cards tell.

Two seats have cards that were at no seat before.

A winner who lifts the cards and puts them back starts nothing (contract, *What counts as what*).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple, TypeVar

from controller.contract.observations import Boxed, Exposed, Observation, Seen
from controller.contract.zones import seat_of
from controller.engine.shuffle import Shuffle
from controller.hand.places import Places

PITCH_PAUSE = 2.0
"""Seconds without a pitch after which a deal is not the same one any more."""
DEAL_GAP = 5.0
"""Seconds after which a card at a seat is not taken for the beginning of a deal any more."""
MOST_SAID = 8
"""How many entries about single cards are kept until a deal is known to have begun."""


T = TypeVar("T")


def deck_shown(
    seen: Seen,
    first_cards: Callable[[Seen], Collection[str]],
    deck_of: Callable[[str], T],
    in_play: T,
) -> T | None:
    """The deck to which this reading shows a table to have changed, if it does: all the first
    cards of a deal are of it. `first_cards` gives those of a deal that begins; `deck_of` says of
    which deck a tag is, which is the one `in_play` for a tag of none."""
    deck = deck_of(seen.tag)
    if deck == in_play:
        return None
    first = first_cards(seen)
    return deck if first and all(deck_of(tag) == deck for tag in first) else None


class _Pitch(NamedTuple):
    """A card that came to a seat; `is_new` if it may be a new hand's."""

    t: float
    seat: int
    tag: str
    is_new: bool


class FirstCards:
    """The cards that come to seats between two hands, and what is said of them."""

    def __init__(self, shuffle: Shuffle) -> None:
        """Before the first hand no card was at a seat."""
        self._shuffle = shuffle
        self._was_at_seat: dict[str, int] = {}
        self._own: dict[str, int] = {}
        self._pitched: list[_Pitch] = []
        self._before: list[_Pitch] = []
        self._said: list[Exposed | Boxed] = []

    def hand_over(self, places: Places, dealt: Iterable[tuple[float, int, str]] = ()) -> None:
        """A hand is over: what lies at seats now begins none, nor does what comes back to where it
        was `dealt`, lifted while it was played."""
        self._was_at_seat = places.at_seats()
        self._own = {tag: seat for _, seat, tag in dealt}
        self._pitched = []

    def taken_in(self, dealt: Iterable[tuple[float, int, str]]) -> None:
        """No card lies at a seat any more. One that comes back to where it was `dealt` begins no
        hand: somebody had lifted it; every other one may."""
        self._was_at_seat, self._own = {}, {tag: seat for _, seat, tag in dealt}
        self._pitched = []

    def spread(self, seen: Seen) -> None:
        """A card came to the middle: what has come to seats was no deal."""
        self._shuffle.spread(seen.t, seen.tag)
        self._before, self._pitched = self._pitched, []

    def is_new(self, tag: str) -> bool:
        """Whether a card lay at no seat when the last hand ended."""
        return tag not in self._was_at_seat

    def comes_back(self, read: Observation) -> bool:
        """Whether this is a card that was dealt to this seat before, or is not gathered yet."""
        if not isinstance(read, Seen) or (seat := seat_of(read.zone)) is None:
            return False
        return self._own.get(read.tag) == seat or not self._shuffle.is_gathered(read.tag, read.t)

    def hand_begins(self) -> None:
        """What was said belongs to this hand, or to none."""
        self._said = []

    def say(self, said: Exposed | Boxed) -> None:
        """Kept as long as a deal may have begun of which one seat's cards have been read."""
        if self._pitched:
            self._said = [*self._said, said][-MOST_SAID:]

    def came(self, seen: Seen, places: Places) -> tuple[Seen | Exposed | Boxed, ...]:
        """A card came to a seat: with what a hand began, if one has."""
        if self._shuffle.flew(seen.tag, seen.t):
            self._pitched = self._before
        self._pitched, fresh = self._with(seen, places)
        if len({pitch.seat for pitch in fresh}) < 2:
            return ()
        begin = fresh[0].t
        pitched = [p for p in self._pitched if p in fresh or self._was_pitched(p, begin, places)]
        self._pitched = []
        cards = [Seen(p.t, f"seat/{p.seat}", p.tag) for p in pitched]
        said = [one for one in self._said if one.t >= cards[0].t]
        return tuple(sorted((*cards, *said), key=lambda one: one.t))

    def would_begin(self, seen: Seen, places: Places) -> tuple[str, ...]:
        """The tags with which a hand would begin by this card; none if it begins no hand."""
        _, fresh = self._with(seen, places)
        return tuple(p.tag for p in fresh) if len({p.seat for p in fresh}) > 1 else ()

    def _with(self, seen: Seen, places: Places) -> tuple[list[_Pitch], list[_Pitch]]:
        """The cards that may have been pitched, this one the last, and those of them that were at
        no seat before."""
        pitched = [p for p in self._pitched if seen.t - p.t < DEAL_GAP]
        seat = seat_of(seen.zone) or 0
        pitched.append(_Pitch(seen.t, seat, seen.tag, self._is_new(seen)))
        # Nobody pitches two cards to a seat in one instant: they lay there, and are told of now.
        told = Counter((p.t, p.seat) for p in pitched)
        new = [p for p in pitched if p.is_new and (p is pitched[-1] or _lies(p, places))]
        return pitched, [p for p in new if told[p.t, p.seat] == 1]

    def _is_new(self, seen: Seen) -> bool:
        return seen.tag not in self._was_at_seat and not self.comes_back(seen)

    def _was_pitched(self, pitch: _Pitch, begin: float, places: Places) -> bool:
        """Whether a card with which no hand begins belongs to one that began with others: it lay
        at a seat before, and may be dealt like any other, or is looked at already."""
        is_looked_at = pitch.is_new and not places.lies(pitch.tag)
        return begin - pitch.t < DEAL_GAP and (is_looked_at or _lies(pitch, places))


def _lies(pitch: _Pitch, places: Places) -> bool:
    """Whether a card lies where it came. One that brushed a seat as it was collected does not."""
    return places.seat(pitch.tag) == pitch.seat
