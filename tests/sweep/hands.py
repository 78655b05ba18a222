"""Hands that nothing was wrong with: recorded ones, and ones played at random."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import msgspec

CARDS = tuple(rank + suit for rank in "23456789TJQKA" for suit in "shdc")
STREETS = ("flop", "turn", "river")


class Beat(msgspec.Struct, frozen=True):
    """One thing that happens at the table.

    `what` is `riffle`, `pitch` (a hole card to `seat`), `act`, `closed` (a betting round),
    `burn`, `board`, `tabled`, `award`, `collect`, or `line`: a line of the log as it stands.
    `wait` is the seconds since the beat before, None for the dealer's usual rhythm.
    """

    what: str
    seat: int = 0
    tag: str = ""
    button: str = ""
    amount: int | None = None
    street: str = ""
    wait: float | None = None
    line: dict[str, Any] = {}


class Hand(msgspec.Struct, frozen=True):
    """A hand of hold'em. `seats` go clockwise from the first left of the button, which is the
    last of them; `stacks` and `hole` are in that order. `stub` is what is left of the deck."""

    name: str
    seats: tuple[int, ...]
    stacks: tuple[int, ...]
    small: int
    big: int
    ante: int
    beats: tuple[Beat, ...]
    stub: tuple[str, ...]

    @property
    def button(self) -> int:
        return self.seats[-1]


class _Betting:
    """Chips on one street, as far as the buttons' names need them."""

    def __init__(
        self, hand: dict[int, int], small: int, big: int, ante: int, order: list[int]
    ) -> None:
        self.left = {seat: max(0, stack - ante) for seat, stack in hand.items()}
        self.in_round = dict.fromkeys(order, 0)
        self.bet = 0
        posts = (order[1], order[0]) if len(order) == 2 else (order[0], order[1])
        for seat, blind in zip(posts, (small, big), strict=True):
            self.in_round[seat] = min(blind, self.left[seat])
        self.bet = big

    def next_street(self) -> None:
        for seat, chips in self.in_round.items():
            self.left[seat] -= chips
            self.in_round[seat] = 0
        self.bet = 0

    def to(self, seat: int, amount: int) -> tuple[str, int | None]:
        """Puts in `amount` in all; returns the button and the amount that is entered."""
        stack = self.left[seat]
        if amount >= stack > self.in_round[seat]:
            name = "all-in"
            amount = stack
        elif amount <= self.bet:
            name = "check" if amount == self.in_round[seat] else "call"
        else:
            name = "raise" if self.bet else "bet"
        self.in_round[seat] = amount
        self.bet = max(self.bet, amount)
        return name, None if name == "check" else amount


def recorded(folder: Path, rng: Random) -> Iterator[Hand]:
    """The PHH hands of a folder, each at a table of seats of its own."""
    for path in sorted(folder.glob("*.phh")):
        yield read_phh(path, rng)


def read_phh(path: Path, rng: Random, seats: tuple[int, ...] | None = None) -> Hand:
    """Reads one hand; cards that the source does not know are made up."""
    fields: dict[str, Any] = {}
    for line in path.read_text().splitlines():
        name, _, value = line.partition(" = ")
        if name in ("antes", "blinds_or_straddles", "starting_stacks", "actions"):
            fields[name] = ast.literal_eval(value)
    return _from_actions(path.stem, fields, rng, seats)


