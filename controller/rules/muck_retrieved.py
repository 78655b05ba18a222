"""Muck retrieved: a card that was in the muck came back to a seat.

RR7-DEAD-2: the floor may have a hand retrieved that is clearly identifiable. UK-13, UK-59: a hand
stays in play only if it is identified with certainty. Whatever the book, the floor decides, and is
told at which seat the card lay before.

A folded card may brush a seat on its way, and a neighbour's antenna may read what lies in the
muck: the card must rest at the seat for `settle` and be in the muck no more. Who retrieved it, and
whether on the floor's word, no sensor can tell.
"""

from __future__ import annotations

from controller.rules.deal_rule import DealRule


class MuckRetrieved(DealRule):
    """The irregularity `muck-retrieved`."""

    def __init__(self) -> None:
        """The fact `by-order` never holds by itself: it is the outcome that the floor may order."""
        super().__init__("muck-retrieved", "by-order")
