"""When a table breaks, and when all seats are drawn anew.

Sources: RR7-T-13 (tables break in an order that is set before), RR7-T-18, HPT-SEAT-04, HPT-SEAT-05,
UK-10, TDA09-07, TDA24-RP9A, TDA24-RP9B (how many make fewer tables, or the final one).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct

from controller.rules.betting_rules import Cited


class Redraw(Struct, frozen=True, forbid_unknown_fields=True):
    """Once so many players are left, or as many as these have chairs, all are drawn anew to `to`
    tables. `chairs`: in an event whose tables have no more than these."""

    to: int
    at: int | None = None
    chairs: int | None = None


class Redraws(Cited, frozen=True, forbid_unknown_fields=True):
    """When all are drawn anew."""

    when: tuple[Redraw, ...]


@dataclass(frozen=True, slots=True)
class Breaking:
    """These tables stay: `all` are drawn anew to them, or those from the others come to their empty
    chairs."""

    stay: tuple[str, ...]
    all: bool = False


def breaking(
    sizes: Mapping[str, int], chairs: Mapping[str, int], redraws: Sequence[Redraw]
) -> Breaking | None:
    """What is due by how many sit at each table, of which the last one listed breaks first; None
    where nothing is."""
    tables, left = list(sizes), sum(sizes.values())
    most = max((chairs[table] for table in tables), default=0)
    by_to = _in_force(redraws, most)
    for to in sorted(by_to):
        stay, redraw = tables[:to], by_to[to]
        room = sum(chairs[table] for table in stay)
        if len(tables) > to and left <= min(room, redraw.at or room):
            return Breaking(tuple(stay), all=True)
    stay = tables[:-1]
    if not stay or len(stay) in by_to or left > sum(chairs[table] for table in stay):
        return None
    return Breaking(tuple(stay))


def _in_force(redraws: Sequence[Redraw], chairs: int) -> dict[int, Redraw]:
    """Of several for as many tables that for the fewest chairs which these are."""
    fit = [each for each in redraws if each.chairs is None or chairs <= each.chairs]
    fit.sort(key=lambda each: (each.chairs is None, each.chairs or 0), reverse=True)
    return {each.to: each for each in fit}
