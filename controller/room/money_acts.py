"""What people ask of the evening's money, and what becomes of it: pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from controller.contract.messages import Line
from controller.room.acts import Act, ActError
from controller.room.money import (
    MAX_PLACES,
    Account,
    Cents,
    Deal,
    DealShare,
    Money,
    PaidOut,
    Prices,
    Split,
    prizes,
    sums,
)
from controller.room.payout import WHOLE
from controller.room.payouts import PayoutLine, lines
from controller.room.register import PlayerId
from controller.room.tournament import Words

MAX_DEALS = 20
_OWN = ("re_entry", "rebuy", "add_on")

Currency = Annotated[str, Meta(max_length=8, pattern=r"^[^\x00-\x1f\x7f]*(?![\s\S])")]
Unit = Annotated[int, Meta(ge=1, le=10**9)]


class SetPrices(Act, frozen=True, kw_only=True):
    """`money`: what is not given stays; `forget` names prices that are the buy-in's again."""

    buy_in: Cents | None = None
    fee: Cents | None = None
    re_entry: Cents | None = None
    rebuy: Cents | None = None
    add_on: Cents | None = None
    guarantee: Cents | None = None
    unit: Unit | None = None
    currency: Currency | None = None
    forget: Annotated[tuple[Words, ...], Meta(max_length=10)] = ()


class SetSplit(Act, frozen=True, kw_only=True):
    """`payout`: so many places are paid, or these `hundredths` of a percent each, or these amounts;
    without any of them the book in force or the room reckons."""

    places: Annotated[int, Meta(ge=1, le=MAX_PLACES)] | None = None
    hundredths: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=WHOLE)], ...], Meta(max_length=MAX_PLACES)
    ] = ()
    amounts: Annotated[tuple[Cents, ...], Meta(max_length=MAX_PLACES)] = ()


class MakeDeal(Act, frozen=True, kw_only=True):
    """`deal`: players have agreed on these amounts. `pays`: the director pays them, and the winner
    what is left `at_stake`."""

    shares: Annotated[tuple[DealShare, ...], Meta(min_length=1, max_length=100)]
    at_stake: Cents = 0
    text: Line = ""
    pays: bool = False


class DropDeal(Act, frozen=True, kw_only=True):
    """`undeal`: there is no such deal."""

    id: int


class PayOut(Act, frozen=True, kw_only=True):
    """`pay-out`: the player of a finish has had his prize, or a `player` who is in his share of the
    deal. `unpay-out`: he has not."""

    finish: int | None = None
    player: PlayerId | None = None


def perform(account: Account, name: str, act: Act, wall_ms: int) -> Money:
    """The money after the act `name`. Raises ActError where that can't be, with the reason."""
    return MONEY_ACTS[name][1](account, act, wall_ms)


def anew(money: Money) -> Money:
    """The money of a tournament that starts over: its prices and how it is parted stay."""
    return replace(money, deals=(), paid_out=())


def check_paid_out(before: Account, after: Account) -> None:
    """Raises ActError where somebody would not be out any more who has had his prize."""
    left = {each.id for each in after.told.finishes}
    names = {each.id: each.player for each in before.told.finishes}
    for one in after.money.paid_out:
        if one.finish is not None and one.finish not in left:
            who = names.get(one.finish) or "that player"
            raise ActError(f"{who} has been paid out: take that back first")


def coins(amount: int) -> str:
    """An amount as a reason names it."""
    return f"{amount // 100:,}.{amount % 100:02}"


def _prices(account: Account, act: SetPrices, _wall_ms: int) -> Money:
    prices = account.money.prices
    fields = Prices.__struct_fields__
    given = {name: value for name in fields if (value := getattr(act, name)) is not None}
    for name in act.forget:
        if name not in _OWN:
            raise ActError(f"'{name[:40]}' is no price that follows the buy-in")
        given[name] = None
    return replace(account.money, prices=replace(prices, **given))


