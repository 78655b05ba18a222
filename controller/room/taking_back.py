"""What was done with many players, or for good, is taken back as a whole: pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from controller.contract.messages import Line
from controller.room.acts import Act, ActError
from controller.room.arrivals import leaves
from controller.room.entering import check_namesakes
from controller.room.register import (
    MAX_PLAYERS,
    Before,
    Drawn,
    Moment,
    Player,
    PlayerId,
    Register,
    Withdrawn,
    here,
    place,
    seated,
    taken,
    with_players,
)

KEPT_WITHDRAWN = 20


class Undraw(Act, frozen=True, kw_only=True):
    """`undraw`: the last draw was not so, whose `seed` this is: who still sits where it put him is
    back where he was. It stays among the draws."""

    seed: Annotated[Line, Meta(min_length=1)] | None = None


class Reinstate(Act, frozen=True, kw_only=True):
    """`reinstate`: who was withdrawn has entered after all, with all that he had; at his seat, if
    it is free."""

    player: PlayerId


def withdrawn(register: Register, player: Player) -> Register:
    """The register without a player, of whom is kept what `reinstate` needs."""
    left = tuple(each for each in register.players if each.id != player.id)
    apart = tuple(group for group in register.apart if player.id not in group)
    lost = tuple(group for group in register.apart if player.id in group)
    kept = (*register.withdrawn, Withdrawn(player, lost))[-KEPT_WITHDRAWN:]
    return replace(register, players=left, apart=apart, withdrawn=kept)


def _reinstate(register: Register, act: Reinstate, now: Moment) -> Register:
    found = next((one for one in reversed(register.withdrawn) if one.player.id == act.player), None)
    if found is None:
        raise ActError("nobody of this id was withdrawn")
    player = found.player
    if player.id in register.by_id:
        raise ActError(f"the id {player.id} is {register.by_id[player.id].name}'s")
    check_namesakes(register, player)
    if len(register.players) >= MAX_PLAYERS:
        raise ActError(f"a register has at most {MAX_PLAYERS} players")
    at = player.at
    if at is None or at in register.by_seat or at.seat > register.seats_of.get(at.table, 0):
        player = replace(player, at=None, status="entered", came=None, coming=False)
    elif now.playing:
        player = seated(replace(player, at=None), at, playing=True)
    players = sorted((*register.players, player), key=lambda each: each.number)
    ids = {each.id for each in players}
    again = [g for g in found.apart if ids.issuperset(g) and g not in register.apart]
    return replace(
        register,
        players=tuple(players),
        apart=(*register.apart, *again),
        withdrawn=tuple(one for one in register.withdrawn if one is not found),
    )


def _undraw(register: Register, act: Undraw, now: Moment) -> Register:
    if not register.draws:
        raise ActError("nothing has been drawn")
    last = register.draws[-1]
    if last.undone or act.seed not in (None, last.draw.seed):
        raise ActError("that draw is not the last one, or is taken back already")
    if len(last.before) != len(last.given):
        raise ActError("where they sat before that draw is not known any more")
    back = _still_there(register, last)
    if not back:
        raise ActError("nobody sits any more where that draw put him")
    leave = {player.id for player, _ in back}
    for _, before in back:
        at = before.at and place(register, before.at.table, before.at.seat)
        other = None if at is None else register.by_seat.get(at)
        if at is not None and other is not None and other.id not in leave:
            raise ActError(taken(at, other))
    changed = [_returned(player, before, playing=now.playing) for player, before in back]
    tables = {each.table for each in last.draw.tables}
    return replace(
        with_players(register, changed),
        draws=(*register.draws[:-1], replace(last, undone=True)),
        gathers=tuple(each for each in register.gathers if each not in tables),
        undrawn=tuple(each for each in register.undrawn if each not in tables),
    )


def _still_there(register: Register, drawn: Drawn) -> list[tuple[Player, Before]]:
    there = zip(drawn.draw.players, drawn.given, drawn.before, strict=True)
    return [
        (player, before)
        for id_, at, before in there
        if (player := register.by_id.get(id_)) is not None and player.at == at
    ]


def _returned(player: Player, before: Before, *, playing: bool) -> Player:
    """A player where he was. Who has not come to another table yet has never left, and does not
    wait; who has is on his way back."""
    there = player.at
    if before.at is None or there is None:
        return replace(player, at=None, status="entered", new=before.new, came=None, coming=False)
    if playing and before.at.table != there.table and not player.coming:
        return leaves(seated(player, before.at, playing=playing), there)
    is_away = player.status in ("penalty", "absent")
    was_away = before.status in ("penalty", "absent")
    back = replace(player, at=before.at, new=before.new)
    status = player.status if is_away else here(back) if was_away else before.status
    return replace(back, status=status, came=before.came, coming=before.coming)


TAKING_BACK_ACTS: Mapping[str, tuple[type[Act], Callable[[Register, Any, Moment], Register]]] = {
    "undraw": (Undraw, _undraw),
    "reinstate": (Reinstate, _reinstate),
}
"""Every act: its name → what it carries and what it does."""
