"""Stub fouled: three or more undealt cards turned up where none belong.

RR7-IRR-17 and its RRP twin: the deal is finished with a stub rebuilt as fairly as possible.
UK-RP4-1 to -3: first the original order is tried, then the stub's cards alone are scrambled, and
if they are mixed with muck and burns all of them. NL 2010 leaves it to Robert's; TDA 2009 is
silent.

An antenna reads a card of the stub where it lies; the order of the stub no sensor knows: it is good
again once its cards have been taken up and somebody has entered which way it was done.
"""

from __future__ import annotations

from controller.rules.deal_rule import DealRule

FEWEST = 3
"""So many cards in places where none belong are no brush of an antenna."""


class StubFouled(DealRule):
    """The irregularity `stub-fouled`."""

    def __init__(self) -> None:
        """There is one."""
        super().__init__("stub-fouled", "with-muck", "stub-only")
