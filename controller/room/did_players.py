"""What an act on the players was about, as it is said of it later: pure.

An act has their ids, and who was withdrawn is nowhere to be looked up any more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from controller.room.acts import Act
from controller.room.arrivals import Arrive, SitLater
from controller.room.buying import Buys, Owes, Pays
from controller.room.conduct import Pardon, Penalise, Undisqualify, Warn
from controller.room.entered import Busts
from controller.room.entering import Import
from controller.room.finishes import Bust, Unbust
from controller.room.money_acts import MakeDeal, PayOut, SetPrices, SetSplit
from controller.room.races import Unrace
from controller.room.record import Record
from controller.room.register import Player
from controller.room.register_acts import (
    Apart,
    Clear,
    Correct,
    DrawSeats,
    Even,
    Late,
    Mark,
    Of,
    Sit,
    SitByCard,
)
from controller.room.seat_draw import AtSeat
from controller.room.taking_back import Reinstate


def known(before: Record, after: Record, act: Act) -> dict[str, Any]:
    """Names and numbers beside what `act` carried, which made one record of the other."""
    by_id = before.register.by_id
    match act:
        case Import(players=players):
            return {"count": len(players)}
        case DrawSeats():
            return {"count": len(after.register.draws[-1].given)}
        case Late(level=None):
            return {"always": True}
        case Even(gap=None, halt=None):
            return {"book": True}
        case Clear():
            return {"count": len(by_id)}
        case Apart(players=ids):
            return {"players": [by_id[each].name for each in ids]}
        case Sit(player=id_):
            there = before.register.by_seat.get(AtSeat(act.table, act.seat))
            other = {} if there is None else {"other": there.name}
            return {"player": by_id[id_].name, **other}
        case Busts(outs=outs):
            return {"players": [by_id[each.entrant].name for each in outs]}
        case SetPrices():
            return {"currency": after.money.prices.currency}
        case SetSplit(places=None, hundredths=(), amounts=()):
            return {"usual": True}
        case MakeDeal(shares=shares):
            return {"players": [by_id[each.player].name for each in shares]}
        case PayOut():
            return _paid_out(before, after)
        case Pardon(id=number):
            return _given(before, number)
        case (
            Of(player=id_)
            | Arrive(player=id_)
            | SitLater(player=id_)
            | Mark(player=id_)
            | Correct(player=id_)
            | SitByCard(player=id_)
            | Buys(player=id_)
            | Pays(player=id_)
            | Owes(player=id_)
            | Warn(player=id_)
            | Penalise(player=id_)
        ):
            return {"player": by_id[id_].name}
        case Unrace(id=number):
            tables = [one.table for one in before.races.tables if one.id == number]
            return {"table": tables[0]} if tables else {}
        case Bust():
            return _gone(before.register.players, after)
        case Unbust():
            return _back(before, after)
        case Undisqualify(id=number):
            return _given(before, number)
        case Reinstate(player=id_):
            return {"player": after.register.by_id[id_].name}
    return {}


def _given(before: Record, number: int) -> dict[str, Any]:
    given = [one.name for one in before.conduct.given if one.id == number]
    return {"player": given[0]} if given else {}


def _back(before: Record, after: Record) -> dict[str, Any]:
    """Who is in again: one by his name, several by theirs."""
    left = {each.id for each in after.tournament.finishes}
    back = [f for f in before.tournament.finishes if f.id not in left and f.place != 1]
    names = [each.player for each in back if each.player]
    if len(names) > 1:
        return {"players": names}
    return {"player": names[0]} if names else {}


def _paid_out(before: Record, after: Record) -> dict[str, Any]:
    """Who has it in one of the two only."""
    had, have = before.money.paid_out, after.money.paid_out
    paid = next(one for one in (*had, *have) if (one in had) != (one in have))
    amount = {"amount": paid.amount, "currency": after.money.prices.currency}
    out = [each.player for each in after.tournament.finishes if each.id == paid.finish]
    player = after.register.by_id.get(paid.player)
    name = out[0] if out else "" if player is None else player.name
    return {**amount, "player": name} if name else amount


def _gone(players: Iterable[Player], after: Record) -> dict[str, Any]:
    now = after.register.by_id
    gone = [each for each in players if each.status != "out" and now[each.id].status == "out"]
    if not gone:
        return {}
    player = gone[0]
    at = {} if player.at is None else {"table": player.at.table, "seat": player.at.seat}
    return {"player": player.name, **at}
