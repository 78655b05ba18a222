"""The evening's money in a simulated tournament: what the desk takes, a deal of the last players,
and the payout sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from controller.room.acts import ActError
from controller.room.money import Paid, PaidOut, prizes, sums
from controller.room.payouts import PayoutLine, lines
from controller.simulate.tournaments.checks import money
from controller.simulate.tournaments.checks.money import Line, Sales, Told

if TYPE_CHECKING:
    from controller.simulate.tournaments.course import Course

_FEWEST, _MOST = 2, 5
"""So many players make a deal."""
_FETCH = 0.2
"""So often those who are out fetch their prizes, and one asks for his again."""


class Till:
    """Counts what is sold and owed as it is told, and looks whether the room says the same. So many
    `places` are paid, once nothing is sold any more; 0 before."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._prices = prices = course.plan.money.prices
        own = {"re-entry": prices.re_entry, "rebuy": prices.rebuy, "add-on": prices.add_on}
        each = {what: prices.buy_in if price is None else price for what, price in own.items()}
        self._price = {"entry": prices.buy_in, **each}
        self._fee = {"entry": prices.fee, "re-entry": prices.fee}
        self._sold = Counter[str]()
        self._owes: dict[str, int] = {}
        self._shares: dict[str, int] = {}
        self._at_stake = 0
        self.places = 0

    @property
    def sales(self) -> Sales:
        """What was sold so far."""
        owed = sum(self._owes.values())
        guarantee = self._prices.guarantee
        return Sales(dict(self._sold), self._price, self._fee, owed, guarantee)

    def opens(self) -> None:
        """The house says what it asks, and how the purse is parted."""
        desk, prices, split = self._course.desk, self._prices, self._course.plan.money.split
        fields = {name: getattr(prices, name) for name in prices.__struct_fields__}
        desk.asks("money", **{name: value for name, value in fields.items() if value is not None})
        desk.pays_by(self._course.rules.payouts)
        if split.places is not None:
            desk.asks("payout", places=split.places)
        elif split.hundredths:
            desk.asks("payout", hundredths=split.hundredths)

    def is_paid(self) -> bool:
        """Whether one who buys pays at once."""
        return self._course.random.random() < 0.8

    def sold(self, what: Paid, player: str, *, paid: bool) -> None:
        """Somebody has bought it."""
        self._sold[what] += 1
        if not paid:
            cost = self._price[what] + self._fee.get(what, 0)
            self._owes[player] = self._owes.get(player, 0) + cost

    def level_begins(self, level: int) -> None:
        """Some pay what they owe. Once nothing is sold any more the director may name the
        amounts."""
        course = self._course
        for player in [one for one in self._owes if course.random.random() < 0.3]:
            self._pays(player)
        if level > course.plan.sells_until and not self.places:
            if course.plan.money.by_amounts:
                purse = self.sales.purse
                second = purse * 3 // 10
                amounts = (purse - second - second // 2, second, second // 2)
                course.desk.asks("payout", amounts=amounts)
            self.places = max(1, len(prizes(course.desk.record.account)))
        self.looks()

    def _pays(self, player: str) -> None:
        del self._owes[player]
        self._course.desk.asks("pay", player=player)

    def after_outs(self) -> None:
        """Who is out in the money may fetch it, and the last ones may make a deal."""
        course = self._course
        if course.is_over or len(course.chips) >= self.places:
            return
        if course.random.random() < _FETCH:
            for line in lines(course.desk.record.account):
                if line.finish is not None and line.paid is None:
                    self._pays_out(finish=line.finish)
        left = [one for one in course.desk.register.players if one.status != "out"]
        if course.plan.money.deal and not self._shares and _FEWEST <= len(left) <= _MOST:
            self._deals({one.id: course.chips.get(one.entry, 0) for one in left})

    def _deals(self, chips: Mapping[str, int]) -> None:
        """By the chips, with a tenth at stake; one of them goes home with his share."""
        course = self._course
        all_ = sum(prizes(course.desk.record.account)[: len(chips)])
        if not all_:
            return
        self._at_stake = all_ // 10
        rest, in_play = all_ - self._at_stake, sum(chips.values())
        self._shares = {one: rest * has // in_play for one, has in chips.items()}
        first = next(iter(chips))
        self._shares[first] += rest - sum(self._shares.values())
        shares = [{"player": one, "amount": amount} for one, amount in self._shares.items()]
        course.desk.asks("deal", shares=shares, at_stake=self._at_stake, pays=True)
        course.tally.deals += 1
        if self._shares[first] and course.random.random() < 0.3:
            self._pays_out(player=first)

    def _pays_out(self, **whom: object) -> None:
        """He has it, and does not get it again if he asks for it."""
        course = self._course
        course.desk.asks("pay-out", **whom)
        if course.random.random() > _FETCH:
            return
        try:
            course.desk.asks("pay-out", **whom)
        except ActError:
            return
        course.referee.must([f"{whom} was paid out twice"])

    def looks(self) -> None:
        """What the room says of the money is so."""
        course = self._course
        account, sales = course.desk.record.account, self.sales
        told = sums(account)
        course.referee.must(
            money.of_sales(sales, Told(told.purse, told.fees, told.collected, told.owed))
        )
        course.referee.must(money.of_sheet(self._sheet(), sales.purse, self._pays_each()))

    def _sheet(self) -> list[Line]:
        """Who has a share of a deal may have it in two lines: that, and what was at stake."""
        told = lines(self._course.desk.record.account)
        found = [
            Line(one.place, one.amount, _named(one), one.shared) for one in told if not one.by_deal
        ]
        by_deal: dict[str, list[PayoutLine]] = {}
        for one in told:
            if one.by_deal:
                by_deal.setdefault(one.player, []).append(one)
        for player, of in by_deal.items():
            is_first = any(one.place == 1 for one in of)
            share = self._shares.get(player, 0) + (self._at_stake if is_first else 0)
            found.append(Line(None, sum(one.amount for one in of), player, share=share))
        return found

    def _pays_each(self) -> list[int]:
        """What each place is paid where that follows from what was said."""
        plan, purse = self._course.plan, self.sales.purse
        split, unit = plan.money.split, self._prices.unit
        if plan.money.by_amounts and self.places:
            return []
        if split.hundredths:
            return money.by_percent(purse, split.hundredths, unit)
        if split.places is None:
            entries = self._course.desk.register.entries
            return money.by_book(plan.book, entries, purse, unit) or []
        return []

    def settles(self) -> None:
        """At the end all debts and all prizes are paid: each line of the sheet, once."""
        course = self._course
        for player in list(self._owes):
            self._pays(player)
        for line in lines(course.desk.record.account):
            if line.paid is None and line.finish is None:
                self._pays_out(player=line.player)
            elif line.paid is None:
                self._pays_out(finish=line.finish)
        self.looks()
        paid = ((self._whose(one), one.amount) for one in course.desk.record.money.paid_out)
        course.referee.must(money.of_paid(paid, self._sheet()))

    def _whose(self, paid: PaidOut) -> str:
        earlier = self._course.desk.player(paid.player).earlier
        if paid.player in self._shares and paid.finish not in earlier:
            return paid.player
        return f"{paid.player} {paid.finish}"


def _named(one: PayoutLine) -> str:
    return f"{one.player} {one.finish}" if one.player else ""
