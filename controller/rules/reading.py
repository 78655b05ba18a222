"""Reading tabled hands: two hole cards with a whole board, by phevaluator."""

from __future__ import annotations

from collections.abc import Sequence

from controller.contract.cards import is_card, is_joker

_WORST = (
    (10, "straight-flush"),
    (166, "four-of-a-kind"),
    (322, "full-house"),
    (1599, "flush"),
    (1609, "straight"),
    (2467, "three-of-a-kind"),
    (3325, "two-pair"),
    (6185, "pair"),
    (7462, "high-card"),
)
"""The strength of the worst hand of each kind, of the 7,462 that differ."""


def is_readable(hole: Sequence[str], board: Sequence[str]) -> bool:
    """Whether these are two cards and five, all known and no two alike."""
    cards = (*hole, *board)
    if (len(hole), len(board), len(set(cards))) != (2, 5, 7):
        return False
    return all(is_card(card) and not is_joker(card) for card in cards)


def strength(hole: Sequence[str], board: Sequence[str]) -> int:
    """Lower for a better hand."""
    from phevaluator import evaluate_cards  # noqa: PLC0415 - slow to import, needed once a hand

    return int(evaluate_cards(*hole, *board))


def kind_of(strength: int) -> str:
    """What a hand of this strength is called: a key of the languages' `[hands]`."""
    return next(name for worst, name in _WORST if strength <= worst)