def _split(account: Account, act: SetSplit, _wall_ms: int) -> Money:
    if sum((act.places is not None, bool(act.hundredths), bool(act.amounts))) > 1:
        raise ActError("give the places, the percentages or the amounts: one of them")
    if act.hundredths:
        _check_order(act.hundredths)
        off = sum(act.hundredths) - WHOLE
        if off:
            raise ActError(
                f"these are {coins(WHOLE + off)} %: {coins(abs(off))} % too "
                f"{'much' if off > 0 else 'little'}"
            )
    if act.amounts:
        _check_order(act.amounts)
        purse = sums(account).purse
        _check_sum(sum(act.amounts), purse, "the purse")
    split = Split(places=act.places, hundredths=act.hundredths, amounts=act.amounts)
    return replace(account.money, split=split)


def _check_order(of: Sequence[int]) -> None:
    for place, (upper, lower) in enumerate(pairwise(of), 2):
        if lower > upper:
            raise ActError(f"place {place} has more than place {place - 1}")


def _check_sum(given: int, all_: int, what: str) -> None:
    if given != all_:
        way = "more" if given > all_ else "less"
        raise ActError(
            f"these are {coins(given)}: {coins(abs(given - all_))} {way} than {what}, "
            f"which {'is' if what == 'the purse' else 'are'} {coins(all_)}"
        )


def _deal(account: Account, act: MakeDeal, wall_ms: int) -> Money:
    money, register = account.money, account.register
    parties = [register.player(each.player) for each in act.shares]
    names = {each.id for each in parties}
    inside = {each.id for each in register.players if each.status != "out"}
    if len(names) < len(parties):
        raise ActError("a player is named twice")
    if not names & inside:
        raise ActError("nobody of them is in any more: a deal needs one who plays (RR7-T-37)")
    if len(money.deals) >= MAX_DEALS:
        raise ActError(f"there are already {MAX_DEALS} deals; remove one first")
    if act.pays:
        if any(each.pays for each in money.deals):
            raise ActError("a deal is paid already; remove it first")
        if names != inside:
            raise ActError(f"{len(inside)} players are in: name all of them, and nobody else")
        asked = sum(each.amount for each in act.shares) + act.at_stake
        _check_sum(asked, sum(prizes(account)[: len(inside)]), "the prizes of the places left")
    deal = Deal(
        id=money.last_deal + 1,
        shares=act.shares,
        at_stake=act.at_stake,
        text=act.text,
        pays=act.pays,
        by=act.actor,
        wall_ms=wall_ms,
    )
    return replace(money, deals=(*money.deals, deal), last_deal=deal.id)


def _undeal(account: Account, act: DropDeal, _wall_ms: int) -> Money:
    others = tuple(each for each in account.money.deals if each.id != act.id)
    paid = any(each.finish is None for each in account.money.paid_out)
    if paid and not any(each.pays for each in others):
        raise ActError("somebody has been paid out by it: take that back first")
    if len(others) == len(account.money.deals):
        raise ActError("that deal is no longer there")
    return replace(account.money, deals=others)


def _pay_out(account: Account, act: PayOut, wall_ms: int) -> Money:
    line = next((each for each in lines(account) if _is_of(act, each)), None)
    if line is None:
        raise ActError("that one has no prize")
    if line.paid is not None:
        raise ActError(f"{line.name or 'the winner'} has been paid out already")
    paid = PaidOut(line.finish, line.player, line.amount, act.actor, wall_ms)
    return replace(account.money, paid_out=(*account.money.paid_out, paid))


def _unpay_out(account: Account, act: PayOut, _wall_ms: int) -> Money:
    line = next((each for each in lines(account) if _is_of(act, each)), None)
    gone = None if line is None else line.paid
    others = tuple(each for each in account.money.paid_out if each != gone)
    if len(others) == len(account.money.paid_out):
        raise ActError("that one has not been paid out")
    return replace(account.money, paid_out=others)


def _is_of(act: PayOut, line: PayoutLine) -> bool:
    """Whether this is whom an act means."""
    if act.finish is not None:
        return line.finish == act.finish
    return act.player is not None and line.finish is None and line.player == act.player


Performed = Callable[[Account, Any, int], Money]

MONEY_ACTS: Mapping[str, tuple[type[Act], Performed]] = {
    "money": (SetPrices, _prices),
    "payout": (SetSplit, _split),
    "deal": (MakeDeal, _deal),
    "undeal": (DropDeal, _undeal),
    "pay-out": (PayOut, _pay_out),
    "unpay-out": (PayOut, _unpay_out),
}
"""Every act: its name → what it carries and what it does."""
