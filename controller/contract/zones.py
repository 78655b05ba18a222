"""Names of zones (contract, section 1)."""

from __future__ import annotations

from functools import cache

SEATS = 10
SEAT_ZONES = tuple(f"seat/{number}" for number in range(1, SEATS + 1))
BOARD_ZONES = ("board", *(f"board/{number}" for number in range(1, 6)))
ZONES = (*SEAT_ZONES, *BOARD_ZONES, "burn", "muck", "stub")
"""Every zone that a table can have."""


@cache
def seat_of(zone: str) -> int | None:
    """The seat of a zone `seat/1` … `seat/10`; None for any other zone, known or not."""
    pile, _, number = zone.partition("/")
    if pile == "seat" and number.isdecimal() and 1 <= int(number) <= SEATS and number[0] != "0":
        return int(number)
    return None
