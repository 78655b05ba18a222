"""What becomes of the chips of who forfeits them: pure."""

from __future__ import annotations


def shared_evenly(chips: int, among: int, unit: int) -> tuple[int, int]:
    """So many for each of those at his table, in whole chips of `unit`, and the odd ones, which go
    to the bank (HPT-LEAVE-04)."""
    each = chips // (among * unit) * unit if among else 0
    return each, chips - each * among
