"""Card codes: rank `23456789TJQKA` and suit `shdc`; `X1` and `X2` are the jokers."""

from __future__ import annotations

RANKS = "23456789TJQKA"
SUITS = "shdc"
JOKERS = ("X1", "X2")
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)

_ALL = frozenset(CARDS) | frozenset(JOKERS)
_JOKERS = frozenset(JOKERS)


def is_card(code: str) -> bool:
    """Whether this is one of the 52 cards or a joker."""
    return code in _ALL


def is_joker(code: str) -> bool:
    """Whether this is a joker."""
    return code in _JOKERS
