"""Which tabled hands win and which lose, before the pots are awarded.

RR7-SHOW-4, RRP-SHOW-4: the dealer kills the losing hands first. UK-12C, TDA09-10a: a tabled hand
that wins can't be killed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.rules.betting import Betting
from controller.rules.pots import pots
from controller.rules.reading import is_readable, strength


@dataclass(frozen=True, slots=True)
class Standing:
    """Seats of tabled hands, as far as it is certain: `winning` are beaten by none of the others
    in some pot, `losing` in every one."""

    winning: frozenset[int] = frozenset()
    losing: frozenset[int] = frozenset()


def standing(betting: Betting, hole: Mapping[int, Sequence[str]], board: Sequence[str]) -> Standing:
    """How the hands compare whose cards `hole` holds. Nothing is said where one of them or the
    board can't be read; while the pots are not known, only of the best hand if there are all-ins.
    """
    live = [p.seat for p in betting.live if p.seat in hole and not p.mucked]
    if not live or not all(is_readable(hole[seat], board) for seat in live):
        return Standing()
    strengths = {seat: strength(hole[seat], board) for seat in live}
    contested = [tuple(live)]
    if betting.known:
        contested = [pot.seats for pot in pots(list(betting.players.values()))]
    winning: set[int] = set()
    for seats in contested:
        among = [seat for seat in seats if seat in strengths]
        best = min((strengths[seat] for seat in among), default=0)
        winning.update(seat for seat in among if strengths[seat] == best)
    certain = betting.known or not any(betting.players[seat].all_in for seat in live)
    losing = set(live) - winning if certain else set()
    return Standing(frozenset(winning), frozenset(losing))
