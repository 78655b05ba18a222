"""The evening's money: what is paid in, who owes it, and what the prizes are. Pure.

All amounts are whole numbers of the smallest coin (cents). The purse is what entries, rebuys and
add-ons bring, and what the house adds up to what it guarantees (HPT-PAY-03); the house's fee is no
part of it, and all of the purse is paid (HPT-PAY-01). What has not been paid yet counts too: who
plays has to pay (RR7-T-33, UK-25).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.contract.messages import Finish
from controller.room import payout
from controller.room.register import Player, PlayerId, Register
from controller.room.tournament import Tournament, left
from controller.rules.prizes import Payouts

Cents = Annotated[int, Meta(ge=0, le=10**12)]
Paid = Literal["entry", "re-entry", "rebuy", "add-on"]
"""What players pay for."""
WHAT: tuple[Paid, ...] = ("entry", "re-entry", "rebuy", "add-on")
MAX_PLACES = 5_000


class Prices(Struct, frozen=True, kw_only=True):
    """What the house asks. `buy_in` goes to the purse and `fee` to the house. A re-entry costs the
    same of both, a rebuy and an add-on cost the buy-in (HPT-BUY-02), where they have no price of
    their own. The house adds what the purse lacks of the `guarantee`. Prizes are rounded to the
    `unit`."""

    buy_in: Cents = 0
    fee: Cents = 0
    re_entry: Cents | None = None
    rebuy: Cents | None = None
    add_on: Cents | None = None
    guarantee: Cents = 0
    unit: Annotated[int, Meta(ge=1, le=10**9)] = 100
    currency: str = ""

    def of(self, what: Paid) -> int:
        """What of it goes to the purse."""
        own = {"re-entry": self.re_entry, "rebuy": self.rebuy, "add-on": self.add_on}.get(what)
        return self.buy_in if own is None else own

    def fee_of(self, what: Paid) -> int:
        """What of it is the house's."""
        return self.fee if what in ("entry", "re-entry") else 0

    def cost(self, what: Paid) -> int:
        """What the player pays."""
        return self.of(what) + self.fee_of(what)

    @property
    def is_set(self) -> bool:
        """Whether there is any money in it."""
        return any((self.buy_in, self.fee, self.re_entry, self.rebuy, self.add_on, self.guarantee))


class Split(Struct, frozen=True, kw_only=True):
    """How the purse is parted: as the book in force has it, else by `payout.computed`; so for
    `places`; or by `hundredths` of a percent; or in these `amounts`."""

    places: int | None = None
    hundredths: tuple[int, ...] = ()
    amounts: tuple[int, ...] = ()


class DealShare(Struct, frozen=True):
    """What a player is to have by a deal."""

    player: PlayerId
    amount: Cents


class Deal(Struct, frozen=True, kw_only=True):
    """A deal that players have made among themselves (HPT-WIN-03), as a note. With `pays` the
    director has taken it over (RR7-T-37): each has his share, and the winner beside it what is left
    `at_stake`."""

    id: int
    shares: tuple[DealShare, ...]
    at_stake: int = 0
    text: str = ""
    pays: bool = False
    by: str = ""
    wall_ms: int = 0


class PaidOut(Struct, frozen=True):
    """That the player of a finish has had this amount, or by a deal a `player` who is still in: who
    paid it, and when."""

    finish: int | None
    player: str
    amount: int
    by: str
    wall_ms: int


class Money(Struct, frozen=True, kw_only=True):
    """`book` is the table of prizes of the rule book that was last in force at the tables."""

    prices: Prices = Prices()
    split: Split = Split()
    deals: tuple[Deal, ...] = ()
    last_deal: int = 0
    paid_out: tuple[PaidOut, ...] = ()
    book: Payouts | None = None


class Sold(Struct, frozen=True):
    """So many of one kind, what one costs for the purse, and what all of them bring."""

    what: Paid
    count: int
    each: int
    sum: int


