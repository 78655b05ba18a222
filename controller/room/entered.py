"""What the register and the tournament's figures make of each other: pure."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.room.acts import Act, ActError
from controller.room.buying import bought
from controller.room.finishes import Bust
from controller.room.register import Player, PlayerId, Register, out, reconciled
from controller.room.seat_draw import AtSeat
from controller.room.tournament import Tell, Tournament, tell


def with_entries(told: Tournament, register: Register) -> Tournament:
    """The tournament with as many entries as there are in the register, and what was bought beside
    them or has left play; who is left follows."""
    stacks, chips = bought(register)
    told = replace(told, stacks_bought=stacks, chips_bought=chips, chips_out=register.chips_out)
    if not register.players:
        return replace(told, entries=None) if not told.finishes else told
    counted = replace(told, players_left=None)
    return tell(counted, Tell(actor="-", entries=register.entries), 0)


class Gone(Struct, frozen=True):
    """One who is out, and with how many chips he began the hand."""

    entrant: PlayerId
    began: Annotated[int, Meta(ge=0, le=1_000_000_000)] | None = None


class Busts(Act, frozen=True, kw_only=True):
    """`busts`: these went out in one hand, or in one that all tables played together. Who began it
    with more is placed higher, and equal stacks share (HPT-WIN-02, RR7-T-35); or they all `share`
    (NL10-WIN-02)."""

    outs: Annotated[tuple[Gone, ...], Meta(min_length=2, max_length=1_000)]
    share: bool = False


def one_by_one(act: Busts) -> list[Bust]:
    """Those who went out in one hand, the lowest place first. Raises ActError where a stack that
    decides is not known."""
    if not act.share and any(one.began is None for one in act.outs):
        raise ActError("say with how many chips each of them began the hand")
    order = act.outs if act.share else sorted(act.outs, key=lambda one: one.began or 0)
    return [
        Bust(
            actor=act.actor,
            reason=act.reason,
            entrant=one.entrant,
            together=number > 0 and (act.share or one.began == order[number - 1].began),
        )
        for number, one in enumerate(order)
    ]


def meant(register: Register, act: Bust) -> tuple[Bust, Player | None]:
    """Whom of the register an act means, and the act with all that is known of him. Without a
    register nobody is meant.

    Raises ActError where it is not certain.
    """
    if not register.players or act.place == 1:
        return act, None
    player = _found(register, act)
    if player.status == "out":
        raise ActError(f"{player.name} is out already")
    at = player.at
    known = replace(
        act,
        player=player.name,
        entrant=player.id,
        table=act.table if at is None else at.table,
        seat=act.seat if at is None else at.seat,
    )
    return known, player


def _found(register: Register, act: Bust) -> Player:
    if act.entrant is not None:
        return register.player(act.entrant)
    if act.table is not None and act.seat is not None:
        found = register.by_seat.get(AtSeat(act.table, act.seat))
        if found is None:
            raise ActError(f"nobody sits at table {act.table}, seat {act.seat}")
        return found
    if act.player is None:
        raise ActError("say who is out")
    wanted = act.player.casefold()
    same = [p for p in register.players if p.name.casefold() == wanted and p.status != "out"]
    if len(same) != 1:
        raise ActError(
            f"{'nobody' if not same else 'more than one'} of this name is in: {act.player}"
        )
    return same[0]


def after_finishes(
    register: Register, told: Tournament, gone: Player | None, forfeits: int = 0
) -> Register:
    """The register once it was told who is out: `gone` by the last finish, who `forfeits` so many
    chips, and nobody of whom there is none."""
    if gone is not None:
        register = out(register, gone, told.last_finish, forfeits)
    return reconciled(register, (each.id for each in told.finishes))


def with_winner_named(told: Tournament, register: Register) -> Tournament:
    """The tournament with the name of its winner, where one player is left in the register."""
    left = [each for each in register.players if each.status != "out"]
    if len(left) != 1:
        return told
    (player,) = left
    at = player.at
    finishes = tuple(
        replace(
            each,
            player=player.name,
            table=None if at is None else at.table,
            seat=None if at is None else at.seat,
        )
        if each.place == 1 and not each.player
        else each
        for each in told.finishes
    )
    return replace(told, finishes=finishes)
