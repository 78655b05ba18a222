"""What is played in a simulated tournament: all of it follows from the seed."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from controller.contract.events import AnteBy, Blinds
from controller.room.money import Prices, Split
from controller.room.structure import Entry, Structure

STACK = 10_000
_MINUTE_MS = 60_000
_LEVEL_MS = 12 * _MINUTE_MS
_FIRST_BIG = 100
_CHIPS = (25, 100, 500, 1_000, 5_000, 25_000, 100_000, 500_000)
_RISES = 1.5
_LEVELS_BETWEEN_BREAKS = 6
_LAST_BIG = 4
"""At the last level there are so many big blinds for everybody together."""
LATE_LEVELS = 4


class MoneyPlan(Struct, frozen=True):
    """What the house asks and how the purse is parted: `by_amounts` once nothing is sold any more.
    `deal`: the last players make one."""

    prices: Prices
    split: Split = Split()
    by_amounts: bool = False
    deal: bool = False


class Plan(Struct, frozen=True):
    """So many `players` enter before the start and `late` after it, and the tables have so many
    `chairs`. `house_gap`: from another difference than the book's on tables are kept even.
    `hand_for_hand`: so it is played shortly before the money."""

    book: str
    seed: int
    players: int
    late: int
    chairs: int
    rebuys: bool
    re_entries: bool
    add_ons: bool
    structure: Structure
    money: MoneyPlan
    house_gap: int | None = None
    hand_for_hand: bool = False

    @property
    def tables(self) -> int:
        """How many tables there are, with a seat for everybody."""
        return -(-(self.players + self.late) // self.chairs)

    @property
    def sells_until(self) -> int:
        """After this level nobody enters and nothing is sold."""
        is_open = self.late or self.rebuys or self.re_entries or self.add_ons
        return LATE_LEVELS if is_open else 0


def plan(book: str, seed: int, players: int) -> Plan:
    """What the seed says of a tournament of so many players by a book."""
    random = Random(f"{book}:{players}:{seed}")  # noqa: S311 - to be repeated
    late = int(players * random.choice((0, 0, 0.05, 0.15)))
    return Plan(
        book=book,
        seed=seed,
        players=players - late,
        late=late,
        chairs=random.choice((6, 7, 8, 9, 9, 9, 10, 10)),
        rebuys=random.random() < 0.3,
        re_entries=random.random() < 0.4,
        add_ons=random.random() < 0.3,
        structure=structure(
            players,
            random.choice(("each", "big-blind")),
            on_breaks=random.random() < 0.5,
        ),
        house_gap=random.choice((None, None, None, None, 3)),
        money=_money(random, players),
        hand_for_hand=random.random() < 0.6,
    )


def _money(random: Random, players: int) -> MoneyPlan:
    """Amounts that can't be parted well, too."""
    buy_in = random.choice((0, 2_000, 3_333, 11_000))
    prices = Prices(
        buy_in=buy_in,
        fee=random.choice((0, 500)),
        re_entry=random.choice((None, buy_in + 1)),
        rebuy=random.choice((None, 1_499)),
        add_on=random.choice((None, 1_000)),
        guarantee=random.choice((0, buy_in * players * 5 // 4)),
        unit=random.choice((1, 100, 500)),
    )
    places = Split(places=random.randint(1, max(1, players // 2)))
    split = random.choice((Split(), Split(), places, places, places, *map(_by_percent, _PARTS)))
    return MoneyPlan(prices, split, random.random() < 0.2, random.random() < 0.3)


_PARTS = ((5_000, 3_000, 2_000), (3_334, 3_333, 3_333), (4_000, 2_500, 2_000, 1_000, 500))


def _by_percent(hundredths: tuple[int, ...]) -> Split:
    return Split(hundredths=hundredths)


def structure(players: int, ante_by: AnteBy, *, on_breaks: bool) -> Structure:
    """Levels that rise until somebody has won, with breaks. Chips that nothing needs any more leave
    play `on_breaks`, or as soon as a level begins."""
    entries: list[Entry] = []
    big, most = float(_FIRST_BIG), players * STACK / _LAST_BIG
    smallest = _CHIPS[0]
    while not entries or big < most * _RISES:
        chip, is_break = _chip(big), _is_break(len(entries))
        gone: tuple[int, ...] = ()
        if is_break or not on_breaks:
            gone = tuple(one for one in _CHIPS if smallest <= one < chip)
            smallest = max(smallest, chip)
        if is_break:
            entries.append(Entry(10 * _MINUTE_MS, None, gone))
        rounded = round(big / (2 * chip)) * 2 * chip
        each = rounded if ante_by == "big-blind" else max(chip, rounded // 8 // chip * chip)
        ante = each if len(entries) >= 3 else 0
        blinds = Blinds(rounded // 2, rounded, ante, ante_by, smallest)
        entries.append(Entry(_LEVEL_MS, blinds, () if is_break else gone))
        big *= _RISES
    return Structure("simulated", tuple(entries), STACK, _CHIPS, ante_by=ante_by)


def _is_break(index: int) -> bool:
    return index % (_LEVELS_BETWEEN_BREAKS + 1) == _LEVELS_BETWEEN_BREAKS


def _chip(big: float) -> int:
    """The smallest chip that a level needs."""
    return max(one for one in _CHIPS if one * 16 <= big or one == _CHIPS[0])