def _from_actions(
    name: str, fields: dict[str, Any], rng: Random, seats: tuple[int, ...] | None
) -> Hand:
    count = len(fields["starting_stacks"])
    numbers = [
        Fraction(str(n))
        for key in ("antes", "blinds_or_straddles", "starting_stacks")
        for n in fields[key]
    ]
    numbers += [Fraction(a.split()[2]) for a in fields["actions"] if " cbr " in a]
    unit = 1 if all(n.denominator == 1 for n in numbers) else 100

    def chips(value: object) -> int:
        return int(Fraction(str(value)) * unit)

    if seats is None:
        ring = sorted(rng.sample(range(1, 11), count))
        turn = rng.randrange(count)
        seats = tuple(ring[turn:] + ring[:turn])
    stacks = tuple(chips(n) for n in fields["starting_stacks"])
    small, big = (chips(n) for n in fields["blinds_or_straddles"][:2])
    ante = chips(fields["antes"][0])
    known = [
        action.split()[-1][i : i + 2]
        for action in fields["actions"]
        if action.startswith("d ") and "?" not in action
        for i in range(0, len(action.split()[-1]), 2)
    ]
    deck = [card for card in CARDS if card not in known]
    rng.shuffle(deck)
    betting = _Betting(dict(zip(seats, stacks, strict=True)), small, big, ante, list(seats))
    hole: dict[int, str] = {}
    beats: list[Beat] = []
    street = ""
    live = set(seats)
    shown: list[int] = []
    played: list[Beat] = []
    streets = iter(STREETS)
    for action in fields["actions"]:
        who, what, *rest = action.split()
        if (who, what) == ("d", "dh"):
            seat = seats[int(rest[0][1:]) - 1]
            hole[seat] = rest[1] if "?" not in rest[1] else deck.pop() + deck.pop()
        elif (who, what) == ("d", "db"):
            street = next(streets)
            betting.next_street()
            played.append(Beat("closed"))
            played.append(Beat("burn", tag=deck.pop(), street=street))
            played += [
                Beat("board", tag=rest[0][i : i + 2], street=street)
                for i in range(0, len(rest[0]), 2)
            ]
        else:
            seat = seats[int(who[1:]) - 1]
            if what == "f":
                live.discard(seat)
                played.append(Beat("act", seat=seat, button="fold", street=street))
            elif what in ("cc", "cbr"):
                amount = betting.bet if what == "cc" else chips(rest[0])
                amount = min(amount, betting.left[seat])
                button, entered = betting.to(seat, amount)
                played.append(Beat("act", seat=seat, button=button, amount=entered, street=street))
            elif what == "sm":
                shown.append(seat)
    pitched = [Beat("pitch", seat=s, tag=hole[s][2 * r : 2 * r + 2]) for r in (0, 1) for s in seats]
    beats = [Beat("riffle"), *pitched, *played]
    if len(live) > 1:
        beats += [Beat("tabled", seat=seat) for seat in shown if seat in live]
    beats += [Beat("award"), Beat("collect")]
    return Hand(name, seats, stacks, small, big, ante, tuple(beats), tuple(deck))


def played(rng: Random, count: int | None = None, *, deep: bool = False, to: str = "") -> Hand:
    """A hand played at random by `count` players (2 to 10).

    `deep` gives stacks that nobody gets all in; `to` is the street that is reached at least.
    """
    while True:
        hand = _play(rng, count or rng.randint(2, 10), deep=deep)
        if not to or any(b.what == "burn" and b.street == to for b in hand.beats):
            return hand


def _play(rng: Random, count: int, *, deep: bool) -> Hand:
    small, big = rng.choice([(25, 50), (50, 100), (5, 10), (500, 1000)])
    stacks = [big * (10000 if deep else rng.choice([3, 8, 20, 40, 100])) for _ in range(count)]
    ante = rng.choice([0, 0, big // 10])
    actions = [f"d dh p{i + 1} ????" for i in range(count)]
    betting = _Betting(dict(enumerate(stacks)), small, big, ante, list(range(count)))
    deck = list(CARDS)
    rng.shuffle(deck)
    live = list(range(count))
    order = [1, 0] if count == 2 else [*range(2, count), 0, 1]
    for street in ("", *STREETS):
        if street:
            betting.next_street()
            actions.append(
                "d db " + "".join(deck.pop() for _ in range(3 if street == "flop" else 1))
            )
            order = list(range(count))
        able = [s for s in live if betting.left[s] > 0]
        if len(able) >= 2 or (not street and len(able) == 1):
            _round(rng, actions, betting, order, live, deep=deep)
        if len(live) == 1:
            break
    else:
        actions += [f"p{s + 1} sm ????" for s in live]
    fields = {
        "antes": [ante] * count,
        "blinds_or_straddles": [small, big] + [0] * (count - 2),
        "starting_stacks": stacks,
        "actions": actions,
    }
    return _from_actions("played", fields, rng, None)


def _round(
    rng: Random,
    actions: list[str],
    betting: _Betting,
    order: list[int],
    live: list[int],
    *,
    deep: bool,
) -> None:
    waiting = [s for s in order if s in live]
    raises = 0
    while waiting and len(live) > 1:
        seat = waiting.pop(0)
        stack, there, bet = betting.left[seat], betting.in_round[seat], betting.bet
        if stack <= there:
            continue
        others = [s for s in live if s != seat and betting.left[s] > betting.in_round[s]]
        if not others and there >= bet:
            continue
        dice = rng.random()
        if bet > there and dice < 0.35:
            live.remove(seat)
            actions.append(f"p{seat + 1} f")
        elif dice > 0.8 and raises < 3 and others and stack > bet:
            amount = min(stack, max(bet * 2, 100))
            if rng.random() < 0.15 and not deep:
                amount = stack
            if amount > bet:
                raises += 1
                actions.append(f"p{seat + 1} cbr {amount}")
                betting.to(seat, amount)
                turn = order.index(seat)
                waiting = [s for s in order[turn + 1 :] + order[:turn] if s in live and s != seat]
        else:
            actions.append(f"p{seat + 1} cc")
            betting.to(seat, min(bet, stack))
