"""Every entry has one place, and the places are those in which the players went out.

Sources: HPT-WIN-01, NL10-WIN-01 (in the reverse order); HPT-WIN-02, RR7-T-35 (of one hand by the
stacks with which it began, equal ones share); NL10-WIN-02 (all of one hand share);
TDA24-RP8A (hand for hand all of one round share).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct


class Left(Struct, frozen=True):
    """One who went out, by his entry, and with what he began the hand."""

    entry: str
    began: int


class Out(Struct, frozen=True):
    """Those who went out in one hand, or in one that all tables played: all `share` their places,
    or it goes by the stacks."""

    left: tuple[Left, ...]
    share: bool = False


def shares(book: str, *, in_round: bool) -> bool:
    """Whether all who go out in one hand share their places, or in one that all tables play."""
    return book == "nl-2010" or (book == "tda-2024" and in_round)


def expected(hands: Sequence[Out], winner: str) -> dict[str, int]:
    """The places by the hands in which somebody went out, the first one first."""
    places = {winner: 1}
    better = 1
    for hand in reversed(hands):
        for one in hand.left:
            ahead = 0 if hand.share else sum(other.began > one.began for other in hand.left)
            places[one.entry] = better + ahead + 1
        better += len(hand.left)
    return places


def of_all(told: Sequence[tuple[str, int]], due: Mapping[str, int]) -> Iterator[str]:
    """The places as the room has `told` them, one for each entry, beside those that are `due`."""
    names = Counter(entry for entry, _ in told)
    for entry in sorted(one for one, count in names.items() if count > 1):
        yield f"{entry} has {names[entry]} places"
    for entry in sorted(due.keys() ^ names.keys()):
        yield f"{entry} has {'no place' if entry in due else 'a place and never entered'}"
    for entry, place in told:
        if entry in due and due[entry] != place:
            yield f"{entry} has place {place}, and went out in place {due[entry]}"
    yield from _contiguous(sorted(place for _, place in told))


def _contiguous(places: Sequence[int]) -> Iterator[str]:
    """A place that is shared takes up those after it."""
    for number, place in enumerate(places, 1):
        first = number if number == 1 or place != places[number - 2] else place
        if place != first:
            yield f"place {place} comes where place {number} is due"
            return
