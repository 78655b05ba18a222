"""Cards in words, and in the order in which a deck is gone through."""

from __future__ import annotations

from collections.abc import Collection

from controller.contract.cards import JOKERS, RANKS, SUITS, is_joker
from controller.table.decks import ONLY

_RANKS = dict(
    zip(
        RANKS,
        ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace"),
        strict=True,
    )
)
_SUITS = dict(zip(SUITS, ("spades", "hearts", "diamonds", "clubs"), strict=True))

IN_ORDER = tuple(rank + suit for suit in SUITS for rank in f"A{RANKS[:-1]}")
"""The 52 cards as they are laid down one by one: each suit from its ace to its king."""

NAMED_ONE_BY_ONE = 4


def spoken(card: str) -> str:
    """A card's name: `ace of spades`, `first joker`."""
    if is_joker(card):
        return f"{('first', 'second')[JOKERS.index(card)]} joker"
    return f"{_RANKS[card[0]]} of {_SUITS[card[1]]}"


def called(deck: str) -> str:
    """A deck within a sentence: the table's only one needs no name."""
    return "the deck" if deck == ONLY else f"deck {deck}"


def sentence(text: str) -> str:
    """With a capital letter."""
    return text[:1].upper() + text[1:]


def listed(cards: Collection[str]) -> str:
    """Several cards in one line; many of them suit by suit."""
    if len(cards) <= NAMED_ONE_BY_ONE:
        return ", ".join(spoken(card) for card in (*IN_ORDER, *JOKERS) if card in cards)
    suits = []
    for suit, name in _SUITS.items():
        ranks = [
            card[0].replace("T", "10") for card in IN_ORDER if card in cards and card[1] == suit
        ]
        if ranks:
            suits.append(f"{name} {'all' if len(ranks) == len(RANKS) else ' '.join(ranks)}")
    suits += [spoken(card) for card in JOKERS if card in cards]
    return "; ".join(suits)
