"""Which tabled hands win and which lose, before the pots are awarded.

RR7-SHOW-4, RRP-SHOW-4: the dealer kills the losing hands first. UK-12C, TDA09-10a: a tabled hand
that wins can't be killed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.cards import is_card, is_joker
from controller.rules.betting import Betting
from controller.rules.pots import pots


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
    if not live or not all(_is_readable((*hole[seat], *board)) for seat in live):
        return Standing()
    strength = {seat: _strength((*hole[seat], *board)) for seat in live}
    contested = [tuple(live)]
    if betting.known:
        contested = [pot.seats for pot in pots(list(betting.players.values()))]
    winning: set[int] = set()
    for seats in contested:
        among = [seat for seat in seats if seat in strength]
        best = min((strength[seat] for seat in among), default=0)
        winning.update(seat for seat in among if strength[seat] == best)
    certain = betting.known or not any(betting.players[seat].all_in for seat in live)
    losing = set(live) - winning if certain else set()
    return Standing(frozenset(winning), frozenset(losing))


def _is_readable(cards: Sequence[str]) -> bool:
    known = all(is_card(card) and not is_joker(card) for card in cards)
    return known and len(cards) == len(set(cards)) == 7


def _strength(cards: Sequence[str]) -> int:
    """Lower for a better hand."""
    from phevaluator import evaluate_cards  # noqa: PLC0415 - slow to import, needed once a hand

    return int(evaluate_cards(*cards))
