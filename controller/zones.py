"""Names of zones (contract, section 1)."""

from __future__ import annotations

from functools import cache

SEATS = 10


@cache
def seat_of(zone: str) -> int | None:
    """The seat of a zone `seat/1` … `seat/10`; None for any other zone, known or not."""
    pile, _, number = zone.partition("/")
    if pile == "seat" and number.isdecimal() and 1 <= int(number) <= SEATS and number[0] != "0":
        return int(number)
    return None
