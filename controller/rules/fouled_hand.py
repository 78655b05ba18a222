"""Fouled hand: a card from one player's hand is in another player's zone and not in its own.

RR7-DEAD-3 and its RRP twin: cards thrown into another player's hand are dead. We know which card is
whose, so the other hand stays live (UK-59 keeps a hand that is identified with certainty). UK and
TDA 2009 do not say what becomes of the thrown cards; NL 2010 leaves it to Robert's.

The finding names the seat whose card it is. A card that both antennas read is a neighbour's ghost.
"""

from __future__ import annotations

from controller.rules.deal_rule import DealRule


class FouledHand(DealRule):
    """The irregularity `fouled-hand`."""

    def __init__(self) -> None:
        """There is one."""
        super().__init__("fouled-hand")
