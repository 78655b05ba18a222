"""Muck retrieved: a card that was in the muck came back to a seat.

RR7-DEAD-2: the floor may have a clearly identifiable hand retrieved. UK-13, UK-59: a hand only
stays in play if it is identified with certainty. Whatever the book, the floor decides, and is told
at which seat the card was before.

A folded card may brush a seat on its way, and a neighbour's antenna may read what is in the muck:
the card has to rest at the seat for `settle` and no longer be in the muck. No sensor can tell who
retrieved it, or whether the floor said so.
"""

from __future__ import annotations

from controller.rules.deal_rule import DealRule


class MuckRetrieved(DealRule):
    """The irregularity `muck-retrieved`."""

    def __init__(self) -> None:
        """The fact `by-order` never holds by itself: it is the outcome that the floor may order."""
        super().__init__("muck-retrieved", "by-order")
