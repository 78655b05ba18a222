"""What books say of prizes: which places are paid and how much of the purse each, and what becomes
of the prizes of places that are shared.

Sources: HPT-TBL-PAYOUT (a column by the number of entrants; HPT-PAY-02 is its last one), RR7-T-35
(who go out in one hand with equal stacks receive equal prize money), NL10-WIN-02 (who go out in one
hand split the prizes of their places), HPT-WIN-02 (a bigger stack has the higher place: only equal
ones are left to share).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from controller.rules.betting_rules import Cited

ALL_PERCENT = 100


class Column(Struct, frozen=True, forbid_unknown_fields=True):
    """So many percent of the purse for each place, the first one first, with up to so many
    entrants. They are all of it, and no place has more than the one above."""

    to: int
    percent: tuple[int, ...]

    def __post_init__(self) -> None:
        if sum(self.percent) != ALL_PERCENT:
            raise ValueError(f"{sum(self.percent)} percent are paid, and not all of the purse")
        if list(self.percent) != sorted(self.percent, reverse=True):
            raise ValueError("a place is paid more than the one above it")


class Payouts(Cited, frozen=True, forbid_unknown_fields=True):
    """A book's table of prizes, the column for the fewest entrants first."""

    columns: tuple[Column, ...]

    def column(self, entrants: int) -> tuple[int, ...] | None:
        """What the places are paid; None where the table does not go so far."""
        return next((each.percent for each in self.columns if entrants <= each.to), None)


def shares(prizes: Sequence[int], place: int, count: int) -> tuple[int, ...]:
    """What each of `count` players has who share the places from `place` on: equal parts of their
    prizes. What can't be parted is one more of the smallest coin for each of the first of them."""
    each, odd = divmod(sum(prizes[place - 1 : place - 1 + count]), count)
    return tuple(each + (number < odd) for number in range(count))
