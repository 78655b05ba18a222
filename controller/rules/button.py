"""Where the button and the blinds are, and where they go next: the dead button.

Sources: RR7-T-30, UK-30, TDA09-24, HPT-DB-01, HPT-DB-02, NL10-DB-01 (dead button), UK-32,
TDA09-26, HPT-HU-01 (heads-up: nobody has the big blind twice running).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from controller.rules.procedure import clockwise


@dataclass(frozen=True, slots=True)
class Positions:
    """Seats of button, small and big blind. `small` may be an empty seat: then nobody posts it."""

    button: int
    small: int
    big: int


def positions(button: int, seats: Collection[int]) -> Positions:
    """Positions of a hand whose history is not known. Heads-up the button is the small blind."""
    order = clockwise(seats, button)
    if len(order) == 2 and button in seats:
        return Positions(button, button, order[0])
    return Positions(button, order[0], order[1 % len(order)])


def next_positions(last: Positions, seats: Collection[int]) -> Positions:
    """Positions of the hand after `last`. The big blind moves to the next player, the small
    blind to where the big blind was and the button to where the small blind was, whether or
    not somebody still sits there."""
    order = clockwise(seats, last.big)
    big = order[0]
    if len(order) == 2:
        return Positions(order[1], order[1], big)
    return Positions(last.small, last.big, big)
