"""Blind structures made to measure: pure arithmetic from players, chips and hours to levels.

A no-limit tournament is over when the big blind is about a twenty-fifth of all chips in play:
two or three players are left then, with ten big blinds each. So the last level gets that big
blind, the first a comfortable depth, and the levels between rise evenly.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf, log
from typing import NamedTuple

from msgspec import Struct

from controller.contract.events import AnteBy, Blinds
from controller.room.structure import Entry, Structure, StructureError, check

END_SHARE = (20, 30)
"""At the end all chips are so many big blinds."""
_MIDDLE_SHARE = 25
_STEPS = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 8)
_ODD = (2.5, 7.5)  # they keep small chips in play for long
_MINUTE_MS = 60_000
_USUAL_MINUTES = 20
_STEEP, _TOO_STEEP = 2.0, 3.0  # times the level before
_ANTE_FROM = 3  # levels without one


class FitError(StructureError):
    """There is no schedule for these wishes; the text is one line for the user."""


class Breaks(Struct, frozen=True):
    """A break of `length` minutes at the end of the level that ends nearest to `every` minutes
    of play after the one before."""

    every: int
    length: int


def fit(
    start: Structure | int,
    *,
    players: int,
    hours: float,
    chips: Sequence[int] = (),
    breaks: Breaks | None = None,
    ante: bool = False,
    name: str = "",
) -> Structure:
    """The schedule for so many players that is over after about so many hours, breaks included.

    `start` is the starting stack, with `chips` as the values in play, or a structure whose
    levels are chosen from and whose stack and chips count, where it has them. All levels are
    equally long, in whole minutes; the whole is within half a level of `hours`. With `ante` the
    big blind pays one of its own size from the fourth level on. Raises FitError.
    """
    stack, chips = _money(start, tuple(sorted(set(chips))))
    if players < 2:
        raise FitError(f"{players} players: at least 2 are needed")
    if not 0 < hours <= 48:
        raise FitError(f"{hours:g} hours: it has to be between 0 and 48")
    if breaks is not None and (breaks.every < 1 or breaks.length < 1):
        raise FitError(f"breaks of {breaks.length} every {breaks.every} minutes take no time")
    ladder = _ladder(start, stack, chips[0] if chips else 1, players * stack, hours)
    plan = _plan(round(hours * 60), len(ladder), log(ladder[-1].big / ladder[0].big), breaks)
    levels = _chosen(ladder, plan.levels)
    if ante:
        levels = [
            Blinds(each.small, each.big, each.big if number >= _ANTE_FROM else 0)
            for number, each in enumerate(levels)
        ]
    given = f"{players} players, {hours:g} hours"
    entries = _raced_off(_with_breaks(levels, plan, breaks), chips)
    ante_by: AnteBy = start.ante_by if isinstance(start, Structure) else "each"
    if ante:
        ante_by = "big-blind"
    fitted = Structure(name or given, entries, stack, chips, f"fitted: {given}", ante_by)
    check(fitted)
    return fitted


class _Plan(NamedTuple):
    levels: int
    minutes: int
    breaks: tuple[int, ...]  # after so many levels each


def _money(start: Structure | int, chips: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    if isinstance(start, Structure):
        chips = chips or start.chips
        if start.stack is None:
            raise FitError(f"{start.name!r} has no starting stack; give one")
        stack = start.stack
    else:
        stack = start
    if stack < 1 or (chips and chips[0] < 1):
        raise FitError("a stack and chips are whole numbers above 0")
    if chips and stack % chips[0]:
        raise FitError(f"a stack of {stack} can't be made of chips of {chips[0]}")
    return stack, chips


def _ladder(
    start: Structure | int, stack: int, chip: int, total: int, hours: float
) -> list[Blinds]:
    """All levels that may be played, from the first to the last that is played for sure."""
    if isinstance(start, Structure):
        given = {each.blinds.big: each.blinds for each in start.entries if each.blinds}
        some = [blinds for big, blinds in sorted(given.items()) if _payable(blinds, chip)]
    else:
        some = [Blinds(small, 2 * small) for small in _smalls(chip, total)]
    low, high = total / END_SHARE[1], total / END_SHARE[0]
    ends = [each for each in some if low <= each.big <= high]
    if not ends:
        raise FitError(
            f"none of these blinds end a tournament with {total} chips in "
            f"play: a big blind of {ceil(low)} to {int(high)} is needed"
        )
    end = min(ends, key=lambda each: (_is_odd(each), abs(log(each.big * _MIDDLE_SHARE / total))))
    depth = min(200.0, max(40.0, 25 * hours))
    beginnings = [each for each in some if each.big < end.big] or [end]
    first = max((e for e in beginnings if e.big * depth <= stack), key=_big, default=beginnings[0])
    return [each for each in some if first.big <= each.big <= end.big]


def _big(blinds: Blinds) -> int:
    return blinds.big


def _payable(blinds: Blinds, chip: int) -> bool:
    return not any(amount % chip for amount in (blinds.small, blinds.big, blinds.ante))


def _smalls(chip: int, total: int) -> list[int]:
    """Small blinds that are easily said and paid with chips of that value."""
    found, scale = {chip, 2 * chip}, 1
    while scale <= total:
        found |= {int(step * scale) for step in _STEPS if step * scale == int(step * scale)}
        scale *= 10
    return sorted(small for small in found if small % chip == 0 and 2 * small <= total)


def _is_odd(blinds: Blinds) -> bool:
    digits = f"{blinds.small}".rstrip("0")
    return digits in {f"{step:g}".replace(".", "") for step in _ODD} and blinds.small > 100


def _plan(wanted: int, most: int, rise: float, breaks: Breaks | None) -> _Plan:
    """How many levels of how many minutes: near the wanted length and near what is usual."""
    best, least_cost = None, inf
    for count in range(1, most + 1):
        steep = rise / max(1, count - 1)
        if steep > log(_TOO_STEEP):
            continue
        for minutes in range(1, wanted + 1):
            if count * minutes > wanted + minutes / 2:
                break
            after = _break_places(count, minutes, breaks)
            pauses = len(after) * breaks.length if breaks is not None else 0
            off = abs(count * minutes + pauses - wanted)
            if off > minutes / 2:
                continue
            cost = abs(log(minutes / _USUAL_MINUTES)) + off / minutes / 2
            cost += 4 * max(0.0, steep - log(_STEEP))
            if cost < least_cost:
                best, least_cost = _Plan(count, minutes, after), cost
    if best is None:
        raise FitError(
            f"{wanted} minutes can't be made of equal levels and these breaks; "
            "give more time or fewer breaks"
        )
    return best


def _break_places(count: int, minutes: int, breaks: Breaks | None) -> tuple[int, ...]:
    if breaks is None:
        return ()
    every = max(1, round(breaks.every / minutes))
    return tuple(range(every, count, every))


def _chosen(ladder: list[Blinds], count: int) -> list[Blinds]:
    """So many of the ladder, the first and the last among them, that rise most evenly."""
    if count == 1:
        return [ladder[-1]]
    first, rise = log(ladder[0].big), log(ladder[-1].big / ladder[0].big)
    costs: list[list[tuple[float, int]]] = [
        [(0.0 if place == 0 else inf, -1) for place in range(len(ladder))]
    ]
    for number in range(1, count):
        ideal = first + rise * number / (count - 1)
        row, best = [(inf, -1)], (inf, -1)
        for place in range(1, len(ladder)):
            best = min(best, (costs[-1][place - 1][0], place - 1))
            miss = (log(ladder[place].big) - ideal) ** 2 + 0.02 * _is_odd(ladder[place])
            row.append((best[0] + miss, best[1]))
        costs.append(row)
    place, path = len(ladder) - 1, []
    for row in reversed(costs):
        path.append(ladder[place])
        place = row[place][1]
    return path[::-1]


def _with_breaks(levels: Sequence[Blinds], plan: _Plan, breaks: Breaks | None) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    for number, blinds in enumerate(levels, 1):
        entries.append(Entry(plan.minutes * _MINUTE_MS, blinds))
        if breaks is not None and number in plan.breaks:
            entries.append(Entry(breaks.length * _MINUTE_MS, None))
    return tuple(entries)


def _raced_off(entries: Sequence[Entry], chips: tuple[int, ...]) -> tuple[Entry, ...]:
    """Chips leave play at the first break, without breaks the first level, that needs them no
    more; never the last two values, and not before somebody has played with them."""
    has_breaks = any(entry.blinds is None for entry in entries)
    in_play, found = list(chips), []
    for number, entry in enumerate(entries):
        gone: list[int] = []
        if number and (entry.blinds is None or not has_breaks):
            later = [each.blinds for each in entries[number:] if each.blinds is not None]
            while len(in_play) > 2 and all(_payable(each, in_play[1]) for each in later):
                gone.append(in_play.pop(0))
        found.append(Entry(entry.duration_ms, entry.blinds, tuple(gone)))
    return tuple(found)
