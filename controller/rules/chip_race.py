"""Who gets what when a chip leaves play: full sets are exchanged, and a race decides over the rest.

Sources: RR7-T-10, RR7-TIES-1, UK-22A, UK-22C, NL10-HR-08, TDA09-16, TDA24-24A1, TDA24-24A2. By
all of them cards are dealt from seat 1, and no player leaves the event by a race. How many chips it
has only RR7-T-10 says: as many as all odd chips are worth, and one more for a rest of half a chip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Literal

from controller.rules.betting_rules import Cited

RANKS = "23456789TJQKA"
SUITS = "cdhs"
"""The lowest first (RR7-TIES-1)."""
DECK = len(RANKS) * len(SUITS)


class RaceError(ValueError):
    """What was told of a race cannot be so; says what to look at."""


class ChipRace(Cited, frozen=True, forbid_unknown_fields=True):
    """A player gets at most so many of the new chips, or any number. Who would have no chips left
    gets one of them before anybody else (`first`), or one `more` of the smallest in play."""

    broke: Literal["first", "more"]
    most: int | None = None


STEPS = (
    "race-seen",
    "race-sets",
    "race-cards",
    "race-first",
    "race-high",
    "race-one",
    "race-more",
    "race-late",
)
"""What the dealer is told of a race, in this order, where the book has a rule for it."""
USUAL = ChipRace(cites=("UK-22A", "TDA09-16", "NL10-HR-08"), broke="more", most=1)
"""How most books race, for a table of which the book is not known."""


@dataclass(frozen=True, slots=True)
class Racer:
    """A seat with so many `chips` of those that go, and whether it has `others` beside them."""

    seat: int
    chips: int
    others: bool = True


@dataclass(frozen=True, slots=True)
class Change:
    """Chips of `goes` leave play and become chips of `into`; `smallest` is the smallest chip that
    stays."""

    goes: int
    into: int
    smallest: int

    def __post_init__(self) -> None:
        """Raises RaceError for what is no change to a larger chip."""
        if not 0 < self.goes < self.into or not self.goes < self.smallest <= self.into:
            raise RaceError(f"chips of {self.goes} can't be raced for chips of {self.into}")

    @property
    def full_set(self) -> int:
        """So many chips that go are worth whole new ones."""
        return self.into // gcd(self.goes, self.into)

    def odd(self, chips: int) -> int:
        """How many of so many chips are left once full sets were exchanged."""
        return chips % self.full_set

    def odd_of(self, stack: int) -> int | None:
        """How many odd chips a stack must have; None where the larger chips do not tell it."""
        rest = stack % self.into
        return rest // self.goes if self.into % self.goes == 0 and rest % self.goes == 0 else None


@dataclass(frozen=True, slots=True)
class Raced:
    """What becomes of a seat: it had so many `odd` chips, a card for each, and has won so many new
    ones. `kept`: it got one so as not to be out. The values are before and after."""

    seat: int
    odd: int
    won: int
    kept: bool
    before: int
    after: int

    @property
    def difference(self) -> int:
        """What the race has added to the stack; below nothing: taken."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Race:
    """A race that was run: so many new `chips` were in it, beside those that kept somebody in."""

    chips: int
    seats: tuple[Raced, ...]

    @property
    def before(self) -> int:
        """What all odd chips were worth."""
        return sum(each.before for each in self.seats)

    @property
    def after(self) -> int:
        """What has come for them."""
        return sum(each.after for each in self.seats)

    @property
    def difference(self) -> int:
        """What the race has added to the chips in play; below nothing: taken."""
        return self.after - self.before


def new_chips(change: Change, odd: int) -> int:
    """How many new chips a race over so many odd ones has: half a chip counts as one."""
    return (2 * odd * change.goes + change.into) // (2 * change.into)


def cards_to_deal(change: Change, racers: Sequence[Racer]) -> tuple[tuple[int, int], ...]:
    """How many cards each seat gets, in the order of the deal: from seat 1 clockwise, all of a seat
    before the next (RR7-T-10)."""
    return tuple(
        (one.seat, odd)
        for one in sorted(racers, key=lambda one: one.seat)
        if (odd := change.odd(one.chips))
    )


