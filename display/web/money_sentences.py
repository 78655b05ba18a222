"""What was done with the evening's money, as sentences."""

from __future__ import annotations

from controller.room.acts import Act
from controller.room.buying import Owes, Pays
from controller.room.money_acts import DropDeal, MakeDeal, PayOut, SetPrices, SetSplit
from display.web.player_sentences import Known
from display.web.sentences import Sentences

_PRICES = ("buy_in", "fee", "re_entry", "rebuy", "add_on", "guarantee", "unit")


def money_act(say: Sentences, who: str, kind: str, act: Act, known: Known) -> str | None:
    """The sentence of an act on the money; None where it is no such act."""

    def said(more: str = "", **values: object) -> str:
        return say(f"{kind}-{more}" if more else kind, who=who, **values)

    match act:
        case SetPrices():
            given = {name: getattr(act, name) for name in _PRICES}
            prices = [
                say(f"price-{name}", amount=_amount(say, cents, act.currency or known))
                for name, cents in given.items()
                if cents is not None
            ]
            return said("set", prices=", ".join(prices)) if prices else said()
        case SetSplit(amounts=amounts) if amounts:
            return said("amounts", count=say.number(len(amounts)))
        case SetSplit(hundredths=hundredths) if hundredths:
            return said("percentages", count=say.number(len(hundredths)))
        case SetSplit(places=places) if places is not None:
            return said("places", count=say.number(places))
        case SetSplit():
            return said("usual" if known.get("usual") else "")
        case MakeDeal(pays=pays):
            names = known.get("players")
            if not isinstance(names, list):
                return said()
            return said("pays" if pays else "players", players=", ".join(map(str, names)))
        case DropDeal():
            return said()
        case PayOut():
            player, amount = known.get("player"), known.get("amount")
            if not player or not isinstance(amount, int):
                return said()
            return said("player", player=player, amount=_amount(say, amount, known))
        case Pays() | Owes():
            return said("player", player=known["player"]) if "player" in known else said()
    return None


def _amount(say: Sentences, cents: int, currency: str | Known) -> str:
    sign = currency if isinstance(currency, str) else str(currency.get("currency", ""))
    return say.amount(cents, sign)
