"""What a period of play comes to: rates, shares and times, out of counts. Pure.

A figure is None where there is too little to say it: a rate of three hands says nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import TypeVar

from msgspec import Struct

BREAK_MS = 600_000
"""Two hands at a table with more than this between them had a break between them."""
ENOUGH_HANDS = 100
"""For a rate for each 1,000 hands."""
ENOUGH_PLAYED_MS = 1_800_000
"""For a rate for each hour."""
ENOUGH_FOUND = 10
"""For a share of what was found, and for a median time."""
ENOUGH_FOR_P90 = 20
"""For the time that nine in ten stay below."""
MOST_BINS = 48
_HOUR_MS = 3_600_000
Count = TypeVar("Count")
_BINS_MS = tuple(hours * _HOUR_MS for hours in (1, 2, 3, 6, 12, 24, 48, 168, 336, 672, 2_016))


class Period(Struct, frozen=True):
    """From `since_ms` up to `until_ms`, at one table or all, in pieces of `bin_ms`."""

    since_ms: int
    until_ms: int
    table: str | None = None
    bin_ms: int = _HOUR_MS


class HandsCount(Struct, frozen=True):
    """Hands that began at a table in a piece of the period, and the time they were played in."""

    table: str
    bin: int
    hands: int
    played_ms: int


class FoundCount(Struct, frozen=True):
    """Findings that are alike; `how` is empty while they are open."""

    table: str
    code: str
    how: str
    basis: str
    asked: bool
    count: int


class LaterCount(Struct, frozen=True):
    """The same by the pieces of the period."""

    bin: int
    how: str
    basis: str
    count: int


class WaitCount(Struct, frozen=True):
    """Findings that were settled within so many tenths of a second."""

    table: str
    code: str
    tenths: int
    count: int


class DealtCount(Struct, frozen=True):
    """Hands that somebody dealt."""

    dealer: str
    hands: int


class Counts(Struct, frozen=True):
    """What a store has counted; `by_dealer` names dealers where `FoundCount` names tables."""

    hands: tuple[HandsCount, ...] = ()
    found: tuple[FoundCount, ...] = ()
    later: tuple[LaterCount, ...] = ()
    waits: tuple[WaitCount, ...] = ()
    dealt: tuple[DealtCount, ...] = ()
    by_dealer: tuple[FoundCount, ...] = ()


class Figures(Struct, frozen=True):
    """One line: of a table, a code, a dealer, or of all.

    `found` = `irregular` + `dismissed` + questions that nobody answered. `asked` began as
    questions. `settled` were put right, ruled or dismissed; half of them within `median_s`,
    nine in ten within `p90_s`. Rates are for each 1,000 of `hands`.
    """

    name: str
    hands: int = 0
    played_ms: int = 0
    found: int = 0
    irregular: int = 0
    dismissed: int = 0
    asked: int = 0
    settled: int = 0
    per_1000: float | None = None
    asked_per_1000: float | None = None
    dismissed_share: float | None = None
    median_s: float | None = None
    p90_s: float | None = None
    hands_per_hour: float | None = None


class Piece(Struct, frozen=True):
    """A piece of the period, which begins at `at_ms`."""

    at_ms: int
    hands: int
    irregular: int
    per_1000: float | None
    hands_per_hour: float | None


class Statistics(Struct, frozen=True):
    """All of a period. Tables and dealers are in the order of their names, codes the most
    frequent first, and pieces follow one another without a hole."""

    period: Period
    whole: Figures
    tables: tuple[Figures, ...]
    codes: tuple[Figures, ...]
    pieces: tuple[Piece, ...]
    dealers: tuple[Figures, ...]


def in_pieces(since_ms: int, until_ms: int, table: str | None = None) -> Period:
    """A period in no more than MOST_BINS pieces, each as long as a person would choose."""
    span = max(1, until_ms - since_ms)
    fitting = (each for each in _BINS_MS if span <= each * MOST_BINS)
    return Period(since_ms, until_ms, table, next(fitting, ceil(span / MOST_BINS)))


def statistics(period: Period, counts: Counts) -> Statistics:
    """What was counted, as figures."""
    hands, played = Counter[str](), Counter[str]()
    for each in counts.hands:
        hands[each.table] += each.hands
        played[each.table] += each.played_ms
    total = hands.total()
    by_table, by_code = _groups(counts.found, _table), _groups(counts.found, _code)
    waits_at, waits_for = _groups(counts.waits, _table), _groups(counts.waits, _code)
    by_dealer = _groups(counts.by_dealer, _table)
    often = {code: sum(each.count for each in found) for code, found in by_code.items()}
    return Statistics(
        period,
        _figures("", total, played.total(), counts.found, counts.waits),
        tuple(
            _figures(name, hands[name], played[name], by_table[name], waits_at[name])
            for name in sorted({*hands, *by_table}, key=_by_number)
        ),
        tuple(
            _figures(code, total, 0, by_code[code], waits_for[code])
            for code in sorted(often, key=lambda code: (-often[code], code))
        ),
        _pieces(period, counts),
        tuple(
            _figures(each.dealer, each.hands, 0, by_dealer[each.dealer], ())
            for each in sorted(counts.dealt, key=lambda each: each.dealer.casefold())
        ),
    )


def is_irregular(how: str, basis: str) -> bool:
    """Whether it did happen: it was seen, or a person has confirmed it or acted upon it."""
    return how in ("remedied", "ruled") or (how != "dismissed" and basis == "seen")


def within(waits: Counter[int], share: float) -> int:
    """The least number that so large a share of them does not exceed; there is at least one."""
    need, passed = ceil(share * waits.total()), 0
    for value in sorted(waits):
        passed += waits[value]
        if passed >= need:
            return value
    raise ValueError("there are none")


def _figures(
    name: str,
    hands: int,
    played_ms: int,
    found: Iterable[FoundCount],
    waits: Iterable[WaitCount],
) -> Figures:
    found = tuple(found)
    count = _sum(found, lambda _each: True)
    irregular = _sum(found, lambda each: is_irregular(each.how, each.basis))
    dismissed = _sum(found, lambda each: each.how == "dismissed")
    asked = _sum(found, lambda each: each.asked)
    took = Counter[int]()
    for each in waits:
        took[each.tenths] += each.count
    settled = took.total()
    return Figures(
        name,
        hands,
        played_ms,
        count,
        irregular,
        dismissed,
        asked,
        settled,
        per_1000=_per_1000(irregular, hands),
        asked_per_1000=_per_1000(asked, hands),
        dismissed_share=dismissed / count if count >= ENOUGH_FOUND else None,
        median_s=within(took, 0.5) / 10 if settled >= ENOUGH_FOUND else None,
        p90_s=within(took, 0.9) / 10 if settled >= ENOUGH_FOR_P90 else None,
        hands_per_hour=_per_hour(hands, played_ms),
    )


def _pieces(period: Period, counts: Counts) -> tuple[Piece, ...]:
    hands, played, irregular = Counter[int](), Counter[int](), Counter[int]()
    for each in counts.hands:
        hands[each.bin] += each.hands
        played[each.bin] += each.played_ms
    for one in counts.later:
        irregular[one.bin] += one.count if is_irregular(one.how, one.basis) else 0
    last = (max(1, period.until_ms - period.since_ms) - 1) // period.bin_ms
    return tuple(
        Piece(
            period.since_ms + n * period.bin_ms,
            hands[n],
            irregular[n],
            _per_1000(irregular[n], hands[n]),
            _per_hour(hands[n], played[n]),
        )
        for n in range(min(last + 1, MOST_BINS + 1))
    )


def _per_1000(count: int, hands: int) -> float | None:
    return 1_000 * count / hands if hands >= ENOUGH_HANDS else None


def _per_hour(hands: int, played_ms: int) -> float | None:
    return hands * _HOUR_MS / played_ms if played_ms >= ENOUGH_PLAYED_MS else None


def _sum(found: Sequence[FoundCount], wanted: Callable[[FoundCount], bool]) -> int:
    return sum(each.count for each in found if wanted(each))


def _groups(counts: Iterable[Count], key: Callable[[Count], str]) -> defaultdict[str, list[Count]]:
    groups: defaultdict[str, list[Count]] = defaultdict(list)
    for each in counts:
        groups[key(each)].append(each)
    return groups


def _table(each: FoundCount | WaitCount) -> str:
    return each.table


def _code(each: FoundCount | WaitCount) -> str:
    return each.code


def _by_number(name: str) -> tuple[str, int, str]:
    """T2 before T10."""
    bare = name.rstrip("0123456789")
    digits = name[len(bare) :]
    return bare, int(digits[:18] or 0), name
