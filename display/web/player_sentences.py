"""What was done with the players of a tournament, as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.room.acts import Act
from controller.room.arrivals import (
    Arrive,
    DrawButton,
    LeaveButton,
    PutOff,
    SetButton,
    SitLater,
)
from controller.room.buying import Buys, Offers
from controller.room.conduct import Pardon, Penalise, Undisqualify, Warn
from controller.room.entered import Busts
from controller.room.entering import Enter
from controller.room.hand_for_hand import NextRound, PlayHandForHand
from controller.room.races import ColourUp, RaceTable, Unrace
from controller.room.register_acts import (
    Apart,
    Clear,
    Correct,
    DrawSeats,
    Even,
    Late,
    Mark,
    Of,
    Redraw,
    Sit,
    SitByCard,
    Tables,
    Waive,
)
from controller.room.taking_back import Reinstate, Undraw
from display.web.sentences import Sentences

_SHOWN = 4

Known = Mapping[str, object]
"""What is known of an act beside what it carried; see `did_players`."""


def player_act(say: Sentences, who: str, kind: str, act: Act, known: Known) -> str | None:
    """The sentence of an act on the register; None where it is no such act."""

    def said(more: str = "", **values: object) -> str:
        if values.get("player") == "" or values.get("players") == "":
            return say.general(who, kind)
        return say(f"{kind}-{more}" if more else kind, who=who, **values)

    match act:
        case Enter(name=name, table=table, seat=seat):
            return say.more(said("player", player=name), [say.place(table, seat) if table else ""])
        case Correct():
            return _corrected(say, who, act, _player(act.player, known))
        case Sit(player=id_, table=table, seat=seat, swap=swap):
            other = known.get("other") if swap else None
            more = "swap" if other else "player"
            place = say.place(table, seat)
            return said(more, player=_player(id_, known), place=place, other=other)
        case Mark(player=id_, status=status):
            return said(status, player=_player(id_, known))
        case Of(player=id_) | Reinstate(player=id_):
            return said("player", player=_player(id_, known))
        case Tables(tables=tables):
            listed = ", ".join(f"{each.table} ({each.seats})" for each in tables)
            return said("some", tables=listed) if tables else said("none")
        case Undraw(seed=seed):
            return said("seed", seed=seed) if seed else said()
        case DrawSeats(seed=seed):
            return counted(say, who, kind, known.get("count"), seed=seed)
        case Redraw(seed=seed, tables=tables, all=all_):
            listed = _listed(tables)
            return said("all" if all_ else "rest", seed=seed, tables=listed)
        case SitByCard(player=id_, card=card):
            return said("player", player=_player(id_, known), card=card)
        case Busts(outs=outs):
            return said("players", players=_players([each.entrant for each in outs], known))
        case Offers(what=what, until=until, ends=ends):
            until_what = say(f"{kind}-until", level=until) if until is not None else ""
            return say.more(said(f"ends-{what}" if ends else what), ["" if ends else until_what])
        case Buys(player=id_, what=what):
            return said(what, player=_player(id_, known))
        case Warn(player=id_):
            return said("player", player=_player(id_, known))
        case Penalise(player=id_, unit=unit, amount=amount):
            return said(unit, player=_player(id_, known), count=say.number(amount))
        case Pardon() | Undisqualify():
            return said("player", player=known["player"]) if "player" in known else said()
        case Apart(players=ids, together=together):
            return said("together" if together else "players", players=_players(ids, known))
        case Late(level=level):
            if level is not None:
                return said("level", level=level)
            return said("always" if known.get("always") else "")
        case Even(gap=gap, halt=halt):
            parts = [said("gap", count=gap)] if gap is not None else []
            if halt is not None:
                parts.append(said("halt", count=halt) if halt else said("never"))
            return "; ".join(parts) or said("book" if known.get("book") else "")
        case Waive(table=table, ends=ends):
            return said("ends" if ends else "table", table=say.place(table, None))
        case SetButton(table=table, seat=seat):
            return said("seat", place=say.place(table, seat))
        case LeaveButton(table=table):
            return said("table", table=say.place(table, None))
        case DrawButton(table=table, seed=seed):
            return said("table", table=say.place(table, None), seed=seed)
        case Arrive(player=id_, ends=ends):
            return said("ends" if ends else "player", player=_player(id_, known))
        case SitLater(player=id_, table=table, seat=seat, ends=ends):
            place = say.place(table, seat)
            return said("ends" if ends else "player", player=_player(id_, known), place=place)
        case PutOff(ends=ends):
            return said("ends" if ends else "")
        case PlayHandForHand() | NextRound():
            return said()
        case RaceTable(table=table, chip=chip):
            return said("table", table=say.place(table, None), chips=say.number(chip))
        case Unrace():
            back = known.get("table")
            return said("table", table=say.place(str(back), None)) if back else said()
        case ColourUp(chip=chip, when=when, ends=ends):
            return said("ends" if ends else when, chips=say.number(chip))
        case Clear():
            return counted(say, who, kind, known.get("count"))
    return None


def _listed(tables: Sequence[str]) -> str:
    """A few tables by name, of many the first and the last."""
    if len(tables) > _SHOWN:
        return f"{', '.join(tables[:2])} … {tables[-1]}"
    return ", ".join(tables)


def counted(say: Sentences, who: str, kind: str, count: object, **values: object) -> str:
    """The sentence that says of how many players, where that is known."""
    if not isinstance(count, int):
        key = f"{kind}-seed" if "seed" in values else kind
        return say(key, who=who, **values)
    key = f"{kind}-one" if count == 1 else f"{kind}-many"
    return say(key, who=who, count=say.number(count), **values)


def _corrected(say: Sentences, who: str, act: Correct, player: str) -> str:
    if not player:
        return say.general(who, "clock-correct")
    paid = {None: "", True: "paid", False: "unpaid"}[act.paid]
    parts = [
        say("clock-correct-name", who=who, player=player, name=act.name) if act.name else "",
        say(f"clock-correct-{paid}", who=who, player=act.name or player) if paid else "",
    ]
    return "; ".join(filter(None, parts)) or say("clock-correct", who=who)


def _player(id_: str, known: Known) -> str:
    """Who it was: by the name of then, else of now; empty for somebody who is in no list any
    more."""
    return str(known.get("player") or _names(known).get(id_, ""))


def _players(ids: Sequence[str], known: Known) -> str:
    """Who they were; empty where that is not known of all."""
    then, now = known.get("players"), _names(known)
    if isinstance(then, list):
        return ", ".join(map(str, then))
    return ", ".join(now[each] for each in ids) if now.keys() >= set(ids) else ""


def _names(known: Known) -> Mapping[str, str]:
    names = known.get("names")
    return names if isinstance(names, Mapping) else {}