class Sums(Struct, frozen=True, kw_only=True):
    """What was `sold` and the `fees`. The `purse` is what was sold and what the house `added`.
    `collected` and `owed` are all that players pay, fees too; None where they are not known by
    name."""

    sold: tuple[Sold, ...]
    fees: int
    added: int
    purse: int
    collected: int | None
    owed: int | None


class Owing(Struct, frozen=True):
    """Who has not paid everything, for what, and how much it is."""

    player: str
    name: str
    what: tuple[Paid, ...]
    amount: int


class Account(Struct, frozen=True):
    """What there is to reckon with: the money, who plays, and who is out."""

    money: Money
    register: Register
    told: Tournament

    @property
    def entries(self) -> int:
        """How often somebody has entered."""
        return self.register.entries if self.register.players else self.told.entries or 0

    @property
    def left(self) -> int:
        """How many are in."""
        return left(self.told) or 0


def owes(player: Player) -> tuple[Paid, ...]:
    """What he has not paid."""
    entry: tuple[Paid, ...] = () if player.paid else ("entry",)
    return entry + tuple(
        what
        for what in WHAT
        if what != "entry"
        for _ in range(min(player.owes.count(what), player.bought.count(what)))
    )


def owing(account: Account) -> tuple[Owing, ...]:
    """Who has something to pay, who entered first before the others."""
    prices = account.money.prices
    found = ((each, owes(each)) for each in account.register.players)
    lines = (
        Owing(one.id, one.name, what, sum(map(prices.cost, what))) for one, what in found if what
    )
    return tuple(line for line in lines if line.amount)


def sums(account: Account) -> Sums:
    """What the evening has brought."""
    prices, players = account.money.prices, account.register.players
    counts: dict[Paid, int] = {"entry": len(players) if players else account.entries}
    for what in WHAT[1:]:
        counts[what] = sum(each.bought.count(what) for each in players)
    sold = tuple(
        Sold(what, count, prices.of(what), count * prices.of(what))
        for what, count in counts.items()
    )
    fees = sum(count * prices.fee_of(what) for what, count in counts.items())
    brought = sum(each.sum for each in sold)
    added = max(0, prices.guarantee - brought)
    owed = sum(each.amount for each in owing(account)) if players else None
    return Sums(
        sold=sold,
        fees=fees,
        added=added,
        purse=brought + added,
        collected=None if owed is None else brought + fees - owed,
        owed=owed,
    )


def by_book(money: Money, entries: int) -> tuple[int, ...] | None:
    """The column of the book in force, in hundredths of a percent, where nothing else was said."""
    if money.book is None or money.split != Split():
        return None
    column = money.book.column(entries)
    return None if column is None else tuple(each * 100 for each in column)


def prizes(account: Account, purse: int | None = None) -> tuple[int, ...]:
    """What each place is paid, the first one first: no more places than there are entries. It is
    all of the purse, unless amounts were typed."""
    money, entries = account.money, account.entries
    split, unit = money.split, money.prices.unit
    purse = sums(account).purse if purse is None else purse
    if split.amounts:
        return split.amounts
    hundredths = split.hundredths or by_book(money, entries)
    if hundredths:
        return payout.by_shares(purse, hundredths[: max(1, entries)], unit)
    places = payout.usual_places(entries) if split.places is None else split.places
    return payout.computed(purse, min(places, max(1, entries)), unit, money.prices.buy_in)


def winner(finishes: tuple[Finish, ...]) -> Finish | None:
    """Who has won."""
    return next((each for each in finishes if each.place == 1), None)


def entrants(account: Account) -> Mapping[int, Player]:
    """Whose each finish is, as far as they are known by name."""
    players = account.register.players
    found = {id_: each for each in players for id_ in each.earlier}
    found |= {each.finish: each for each in players if each.finish is not None}
    first = winner(account.told.finishes)
    inside = [each for each in players if each.status != "out"]
    if first is not None and len(inside) == 1:
        found[first.id] = inside[0]
    return found
