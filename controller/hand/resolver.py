"""The only part that can tell which card a tag is.

It answers what a tag is in kind (card, joker, foreign, object) to anyone, and names a card
only to those who have made sure that it is public (contract, *Secrecy*).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from controller.contract.cards import CARDS, is_card, is_joker

TagClass = Literal["card", "joker", "foreign", "object"]


class Resolver:
    """Tag → card of the deck in play. Prints redacted."""

    __slots__ = ("_deck", "_objects", "_resting", "_twins")

    def __init__(
        self,
        deck: Mapping[str, str] | None,
        objects: Mapping[str, str],
        resting: Iterable[str] = (),
    ) -> None:
        """Without a deck map a tag is its own card code. `resting` are the tags of decks that are
        known and not in play."""
        self._objects = objects
        self._resting = frozenset(resting)
        self._put(deck)

    def _put(self, deck: Mapping[str, str] | None) -> None:
        self._deck = deck
        self._twins: dict[str, tuple[str, ...]] = {}
        if deck is not None and len(set(deck.values())) < len(deck):
            named: dict[str, list[str]] = {}
            for tag, code in deck.items():
                named.setdefault(code, []).append(tag)
            self._twins = {tag: tuple(t for t in named[deck[tag]] if t != tag) for tag in deck}

    def __repr__(self) -> str:
        return "Resolver(…)"

    @property
    def deck(self) -> Mapping[str, str] | None:
        """The deck in play, for another resolver."""
        return self._deck

    @property
    def resting(self) -> frozenset[str]:
        """The tags of the decks that are known and not in play."""
        return self._resting

    def with_deck(self, deck: Mapping[str, str]) -> Resolver:
        """The same objects with another deck in play: the one before rests."""
        return Resolver(deck, self._objects, self._resting_beside(deck))

    def change_deck(self, deck: Mapping[str, str]) -> None:
        """Another deck is in play, for all who ask: the one before rests."""
        self._resting = self._resting_beside(deck)
        self._put(deck)

    def _resting_beside(self, deck: Mapping[str, str]) -> frozenset[str]:
        return (self._resting | (self._deck or {}).keys()) - deck.keys()

    def is_resting(self, tag: str) -> bool:
        """Whether a tag is of a deck that is known and not in play."""
        return tag in self._resting

    def classify(self, tag: str) -> TagClass:
        """What kind of thing a tag is."""
        if tag in self._objects:
            return "object"
        code = self._code(tag)
        if code is None:
            return "foreign"
        return "joker" if is_joker(code) else "card"

    def twins(self, tag: str) -> tuple[str, ...]:
        """The other tags that stand for the same card."""
        return self._twins.get(tag, ())

    def missing(self, tags: Iterable[str]) -> int:
        """How many cards of the deck in play are not among these tags; jokers do not count."""
        codes = CARDS if self._deck is None else set(self._deck.values())
        found = {self._code(tag) for tag in tags}
        return sum(code not in found for code in codes if not is_joker(code))

    def is_of_this_deck(self, tags: Collection[str]) -> bool:
        """Whether most of these tags, or none at all, are of the deck in play."""
        return 2 * sum(self._code(tag) is not None for tag in tags) >= len(tags)

    def is_of_no_deck(self, tags: Collection[str]) -> bool:
        """Whether most of these tags are of no deck that is known."""
        known = sum(self._code(tag) is not None or tag in self._resting for tag in tags)
        return 2 * known < len(tags)

    def thing(self, tag: str) -> str | None:
        """What an object's tag stands for: `button`, `all-in`, `cut-card`, `badge:NAME`."""
        return self._objects.get(tag)

    def name_public(self, tags: Iterable[str]) -> tuple[str, ...]:
        """The codes of cards that the caller knows to be public; a foreign one has none."""
        return tuple(code for tag in tags if (code := self._code(tag)) is not None)

    def _code(self, tag: str) -> str | None:
        if self._deck is not None:
            return self._deck.get(tag)
        return tag if is_card(tag) else None
