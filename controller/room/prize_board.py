"""The prizes as walls, phones and pages have them: the amounts where the room reckons with money,
else what the desk has typed."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.messages import Finish
from controller.room.finishes import listed
from controller.room.money import prizes
from controller.room.payouts import won
from controller.room.record import Record
from controller.room.record_keeper import RecordKeeper
from controller.room.table_rules import TableRules
from controller.room.tournament import MAX_PRIZES


class Marks(Struct, frozen=True):
    """How the house's language writes an amount, with a sign such as € or with a word."""

    thousands: str = ","
    decimal: str = "."
    sign: str = "{currency}{amount}"
    word: str = "{amount} {currency}"

    def text(self, cents: int, currency: str) -> str:
        """An amount of cents, which are left out where there are none."""
        whole, rest = divmod(cents, 100)
        amount = f"{whole:,}".replace(",", self.thousands)
        if rest:
            amount += f"{self.decimal}{rest:02}"
        if not currency:
            return amount
        pattern = self.word if any(each.isalpha() for each in currency) else self.sign
        return pattern.format(currency=currency, amount=amount)


class Told(Struct, frozen=True):
    """The prizes, the first one first, and all who are out, the best place first, with theirs."""

    prizes: tuple[str, ...]
    finishes: tuple[Finish, ...]


class PrizeBoard:
    """Reckons once for all who look, until something changes."""

    def __init__(self, keeper: RecordKeeper, rules: TableRules, marks: Marks) -> None:
        self._keeper = keeper
        self._rules = rules
        self._marks = marks
        self._last: tuple[Record, Told] | None = None

    def tick(self) -> None:
        """By the tables' book: the one of the tournament's first table that was heard."""
        record = self._keeper.record
        for each in record.register.tables:
            rules = self._rules.heard(each.table)
            if rules is not None:
                if rules.payouts != record.money.book:
                    self._keeper.pays_by(rules.payouts)
                return

    def told(self) -> Told:
        """As it is now."""
        record = self._keeper.record
        if self._last is None or not _same(self._last[0], record):
            self._last = (record, told(record, self._marks))
        return self._last[1]


def told(record: Record, marks: Marks) -> Told:
    """What there is to tell of the prizes of a record."""
    typed, finishes = record.tournament.prizes, record.tournament.finishes
    if not record.money.prices.is_set:
        return Told(typed, listed(finishes, typed))
    currency, pays = record.money.prices.currency, prizes(record.account)
    has = {id_: marks.text(amount, currency) for id_, amount in won(finishes, pays).items()}
    return Told(
        tuple(marks.text(each, currency) for each in pays[:MAX_PRIZES]),
        tuple(replace(each, prize=has.get(each.id, "")) for each in listed(finishes, ())),
    )


def _same(one: Record, other: Record) -> bool:
    return (
        one.money is other.money
        and one.register is other.register
        and one.tournament is other.tournament
    )
