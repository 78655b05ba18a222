"""The evening's money as one message: all that its page shows, and what is printed and saved."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from controller.room.money import (
    Account,
    Deal,
    Owing,
    Prices,
    Sold,
    Split,
    by_book,
    owing,
    prizes,
    sums,
)
from controller.room.payouts import PayoutLine, in_force, lines
from controller.room.view import RoomView

Way = Literal["book", "reckoned", "places", "percentages", "amounts"]


class Party(Struct, frozen=True):
    """Somebody who is still in."""

    id: str
    name: str


class DealLine(Struct, frozen=True):
    """A deal with the names of its parties; `holds`: it is paid by it. `all` is at stake no more
    (RR7-T-38)."""

    deal: Deal
    names: tuple[str, ...]
    holds: bool
    all: bool


class MoneyShown(Struct, frozen=True):
    """The money. `way` is how the purse is parted, by the rules `cites`; `off` is what the prizes
    are less than the purse. `paid_out` is what has been, `left` are those who are in."""

    now_ms: int
    session: str
    lineage: str
    revision: int
    stands_by: bool
    prices: Prices
    is_set: bool
    sold: tuple[Sold, ...]
    fees: int
    added: int
    purse: int
    collected: int | None
    owed: int | None
    paid_out: int
    owing: tuple[Owing, ...]
    entries: int
    split: Split
    way: Way
    cites: tuple[str, ...]
    prizes: tuple[int, ...]
    off: int
    lines: tuple[PayoutLine, ...]
    deals: tuple[DealLine, ...]
    left: tuple[Party, ...]


def drawn_from(room: RoomView) -> tuple[object, ...]:
    """What `money` shows, but for the time: as long as it is the same, so is that."""
    clock = room.clock
    return room.money, room.register, room.told, clock.session, clock.lineage, room.stands_by


def account(room: RoomView) -> Account:
    """What there is to reckon with."""
    return Account(room.money, room.register, room.told)


def money(room: RoomView) -> MoneyShown:
    """What the page shows of a room."""
    now, clock = account(room), room.clock
    brought, pays = sums(now), prizes(now)
    deal = in_force(now, pays)
    way = _way(now)
    names = room.register.by_id
    return MoneyShown(
        now_ms=room.now_ms,
        session=clock.session,
        lineage=clock.lineage,
        revision=clock.revision,
        stands_by=room.stands_by,
        prices=now.money.prices,
        is_set=now.money.prices.is_set,
        sold=brought.sold,
        fees=brought.fees,
        added=brought.added,
        purse=brought.purse,
        collected=brought.collected,
        owed=brought.owed,
        paid_out=sum(each.amount for each in now.money.paid_out),
        owing=owing(now),
        entries=now.entries,
        split=now.money.split,
        way=way,
        cites=now.money.book.cites if way == "book" and now.money.book is not None else (),
        prizes=pays,
        off=brought.purse - sum(pays),
        lines=lines(now),
        deals=tuple(
            DealLine(
                each,
                tuple(
                    names[who].name if (who := share.player) in names else who
                    for share in each.shares
                ),
                each is deal,
                each.pays and not each.at_stake,
            )
            for each in now.money.deals
        ),
        left=tuple(Party(each.id, each.name) for each in names.values() if each.status != "out"),
    )


def _way(now: Account) -> Way:
    split = now.money.split
    if split.amounts:
        return "amounts"
    if split.hundredths:
        return "percentages"
    if split.places is not None:
        return "places"
    return "book" if by_book(now.money, now.entries) else "reckoned"