def by_cards(dealt: Mapping[int, Sequence[str]]) -> tuple[int, ...]:
    """The seats of all cards, that of the highest card first; suits rank spades, hearts, diamonds,
    clubs. Raises RaceError for what is no card, and for one that was dealt twice."""
    found = [(_strength(card), seat) for seat, cards in dealt.items() for card in cards]
    counted = Counter(strength for strength, _ in found)
    if (twice := next((s for s, n in counted.items() if n > 1), None)) is not None:
        raise RaceError(f"{RANKS[twice[0]]}{SUITS[twice[1]]} was dealt twice")
    return tuple(seat for _, seat in sorted(found, reverse=True))


def _strength(card: str) -> tuple[int, int]:
    if len(card) == 2 and card[0].upper() in RANKS and card[1].lower() in SUITS:
        return RANKS.index(card[0].upper()), SUITS.index(card[1].lower())
    raise RaceError(f"{card[:10]} is no card: say a rank and a suit, as Ks or Td")


def run(way: ChipRace, change: Change, racers: Sequence[Racer], order: Sequence[int]) -> Race:
    """The race, where `order` are the seats by their cards, the highest first: of all cards that
    were dealt, or of those that win. Raises RaceError where a seat has more places in it than odd
    chips, or where it is too short to tell who wins."""
    odd = {one.seat: change.odd(one.chips) for one in racers}
    if len(odd) < len(racers):
        raise RaceError("a seat is listed twice")
    for seat, places in Counter(order).items():
        if places > odd.get(seat, 0):
            raise RaceError(f"seat {seat} has {odd.get(seat, 0)} odd chips, and no {places} cards")
    chips = new_chips(change, sum(odd.values()))
    only_odd = [o.seat for o in racers if odd[o.seat] and odd[o.seat] == o.chips and not o.others]
    first = _served_first(way, chips, odd, order, only_odd) if way.broke == "first" else ()
    won = Counter(first) + _winners(way, max(0, chips - len(first)), odd, order)
    kept = [s for s in only_odd if not won[s]] if way.broke == "more" else list(first)
    seats = []
    for seat in sorted(odd):
        after = won[seat] * change.into
        if seat in kept and way.broke == "more":
            after += change.smallest
        before = odd[seat] * change.goes
        seats.append(Raced(seat, odd[seat], won[seat], seat in kept, before, after))
    return Race(chips, tuple(seats))


def _winners(
    way: ChipRace, chips: int, odd: Mapping[int, int], order: Sequence[int]
) -> Counter[int]:
    """Whose cards win so many chips."""
    won: Counter[int] = Counter()
    for seat in order:
        if won.total() == chips:
            break
        if way.most is None or won[seat] < way.most:
            won[seat] += 1
    most = sum(odd.values() if way.most is None else (min(n, way.most) for n in odd.values()))
    if won.total() < min(chips, most):
        raise RaceError(f"{min(chips, most)} chips are won, and only {won.total()} are told of")
    return won


def _served_first(
    way: ChipRace, chips: int, odd: Mapping[int, int], order: Sequence[int], only_odd: Sequence[int]
) -> tuple[int, ...]:
    """Who gets a chip before anybody's cards win: who would have none after the race, and so on,
    since each of them leaves fewer chips to win."""
    first: list[int] = []
    while True:
        won = _winners(way, max(0, chips - len(first)), odd, order)
        broke = [seat for seat in only_odd if not won[seat] and seat not in first]
        if not broke:
            return tuple(first)
        first += broke


def late(change: Change, chips: int) -> tuple[int, int]:
    """What chips that turn up after their race are worth: so much is exchanged at equal value, and
    the rest, less than the smallest chip, goes without compensation (UK-22C)."""
    value = chips * change.goes
    return value - value % change.smallest, value % change.smallest
