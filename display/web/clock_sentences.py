"""What was asked of the clock and told of the tournament, as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from controller.room.acts import (
    Act,
    ActError,
    AddTime,
    Answer,
    CallBreak,
    Change,
    Insert,
    NewStructure,
    Rules,
)
from controller.room.did import KNOWN, Did, Where
from controller.room.finishes import Bust, Unbust
from controller.room.moves import Moves
from controller.room.record import asked
from controller.room.tournament import Say, Tell
from display.web.money_sentences import money_act
from display.web.player_sentences import counted, player_act
from display.web.sentences import MINUTE_MS, Sentences, fields_of, sentences

_FIGURES = ("name", "entries", "players_left", "starting_stack", "chips", "prizes")
_RULES = ("hold_for_hands", "pause_on_dispute")


@lru_cache(maxsize=1_000)  # every page asks for the same ones each second
def clock_sentence(did: Did, language: str) -> str:
    """A line of the clock's history."""
    say = sentences(language)
    if did.refused:
        return say.attempt(did.actor, f"clock-{did.name}")
    return clock_act(say, did.actor, did.name, fields_of(did.words), where=did.where)


def clock_act(
    say: Sentences,
    who: str,
    name: str,
    fields: Mapping[str, object],
    *,
    where: Where | None = None,
    names: Mapping[str, str] | None = None,
) -> str:
    """What was done by the act `name` with these fields, as far as they are known. `names` are
    those of the players now, by their ids."""
    kind = f"clock-{name}"
    carried = {field: value for field, value in fields.items() if field != KNOWN}
    beside = fields.get(KNOWN)
    known: dict[str, Any] = {"names": names or {}, **(beside if isinstance(beside, dict) else {})}
    table = fields.get("table")
    if name == "import":
        return counted(say, who, kind, known.get("count"))
    if name == "tell-seats" and isinstance(table, str):
        return say(f"{kind}-table", who=who, table=say.place(table, None))
    try:
        act = asked(name, {**carried, "actor": who})
    except ActError:  # of another version, or not kept whole
        return say.general(who, kind)
    done = player_act(say, who, kind, act, known) or money_act(say, who, kind, act, known)
    if done is None:
        done = _Done(say, who, kind, where).sentence(_named(act, known))
    return say.words(done, act.reason)


def _named(act: Act, known: Mapping[str, Any]) -> Act:
    """A player of the register who is out, by name."""
    if isinstance(act, Unbust) and "players" in known:
        return _AllBackIn(actor=act.actor, players=tuple(map(str, known["players"])))
    if isinstance(act, Unbust):
        return act if "player" not in known else _BackIn(actor=act.actor, player=known["player"])
    if not isinstance(act, Bust):
        return act
    name = known.get("player") or act.player
    if name is None and act.entrant is not None:
        name = known["names"].get(act.entrant)
    table, seat = known.get("table", act.table), known.get("seat", act.seat)
    return replace(act, player=name, table=table, seat=seat)


class _BackIn(Act, frozen=True, kw_only=True):
    """`unbust` of somebody whose name is known."""

    player: str


class _AllBackIn(Act, frozen=True, kw_only=True):
    """`unbust` of several whose names are known."""

    players: tuple[str, ...]


class _Done:
    """One act that was done."""

    def __init__(self, say: Sentences, who: str, kind: str, where: Where | None) -> None:
        self._say, self._who, self._kind, self._where = say, who, kind, where

    def sentence(self, act: Act) -> str:
        """All that there is to be said, but for the reason."""
        match act:
            case AddTime(by_ms=by_ms):
                way = "more" if by_ms > 0 else "less"
                return self._at(way, time=self._say.time(abs(by_ms)))
            case CallBreak(duration_ms=ms):
                return self._said("long", minutes=self._say.minutes(ms))
            case Answer(choice=choice):
                return self._left(self._said(choice))
            case Change(entry=entry) | Insert(entry=entry):
                text = self._say.entry(entry)
                return self._at(entry=text) if self._spot else self._say.words(self._said(), text)
            case NewStructure(structure=structure):
                count = sum(entry.blinds is not None for entry in structure.entries)
                if count == 1:
                    return self._said("one", name=structure.name)
                return self._said("many", name=structure.name, count=count)
            case Rules():
                return self._rules(act)
            case Tell():
                return self._told(act)
            case Say(text=text, minutes=minutes):
                long = "" if minutes is None else self._say.minutes(minutes * MINUTE_MS)
                return self._say.words(self._say.more(self._said(), [long]), text)
            case Moves():
                from_ = self._say.place(act.from_.table, act.from_.seat)
                to = self._say.place(act.to.table, act.to.seat)
                return self._said("player", player=act.player, **{"from": from_, "to": to})
            case Bust():
                return self._out(act)
            case _AllBackIn(players=players):
                return self._said("players", players=", ".join(players))
            case _BackIn(player=player):
                return self._said("player", player=player)
        if self._kind == "clock-next" and self._where is not None and self._where.ended_break:
            return self._left(self._said("over"))
        if self._kind in ("clock-pause", "clock-resume", "clock-end"):
            return self._left(self._said())
        return self._at()

    def _said(self, more: str = "", **values: object) -> str:
        key = f"{self._kind}-{more}" if more else self._kind
        return self._say(key, who=self._who, **values)

    def _at(self, more: str = "", **values: object) -> str:
        """The sentence that names the place, where it is known and there is one."""
        ends = "-".join(filter(None, (more, self._spot)))
        level = self._where.level if self._where is not None else 0
        known = f"{self._kind}-{ends}" in self._say.did
        return self._said(ends if known else more, level=level, **values)

    @property
    def _spot(self) -> str:
        where = self._where
        if where is None or not where.level:
            return ""
        return "break" if where.on_break else "level"

    def _left(self, what: str) -> str:
        where = self._where
        if where is None or where.left_ms is None:
            return what
        time = self._say.time(where.left_ms)
        if where.on_break:
            return self._say("left-break", what=what, time=time)
        return self._say("left-level", what=what, time=time, level=where.level)

    def _rules(self, act: Rules) -> str:
        given = {rule: getattr(act, rule) for rule in _RULES}
        said = [
            self._said(f"{rule}-{'on' if on else 'off'}")
            for rule, on in given.items()
            if on is not None
        ]
        return "; ".join(said) or self._said()

    def _told(self, act: Tell) -> str:
        given = {name: getattr(act, name) for name in _FIGURES}
        set_ = [self._figure(name, value) for name, value in given.items() if value is not None]
        forgotten = [self._say(f"figure-{name}") for name in act.forget if name in _FIGURES]
        said = [
            self._said(key, figures=", ".join(figures))
            for key, figures in (("set", set_), ("forget", forgotten))
            if figures
        ]
        return "; ".join(said) or self._said()

    def _figure(self, name: str, value: int | str | tuple[str, ...]) -> str:
        shown = len(value) if isinstance(value, tuple) else value
        text = self._say.number(shown) if isinstance(shown, int) else shown
        return self._say("figure", figure=self._say(f"figure-{name}"), value=text)

    def _out(self, act: Bust) -> str:
        if act.place == 1 and act.player:
            return self._said("winner", player=act.player)
        what = self._said("player", player=act.player) if act.player else self._said()
        return self._say.more(
            what,
            (
                self._say.place(act.table, act.seat) if act.table else "",
                self._say("at-place", place=act.place) if act.place else "",
                self._say("together") if act.together else "",
            ),
        )
