"""Nobody misses a blind or pays one twice because of a move, by each book's own words.

Sources: TDA09-24, UK-30, RR7-T-30, HPT-DB-01, HPT-DB-02, NL10-DB-01 (the big blind goes to whoever
is due, the small one follows it); TDA09-26, UK-32 (nobody has the big blind twice running);
TDA09-05, UK-07, UK-09, TDA24-08A3, TDA24-10A (no hand between button and small blind, and anywhere
else one at once); RR7-T-16, HPT-MOVE-05 (at once everywhere); TDA09-06a, TDA24-11A1, RR7-T-15,
HPT-MOVE-07, NL10-SEAT-04 (who moves, and where to).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from controller.rules.balancing import MoveWay
from controller.rules.button import Positions


class Dealt(Struct, frozen=True):
    """A hand as it begins: who sits where with chips, by their entries, the seats that are dealt
    in, and of those who sit there the `new` ones, who have had no hand since they came; by a move
    in one of the ways, or else ''. `anew`: all seats were drawn since the last hand."""

    number: int
    place: Positions
    dealt: frozenset[int]
    sits: Mapping[int, str]
    new: Mapping[int, MoveWay | str] = {}
    anew: bool = False


def of_hand(last: Dealt | None, now: Dealt, *, waits: bool) -> Iterator[str]:
    """A hand after the `last` one of its table. Between button and small blind one `waits`."""
    yield from _dealt_in(last, now, waits=waits and last is not None)
    yield from _movers(now)
    if last is not None and not now.anew:
        yield from _follows(last, now)


def _dealt_in(last: Dealt | None, now: Dealt, *, waits: bool) -> Iterator[str]:
    """Who waits is between the places that button and small blind would have with everybody; but
    where one alone would be left, nobody waits."""
    gap = behind(now.place) if last is None else with_all(last.place, now.sits.keys())
    if len(now.sits.keys() - (now.new.keys() & gap)) < 2:
        gap = set()
    for seat in sorted(now.sits.keys() - now.dealt):
        if seat not in gap or seat not in now.new or not waits:
            yield f"seat {seat} has chips and gets no hand"
    for seat in sorted(now.dealt - now.sits.keys()):
        yield f"seat {seat} is dealt in, and nobody sits there"
    if waits and not now.anew:
        for seat in sorted(now.new.keys() & now.dealt & gap):
            yield f"seat {seat} came between button and small blind and gets a hand there"


def _movers(now: Dealt) -> Iterator[str]:
    for seat, way in now.new.items():
        if way != "worst" or len(now.dealt) < 3:
            continue
        if seat == now.place.small:
            yield f"seat {seat} was moved to the small blind"
        if seat in now.sits and seat not in now.dealt:
            yield f"seat {seat} was moved to where no hand is dealt"


def _follows(last: Dealt, now: Dealt) -> Iterator[str]:
    due = first_after(now.dealt, last.place.big)
    if now.place.big != due:
        yield f"seat {due} was due the big blind, and seat {now.place.big} has it"
    had, has = last.sits.get(last.place.big), now.sits.get(now.place.big)
    if had == has and now.place.big == last.place.big:
        yield f"{has} has the big blind twice running"
    if len(now.dealt) > 2 and now.place.small != last.place.big:
        yield f"seat {last.place.big} was due the small blind, and seat {now.place.small} has it"
    is_due = stays(last.place, now.place.big) and min(len(now.dealt), len(last.dealt)) > 2
    if is_due and now.place.button != last.place.small:
        yield f"seat {last.place.small} was due the button, and seat {now.place.button} has it"
    if len(now.dealt) == 2 and now.place.button != now.place.small:
        yield f"heads-up the button is at seat {now.place.button}, not the small blind"


class Moved(Struct, frozen=True):
    """A move as it is made: from where, with the seats that are taken there and the positions of
    the last hand; and to where, with the same."""

    way: MoveWay
    seat: int
    giving: frozenset[int]
    last: Positions
    to: int
    short: frozenset[int]
    chairs: int
    short_last: Positions


def of_move(move: Moved) -> Iterator[str]:
    """Who moves, and to which chair."""
    due = who_moves(move)
    if due is not None and move.seat != due:
        yield f"seat {due} was due to move, and seat {move.seat} moves"
    if move.to in move.short:
        yield f"the move goes to seat {move.to}, which is taken"
    chair = where_to(move)
    if chair is not None and move.to != chair:
        yield f"the move goes to seat {move.to}, and was due to seat {chair}"


def who_moves(move: Moved) -> int | None:
    """The one who is due the big blind, or sits right of the button; None where it depends on who
    went out last."""
    if move.way == "position":
        return None
    if move.way == "behind-button":
        others = move.giving - {move.last.button}
        return first_after(others, move.last.button, step=-1)
    return first_after(move.giving, move.last.big)


def where_to(move: Moved) -> int | None:
    """The open chair that is due the big blind first, by the worst way without the small blind and
    where no hand is dealt; or the one right of the button."""
    empty = set(range(1, move.chairs + 1)) - move.short
    if move.way == "position" or not empty:
        return None
    if move.way == "behind-button":
        return first_after(empty - {move.short_last.button} or empty, move.short_last.button, -1)
    order = [(move.short_last.big + n - 1) % 10 + 1 for n in range(1, 11)]
    barred = admits_none(move.short_last) if move.way == "worst" else set[int]()
    return next((seat for seat in order if seat in empty and seat not in barred), None)


def admits_none(last: Positions) -> set[int]:
    """The chairs of a table that take nobody by the worst way before its next hand: where the big
    blind was the small one comes, and behind that the button."""
    return {last.big, *between(last.small, last.big)}


def behind(place: Positions) -> set[int]:
    """The chairs between button and small blind."""
    return between(place.button, place.small)


def with_all(last: Positions, seats: Collection[int]) -> set[int]:
    """The chairs between button and small blind in the hand after `last` if all these are dealt in:
    the small blind comes to where the big one was and the button to where the small one was, or,
    if the big blind has come there or is past it, to the last player before the small blind.
    Heads-up the small blind has it."""
    if len(seats) < 3:
        return set()
    big = first_after(seats, last.big)
    others = set(seats) - {last.big}
    button = last.small if stays(last, big) else first_after(others, last.big, step=-1)
    return between(button, last.big)


def stays(last: Positions, big: int) -> bool:
    """Whether the small blind of the last hand is not passed or taken by the next big one."""
    return last.small not in {*between(last.big, big), big}


def between(first: int, second: int) -> set[int]:
    """The chairs left of the first and right of the second; none where they are one."""
    return {(first + n - 1) % 10 + 1 for n in range(1, (second - first) % 10)}


def first_after(seats: Collection[int], seat: int, step: int = 1) -> int:
    """The first of these left of a seat, or with `step` -1 right of it."""
    return min(seats, key=lambda one: ((one - seat) * step - 1) % 10)
