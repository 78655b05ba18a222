"""Where the button and the blinds are, and where they go next.

Sources: RR7-T-30, UK-30, TDA09-24, HPT-DB-01, HPT-DB-02, NL10-DB-01, RR7-BLIND-2b (dead button),
RR7-BLIND-2a (moving button), UK-32, TDA09-26, HPT-HU-01 (heads-up: nobody has the big blind
twice running), RR7-BLIND-4, RR7-T-31 (heads-up the small blind has the button), RR7-IRR-1 (a
hand that was played from the wrong place).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from controller.contract.zones import SEATS
from controller.rules.procedure import clockwise

ButtonRule = Literal["dead", "moving"]
"""`dead`: the big blind goes to whoever is due, and button or small blind may be at a seat where
nobody sits. `moving`: the button goes to the next player, and the blinds are left of it."""


@dataclass(frozen=True, slots=True)
class Positions:
    """Seats of button, small and big blind. `small` may be an empty seat: then nobody posts it.
    `more` are seats that post a big blind as well."""

    button: int
    small: int
    big: int
    more: tuple[int, ...] = ()


def positions(button: int, seats: Collection[int]) -> Positions:
    """Positions of a hand whose history is not known. Heads-up the button is the small blind,
    and where nobody sits at it the first player to its left has it."""
    order = clockwise(seats, button)
    if len(order) == 2:
        small = button if button in order else order[0]
        return Positions(small, small, clockwise(order, small)[0])
    return Positions(button, order[0], order[1])


def is_dead(place: Positions, seats: Collection[int]) -> bool:
    """Whether the button is at a seat that is not dealt in."""
    return place.button not in seats


def puck_seats(place: Positions, seats: Collection[int], *, stays: bool) -> frozenset[int]:
    """Where the puck may lie. Where nobody plays at the button's seat and the button `stays` when
    the small blind is out (HPT-DB-02, NL10-DB-02), it may also lie anywhere from the last player
    on: cards, blinds and action are the same."""
    if not (stays and is_dead(place, seats)):
        return frozenset({place.button})
    last = clockwise(seats, place.button)[-1]
    passed = (place.button - last) % SEATS
    return frozenset((place.button - back - 1) % SEATS + 1 for back in range(passed + 1))


def next_positions(last: Positions, seats: Collection[int], rule: ButtonRule = "dead") -> Positions:
    """Positions of the hand after `last`, for at least two seats.

    With a dead button the big blind moves to the next player, the small blind to where the big
    blind was and the button to where the small blind was, whether or not somebody still sits
    there. After heads-up the button has no such place if the next big blind is there: then the
    last player before the small blind has it. With a moving one who is passed over by the big
    blind posts one too (RR7-BLIND-2a).
    """
    if rule == "moving":
        place = positions(clockwise(seats, last.button)[0], seats)
        return replace(place, more=_passed_over(last, place, seats))
    order = clockwise(seats, last.big)
    big = order[0]
    if len(order) == 2:
        return Positions(order[1], order[1], big)
    button = last.small
    if clockwise((button, last.big), big)[0] != button:
        button = next(s for s in reversed(order) if s != last.big)
    return Positions(button, last.big, big)


def _passed_over(last: Positions, place: Positions, seats: Collection[int]) -> tuple[int, ...]:
    """Who was due the big blind before it came to where it is; none where it has not moved on,
    since somebody sat down before it."""
    if last.button == last.small or len(seats) == 2:
        return ()
    order = clockwise(range(1, SEATS + 1), last.button)
    between = order[order.index(last.big) + 1 : order.index(place.big)]
    return tuple(seat for seat in between if seat in seats)


def has_passed(last: Positions, button: int, seat: int) -> bool:
    """Whether the button passes a seat as it moves from where it was in the `last` hand. Who has
    come between button and small blind gets no hand there (UK-07, UK-09, TDA09-05, TDA24-10A;
    RR7-BLIND-8: nor between big blind and button, which is passed in the same hand); heads-up it is
    only those, as the button goes back and forth."""
    if seat in _between(last.small, last.big):
        return False
    return last.button == last.small or seat in (*_between(last.button, button), button)


def comes_behind(last: Positions, seats: Collection[int], chair: int) -> bool:
    """Whether a chair is between button and small blind in the hand after `last`, with these
    `seats`: who comes there has to wait (UK-07, TDA09-05, TDA24-08A3, TDA24-10A). After heads-up he
    may have the button."""
    if not seats:
        return False
    place = next_positions(last, {*seats, chair})
    return chair in _between(place.button, place.small)


def _between(first: int, second: int) -> list[int]:
    """The chairs left of the first and right of the second."""
    return [(first + n - 1) % SEATS + 1 for n in range(1, (second - first) % SEATS)]


def had_ahead(
    place: Positions, played: Positions, seats: Collection[int], rule: ButtonRule
) -> int | None:
    """After a hand that was `played` from the wrong place everyone gets each position once, if
    possible (RR7-IRR-1): those of `place`, where it belonged, are due in the next one. Where the
    wrong ones are the next after them, they have been had: returns the seat of their big blind,
    which is passed over then."""
    follows = next_positions(place, seats, rule)
    return played.big if follows.big == played.big and len(seats) > 2 else None
