"""Every cent that is paid in is paid out, to those who have the places.

Sources: HPT-PAY-01, HPT-PAY-03 (all of it is paid, and what it is); HPT-BUY-02 (a rebuy costs what
the entry did); HPT-TBL-PAYOUT (the parts by the number of entries); RR7-T-35, NL10-WIN-02 (who
share places have the same); HPT-WIN-03, RR7-T-37 (a deal).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

_BY_ENTRIES: Mapping[str, tuple[tuple[int, tuple[int, ...]], ...]] = {
    "homepokertourney": (
        (10, (50, 30, 20)),
        (20, (50, 25, 15, 10)),
        (30, (40, 25, 20, 10, 5)),
    ),
}
"""Up to so many entries: so many percent for each place."""


class Sales(Struct, frozen=True):
    """So many were `sold` of what, what one costs for the purse and for the house's fee, what is
    still owed, and what the house guarantees."""

    sold: Mapping[str, int]
    price: Mapping[str, int]
    fee: Mapping[str, int]
    owed: int = 0
    guarantee: int = 0

    @property
    def brought(self) -> int:
        """What all of it brings for the purse."""
        return sum(count * self.price[what] for what, count in self.sold.items())

    @property
    def fees(self) -> int:
        """What of it is the house's."""
        return sum(count * self.fee.get(what, 0) for what, count in self.sold.items())

    @property
    def purse(self) -> int:
        """What is to be paid out."""
        return max(self.brought, self.guarantee)


class Told(Struct, frozen=True):
    """What the room says of the money."""

    purse: int
    fees: int
    collected: int | None
    owed: int | None


def of_sales(sales: Sales, told: Told) -> Iterator[str]:
    """The purse is what was sold, and what the house adds up to what it guarantees."""
    due = sales.brought + sales.fees - sales.owed
    for name, said, is_ in (
        ("the purse", told.purse, sales.purse),
        ("the fees", told.fees, sales.fees),
        ("what is owed", told.owed, sales.owed),
        ("what was collected", told.collected, due),
    ):
        if said != is_:
            yield f"{name} is {is_:,}, and the room says {said}"


class Line(Struct, frozen=True):
    """A line of the payout sheet: the place, which `shared` players have, what they are paid, and
    who it is. `share`: so much is his by a deal, and of the winner what was left at stake."""

    place: int | None
    amount: int
    who: str = ""
    shared: int = 1
    share: int | None = None


def of_sheet(lines: Sequence[Line], purse: int, pays: Sequence[int]) -> Iterator[str]:
    """What all lines pay is the purse. `pays` is for each place, where that is known otherwise."""
    paid = sum(one.amount for one in lines)
    if paid != purse:
        yield f"{paid:,} is paid of a purse of {purse:,}"
    for one in lines:
        if one.amount < 0:
            yield f"{one.who} is paid {one.amount:,}"
        if one.share is not None and one.amount != one.share:
            yield f"{one.who} is paid {one.amount:,}, and by the deal {one.share:,}"
    for who, count in Counter(one.who for one in lines if one.who).items():
        if count > 1:
            yield f"{who} is paid {count} times"
    by_place: dict[int, list[Line]] = {}
    for one in lines:
        if one.share is None and one.place is not None:
            by_place.setdefault(one.place, []).append(one)
    yield from _of_places(by_place, pays)


def _of_places(by_place: Mapping[int, Sequence[Line]], pays: Sequence[int]) -> Iterator[str]:
    for place, there in by_place.items():
        amounts = [one.amount for one in there]
        if max(amounts) - min(amounts) > 1:
            yield f"{len(there)} share place {place} and are paid {amounts}"
        due = sum(pays[place - 1 : place - 1 + there[0].shared])
        if pays and sum(amounts) != due:
            yield f"place {place} is paid {sum(amounts):,}, and {due:,} is due"
    for better, worse in pairwise(sorted(by_place)):
        if min(one.amount for one in by_place[better]) < max(o.amount for o in by_place[worse]):
            yield f"place {worse} is paid more than place {better}"


def by_percent(purse: int, hundredths: Sequence[int], unit: int) -> list[int]:
    """What each place has of a purse in whole units; the first one has what is left over."""
    below = [purse * each // 10_000 // unit * unit for each in hundredths[1:]]
    return [purse - sum(below), *below]


def by_book(book: str, entries: int, purse: int, unit: int) -> list[int] | None:
    """What the places are paid by the table of a book; None where it has none for so many."""
    column = next((part for most, part in _BY_ENTRIES.get(book, ()) if entries <= most), None)
    return None if column is None else by_percent(purse, [each * 100 for each in column], unit)


def of_paid(paid: Iterable[tuple[str, int]], lines: Sequence[Line]) -> Iterator[str]:
    """At the end each who is on the sheet has had that, once."""
    had = Counter[str]()
    for who, amount in paid:
        had[who] += amount
    due = {one.who: one.amount for one in lines}
    for who in sorted(had.keys() | due.keys()):
        if had[who] != due.get(who, 0):
            yield f"{who} has been paid {had[who]:,}, and {due.get(who, 0):,} is due"
