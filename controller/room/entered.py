"""What the register and the tournament's figures make of each other: pure."""

from __future__ import annotations

from msgspec.structs import replace

from controller.room.acts import ActError
from controller.room.finishes import Bust
from controller.room.register import Player, Register, out, reconciled
from controller.room.seat_draw import AtSeat
from controller.room.tournament import Tell, Tournament, tell


def with_entries(told: Tournament, register: Register) -> Tournament:
    """The tournament with as many entries as there are in the register; who is left follows."""
    if not register.players:
        return replace(told, entries=None) if not told.finishes else told
    counted = replace(told, players_left=None)
    return tell(counted, Tell(actor="-", entries=len(register.players)), 0)


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
        found = register.by_id.get(act.entrant)
        if found is None:
            raise ActError(f"nobody has the id {act.entrant}")
        return found
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


def after_finishes(register: Register, told: Tournament, gone: Player | None) -> Register:
    """The register once it was told who is out: `gone` by the last finish, and nobody of whom there
    is none."""
    if gone is not None:
        register = out(register, gone, told.last_finish)
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
