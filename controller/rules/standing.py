"""Which tabled hands win and which lose, before the pots are awarded.

RR7-SHOW-4, RRP-SHOW-4: the dealer kills the losing hands first. UK-12C, TDA09-10a: a tabled hand
that wins can't be killed. RR7-SHOW-7, UK-EX14-2: a side pot is awarded before the main one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.rules.betting import Betting
from controller.rules.pots import pots
from controller.rules.reading import is_readable, kind_of, strength


@dataclass(frozen=True, slots=True)
class Share:
    """A pot and whose it is: `amount` where it is known, and the kind of hand that wins it, None
    where nobody else contests it."""

    amount: int | None
    seats: tuple[int, ...]
    hand: str | None


@dataclass(frozen=True, slots=True)
class Standing:
    """Seats of tabled hands, as far as it is certain: `winning` are beaten by none of the others
    in some pot, `losing` in every one. `shares` are the pots, the main one first."""

    winning: frozenset[int] = frozenset()
    losing: frozenset[int] = frozenset()
    shares: tuple[Share, ...] = ()


def standing(betting: Betting, hole: Mapping[int, Sequence[str]], board: Sequence[str]) -> Standing:
    """How the hands compare whose cards `hole` holds. Nothing is said where one of them or the
    board can't be read; while the pots are not known, only of the best hand if there are all-ins.
    """
    live = [p.seat for p in betting.contesting if p.seat in hole]
    if not live or not all(is_readable(hole[seat], board) for seat in live):
        return Standing()
    strengths = {seat: strength(hole[seat], board) for seat in live}
    contested: list[tuple[int | None, tuple[int, ...]]] = [(None, tuple(live))]
    if betting.known:
        made = pots(list(betting.players.values()))
        contested = [(pot.amount, pot.seats) for pot in made]
    winning: set[int] = set()
    shares: list[Share] = []
    for amount, seats in contested:
        among = [seat for seat in seats if seat in strengths]
        best = min((strengths[seat] for seat in among), default=0)
        best_of = tuple(seat for seat in among if strengths[seat] == best)
        winning.update(best_of)
        shares.append(Share(amount, best_of, kind_of(best) if len(seats) > 1 else None))
    certain = betting.known or not any(betting.players[seat].all_in for seat in live)
    losing = set(live) - winning if certain else set()
    return Standing(frozenset(winning), frozenset(losing), tuple(shares) if certain else ())
