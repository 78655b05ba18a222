"""The tables are as full as their book wants them, break in their order, and halt where they must.

Sources: HPT-MOVE-01, RR7-T-17, UK-09C, TDA09-06d, TDA24-11D1 (how even, and when one halts);
RR7-T-13 (the order); RR7-T-18, HPT-SEAT-04, HPT-SEAT-05, UK-10, TDA09-07, TDA24-RP9A, TDA24-RP9B
(how many are left as all seats are drawn anew).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.rules.button import Positions

_FINAL: Mapping[str, tuple[tuple[int, int], ...]] = {
    "homepokertourney": ((10, 9),),
    "tda-2009": ((10, 10),),
    "tda-2024": ((7, 7), (10, 9)),
    "uk-tda": ((6, 6), (10, 9)),
}
"""How many come to a final table in events of so many chairs or fewer. By the others all come who
have a chair there."""


def of_sizes(sizes: Mapping[str, int], chairs: Mapping[str, int]) -> Iterator[str]:
    """No table has more players than chairs."""
    for table, size in sizes.items():
        if size > chairs[table]:
            yield f"{table} has {size} players and {chairs[table]} chairs"


def gap(book: str, tables: int, house: int | None) -> int:
    """From which difference on somebody has to move: the `house` may have said."""
    if house is not None:
        return house
    return 3 if book == "roberts" and tables > 6 else 2


def halts(
    book: str, table: str, sizes: Mapping[str, int], last: Positions | None, vacated: bool
) -> bool:
    """Whether a table deals no hand until it has another player. `vacated`: the chair that is due
    its big blind was that of somebody who is out, and is empty."""
    if book not in ("uk-tda", "tda-2009", "tda-2024") or table not in sizes:
        return False
    is_short = max(sizes.values()) - sizes[table] >= 3
    return is_short and (book != "tda-2024" or (last is not None and vacated))


def due(book: str, sizes: Mapping[str, int], chairs: Mapping[str, int]) -> int:
    """How many tables there are for so many players once all that is due was done."""
    left, rooms = sum(sizes.values()), [chairs[table] for table in sizes]
    count = len(rooms)
    while count > 1 and left <= min(sum(rooms[: count - 1]), _limit(book, count - 1, max(rooms))):
        count -= 1
    return count


def is_redrawn(book: str, to: int) -> bool:
    """Whether all seats are drawn anew as so many tables are left."""
    return {"roberts": to <= 3, "homepokertourney": to <= 2, "nl-2010": False}.get(book, to == 1)


def _limit(book: str, to: int, chairs: int) -> int:
    if book == "homepokertourney" and to == 2:
        return 18
    sizes = _FINAL.get(book) if to == 1 else None
    if sizes is None:
        return 1_000_000
    return next(size for most, size in sizes if chairs <= most)


def of_break(
    book: str, before: Mapping[str, int], after: Mapping[str, int], chairs: Mapping[str, int]
) -> Iterator[str]:
    """Tables broke: the last ones of the list, and no more than were due."""
    order = list(before)
    stay = due(book, before, chairs)
    if list(after) != order[: max(stay, len(after))] or len(after) == len(order):
        yield f"of {', '.join(order)} stay {', '.join(after)}, and {stay} were due to"
    if sum(before.values()) != sum(after.values()):
        yield f"{sum(before.values())} players sat before the break, {sum(after.values())} after it"
