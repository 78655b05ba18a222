"""Chips that leave play are raced by the book, and the totals are what the race has made them.

Sources: RR7-T-10, RR7-TIES-1 (a card for each odd chip, the highest by rank and suit wins, who has
no chips left is served first, and half a chip counts as one); UK-22A, TDA09-16, NL10-HR-08,
TDA24-24A1, TDA24-24A2 (at most one chip each, and nobody is raced out).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

_ORDER = {rank: n for n, rank in enumerate("23456789TJQKA")}, {s: n for n, s in enumerate("cdhs")}


class Raced(Struct, frozen=True):
    """A seat: its stack before and after, and a card for each odd chip."""

    seat: int
    before: int
    after: int
    cards: tuple[str, ...] = ()


_SERVED_FIRST = ("roberts", "homepokertourney")
"""The second is silent, and rests on the first."""


def of_race(book: str, goes: int, into: int, seats: Sequence[Raced], told: int) -> Iterator[str]:
    """Chips of `goes` became chips of `into`; the room has `told` what that has added."""
    added = sum(one.after - one.before for one in seats)
    if added != told:
        yield f"a race has added {added:,} chips, and the room says {told:,}"
    for one in seats:
        if one.before and not one.after:
            yield f"seat {one.seat} is raced out"
        if one.after % into:
            yield f"seat {one.seat} has {one.after:,} chips, and the smallest is {into:,}"
        if (odd := one.before % into // goes) != len(one.cards):
            yield f"seat {one.seat} has {odd} odd chips and {len(one.cards)} cards"
    due = served_first(goes, into, seats) if book in _SERVED_FIRST else one_each(goes, into, seats)
    for one in seats:
        won = (one.after - one.before + len(one.cards) * goes) // into
        if won != due[one.seat]:
            yield f"seat {one.seat} was due {due[one.seat]} new chips, and has {won}"


def new_chips(goes: int, into: int, odd: int) -> int:
    """How many new chips there are for so many odd ones."""
    whole, rest = divmod(odd * goes, into)
    return whole + (2 * rest >= into)


def one_each(goes: int, into: int, seats: Sequence[Raced]) -> Mapping[int, int]:
    """Those with the highest cards have one each, and who has nothing else left has one more."""
    chips = new_chips(goes, into, sum(len(one.cards) for one in seats))
    racers = sorted((one for one in seats if one.cards), key=_best, reverse=True)
    won = {one.seat for one in racers[:chips]}
    return {one.seat: int(one.seat in won or _is_broke(one, goes)) for one in seats}


def served_first(goes: int, into: int, seats: Sequence[Raced]) -> Mapping[int, int]:
    """The highest cards have one each; before that, who would have nothing left."""
    chips = new_chips(goes, into, sum(len(one.cards) for one in seats))
    cards = sorted(((_rank(card), one) for one in seats for card in one.cards), reverse=True)
    first: list[int] = []
    while True:
        won = {one.seat: first.count(one.seat) for one in seats}
        for _, one in cards[: max(0, chips - len(first))]:
            won[one.seat] += 1
        broke = [one.seat for one in seats if _is_broke(one, goes) and not won[one.seat]]
        if not broke:
            return won
        first += broke


def _is_broke(one: Raced, goes: int) -> bool:
    return bool(one.cards) and one.before == len(one.cards) * goes


def _best(one: Raced) -> tuple[int, int]:
    return max(map(_rank, one.cards))


def _rank(card: str) -> tuple[int, int]:
    ranks, suits = _ORDER
    return ranks[card[0]], suits[card[1]]
