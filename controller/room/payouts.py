"""The sheet by which prizes are paid out: who has which, and whether he has had it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.messages import Finish
from controller.room.money import Account, Deal, PaidOut, entrants, prizes
from controller.rules.prizes import shares


class PayoutLine(Struct, frozen=True, kw_only=True):
    """One who is paid, or a place that is still to be taken. `shared` players have this place and
    those after it. `prize` is what the places pay, `amount` what is paid: the same but `by_deal`.
    `place` is None for who has a share of a deal and is still in, and for the winner's share where
    he has had that, or what was at stake, by itself."""

    place: int | None
    shared: int = 1
    prize: int = 0
    amount: int = 0
    finish: int | None = None
    player: str = ""
    name: str = ""
    by_deal: bool = False
    paid: PaidOut | None = None


def in_force(account: Account, pays: tuple[int, ...]) -> Deal | None:
    """The deal by which the director pays, while it is all of the prizes of its places."""
    players = account.register.by_id
    for deal in account.money.deals:
        all_ = sum(each.amount for each in deal.shares) + deal.at_stake
        are_there = all(each.player in players for each in deal.shares)
        if deal.pays and are_there and all_ == sum(pays[: len(deal.shares)]):
            return deal
    return None


def won(finishes: tuple[Finish, ...], pays: tuple[int, ...]) -> Mapping[int, int]:
    """What each finish is paid by its place (RR7-T-35, NL10-WIN-02); who gets nothing is left out.
    Of several who share places the one told first has what can't be parted."""
    shared = Counter(each.place for each in finishes)
    parts = {place: list(shares(pays, place, count)) for place, count in shared.items()}
    by_place = sorted(finishes, key=lambda each: (each.place, each.id))
    found = ((each.id, parts[each.place].pop(0)) for each in by_place)
    return {id_: amount for id_, amount in found if amount}


def lines(account: Account) -> tuple[PayoutLine, ...]:
    """All that is paid, the best place first: what they pay together is the purse."""
    pays, finishes = prizes(account), account.told.finishes
    deal, has, who = in_force(account, pays), won(finishes, pays), entrants(account)
    shared = Counter(each.place for each in finishes)
    had = _had(account)
    owed = {} if deal is None else {each.player: each.amount for each in deal.shares}
    taken, found = set[int](), list[PayoutLine]()
    for each in sorted(finishes, key=lambda each: (each.place, each.id)):
        taken.update(range(each.place, each.place + shared[each.place]))
        player, prize = who.get(each.id), has.get(each.id, 0)
        by_deal = player is not None and each.id not in player.earlier and player.id in owed
        share = owed.pop(player.id) if by_deal and player is not None else prize
        at_stake = deal.at_stake if deal is not None and by_deal and each.place == 1 else 0
        line = PayoutLine(
            place=each.place,
            shared=shared[each.place],
            prize=prize,
            amount=share + at_stake,
            finish=each.id,
            player="" if player is None else player.id,
            name=each.player if player is None else player.name,
            by_deal=by_deal,
            paid=had.get(each.id) or (had.get(player.id) if by_deal and player else None),
        )
        if at_stake and _is_in_two(line, had):
            found += _in_two(line, share, had)
        elif line.amount or line.paid is not None:
            found.append(line)
    return (*_to_come(account, pays, deal, owed, taken), *found)


def _is_in_two(line: PayoutLine, had: Mapping[int | str, PaidOut]) -> bool:
    """Whether a winner has had a part of what he is paid by itself."""
    own = had.get(line.finish or 0)
    return line.player in had or (own is not None and own.amount != line.amount)


def _in_two(
    line: PayoutLine, share: int, had: Mapping[int | str, PaidOut]
) -> tuple[PayoutLine, PayoutLine]:
    """What was at stake, and the share that he had, or may have, as if he were still in."""
    stake = replace(line, amount=line.amount - share, paid=had.get(line.finish or 0))
    part = replace(line, place=None, prize=0, amount=share, finish=None, paid=had.get(line.player))
    return stake, part


def _had(account: Account) -> Mapping[int | str, PaidOut]:
    """Who has had his prize, by the finish, or by the player who had it while he was in."""
    paid = account.money.paid_out
    return {one.player if one.finish is None else one.finish: one for one in paid}


def _to_come(
    account: Account,
    pays: tuple[int, ...],
    deal: Deal | None,
    owed: Mapping[str, int],
    taken: set[int],
) -> tuple[PayoutLine, ...]:
    if deal is None:
        free = (place for place in range(1, len(pays) + 1) if place not in taken)
        return tuple(PayoutLine(place=p, prize=pays[p - 1], amount=pays[p - 1]) for p in free)
    names, had = account.register.by_id, _had(account)
    still = [
        PayoutLine(
            place=None,
            amount=amount,
            player=id_,
            name=names[id_].name,
            by_deal=True,
            paid=had.get(id_),
        )
        for id_, amount in owed.items()
        if amount
    ]
    stake = deal.at_stake if 1 not in taken else 0
    first = [PayoutLine(place=1, prize=stake, amount=stake, by_deal=True)] if stake else []
    beyond = (p for p in range(len(deal.shares) + 1, len(pays) + 1) if p not in taken)
    rest = (PayoutLine(place=p, prize=pays[p - 1], amount=pays[p - 1]) for p in beyond)
    return (*first, *still, *rest)
