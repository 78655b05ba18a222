"""Reading tabled hands: two hole cards with a whole board, by phevaluator."""

from __future__ import annotations

from collections.abc import Sequence

from controller.contract.cards import is_card, is_joker


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
