"""Decks of tagged cards: how one is registered card by card, and how one is counted. Pure.

Cards are codes and nothing more. Scans of an antenna and their times go in, steps come out;
none of them holds a tag.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from firmware_bridge.ghosts import is_collision, is_mangled

HITS = 2
"""Scans that must have read a tag before it counts."""
MISSES = 3
"""Scans without it after which a tag has been taken away."""
TOGETHER_S = 0.5
"""A hand lays no two cards one after the other so fast: they came together."""
MOST_TAGS = 1_000


class CardOf(Struct, frozen=True):
    """A card of a deck."""

    deck: str
    card: str


class Thing(Struct, frozen=True):
    """An object of the table, such as its button."""

    name: str


Owner = CardOf | Thing


class Registry:
    """Whose each tag is: decks by name, tag → card each, and the table's objects."""

    def __init__(
        self, decks: Mapping[str, Mapping[str, str]], objects: Mapping[str, str] | None = None
    ) -> None:
        self._owners: dict[str, Owner] = {tag: Thing(name) for tag, name in (objects or {}).items()}
        for deck, cards in decks.items():
            self._owners |= {tag: CardOf(deck, card) for tag, card in cards.items()}

    def owner(self, tag: str) -> Owner | None:
        """Whose it is; None for a foreign tag."""
        return self._owners.get(tag)


# --- registering ---


class Enrolled(Struct, frozen=True, tag_field="kind", tag="enrolled"):
    """A new tag is this card from now on."""

    card: str


class AlreadyEnrolled(Struct, frozen=True, tag_field="kind", tag="already-enrolled"):
    """The tag that was laid down is a card of this deck already."""

    card: str


class OfAnother(Struct, frozen=True, tag_field="kind", tag="of-another"):
    """The tag that was laid down is a card of another deck."""

    deck: str


class OfTable(Struct, frozen=True, tag_field="kind", tag="of-table"):
    """The tag that was laid down is an object of the table."""

    thing: str


class Several(Struct, frozen=True, tag_field="kind", tag="several"):
    """More than one new tag lies there; `again` is the card that one of them had been taken for."""

    count: int
    again: str | None = None


class Crowded(Struct, frozen=True, tag_field="kind", tag="crowded"):
    """The reader can't tell apart what lies there: the new card has to lie there alone."""


Step = Enrolled | AlreadyEnrolled | OfAnother | OfTable | Several | Crowded


class _Laid(Struct):
    """A tag that lies there: since when, in how many scans, and whether it was dealt with."""

    since: float
    hits: int = 0
    misses: int = 0
    is_done: bool = False


class Enrolment:
    """Registers a deck, one card after the other, with one antenna.

    A new tag becomes the card that is wanted once it is the only new one there; what was
    registered before it may lie there still.
    """

    def __init__(
        self, cards: Sequence[str], others: Registry, tags: Mapping[str, str] | None = None
    ) -> None:
        """`cards` are the codes in the order in which they are wanted, `others` the tags that
        can't be cards of this deck, `tags` those that are already: card → tag."""
        self._cards = tuple(cards)
        self._others = others
        self._tags = dict(tags or {})
        self._laid: dict[str, _Laid] = {}
        self._last: tuple[float, str] | None = None
        self._several = 0
        self._crowded = False

    def __repr__(self) -> str:
        return f"Enrolment({len(self._tags)} of {len(self._cards)})"

    @property
    def wanted(self) -> str | None:
        """The card that is to be laid down next; None when all are registered."""
        return next((card for card in self._cards if card not in self._tags), None)

    @property
    def deck(self) -> dict[str, str]:
        """What is registered: tag → card."""
        return {tag: card for card, tag in self._tags.items()}

    def is_over(self, t: float) -> bool:
        """Whether all are registered, and the last one lay there alone."""
        recent = self._last is not None and t - self._last[0] <= TOGETHER_S
        return self.wanted is None and not recent

    def back(self) -> str | None:
        """Forgets the card before the wanted one and returns it; None if there is none.

        Its tag has to be taken away before it can be registered again.
        """
        wanted = self.wanted
        before = self._cards if wanted is None else self._cards[: self._cards.index(wanted)]
        self._last = None
        if not before:
            return None
        del self._tags[before[-1]]
        return before[-1]

    def scan(self, t: float, tags: Iterable[str], *, complete: bool = True) -> list[Step]:
        """What a scan of the antenna at time `t` leads to; every step comes once."""
        self._track(t, tuple(tags))
        known = {tag: card for card, tag in self._tags.items()}
        steps: list[Step] = []
        new: dict[str, _Laid] = {}
        ghosts = 0
        for tag, laid in self._laid.items():
            if laid.is_done or laid.hits < HITS:
                continue
            refusal = self._refusal(tag, known)
            if refusal is not None:
                laid.is_done = True
                steps.append(refusal)
            elif self._may_be_ghost(tag):
                ghosts += 1
            else:
                new[tag] = laid
        was, self._crowded = self._crowded, not complete or (ghosts > 0 and not new)
        if self._crowded:
            return steps if was else [*steps, Crowded()]
        return [*steps, *self._judge(new)]

    def _judge(self, new: Mapping[str, _Laid]) -> list[Step]:
        """What the tags that are new, and nobody's, lead to."""
        again = self._taken_too_soon(new)
        count = len(new) + (again is not None)
        if count > 1:
            was, self._several = self._several, count
            return [Several(count, again)] if count != was or again is not None else []
        self._several = 0
        wanted = self.wanted
        if wanted is None:
            return []
        for tag, laid in new.items():
            laid.is_done = True
            self._tags[wanted] = tag
            self._last = (laid.since, wanted)
            return [Enrolled(wanted)]
        return []

    def _taken_too_soon(self, new: Mapping[str, _Laid]) -> str | None:
        """The card that was registered last, if another tag came with it: it is so no longer."""
        if self._last is None or not new:
            return None
        since, card = self._last
        first = self._laid.get(self._tags[card])
        if first is None or min(laid.since for laid in new.values()) - since > TOGETHER_S:
            return None
        first.is_done = False
        del self._tags[card]
        self._last = None
        return card

    def _refusal(self, tag: str, known: Mapping[str, str]) -> Step | None:
        """Why a tag can't be a card of this deck, or None."""
        if tag in known:
            return AlreadyEnrolled(known[tag])
        match self._others.owner(tag):
            case CardOf(deck, _):
                return OfAnother(deck)
            case Thing(name):
                return OfTable(name)
        return None

    def _track(self, t: float, tags: tuple[str, ...]) -> None:
        for tag in tags:
            if len(self._laid) < MOST_TAGS:
                laid = self._laid.setdefault(tag, _Laid(t))
                laid.hits, laid.misses = laid.hits + 1, 0
        for tag in self._laid.keys() - set(tags):
            laid = self._laid[tag]
            laid.misses += 1
            if laid.misses >= MISSES or (laid.hits < HITS and not laid.is_done):
                del self._laid[tag]

    def _may_be_ghost(self, tag: str) -> bool:
        """A collision may be read as a tag; if it is one, it is read alone as well."""
        others = self._laid.keys() - {tag}
        return is_mangled(tag) or is_collision(tag, others, others)


# --- counting ---


class Count(Struct, frozen=True):
    """What has been read of a deck: the `missing` cards, how many of each other deck, and the
    ends of the foreign tags' numbers."""

    deck: str
    seen: int
    of: int
    missing: tuple[str, ...]
    spare: tuple[str, ...]
    others: dict[str, int]
    foreign: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Whether it is this deck, all of it and nothing else."""
        return not self.missing and not self.others and not self.foreign


class Counting:
    """Counts the cards of a deck wherever they are read, in small packets or all at once."""

    def __init__(
        self,
        name: str,
        deck: Mapping[str, str],
        others: Registry,
        needed: Sequence[str],
    ) -> None:
        """`deck` is tag → card, `needed` the cards that a whole deck has; any other card of it
        is a spare one. `others` are the tags of other decks and the table's objects."""
        self._name = name
        self._deck = dict(deck)
        self._others = others
        self._needed = tuple(needed)
        self._hits: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"Counting({self._name!r}, {len(self._hits)} tags)"

    def scan(self, tags: Iterable[str]) -> None:
        """Takes in what one scan of any antenna read."""
        read = frozenset(tags)
        for tag in read:
            known = tag in self._deck or self._others.owner(tag) is not None
            if not known and (is_mangled(tag) or is_collision(tag, read - {tag}, read)):
                continue
            if tag in self._hits or len(self._hits) < MOST_TAGS:
                self._hits[tag] = self._hits.get(tag, 0) + 1

    @property
    def count(self) -> Count:
        """What has been read until now. A foreign tag counts from its second read on."""
        cards = {self._deck[tag] for tag in self._hits if tag in self._deck}
        owners = {tag: self._others.owner(tag) for tag in self._hits if tag not in self._deck}
        others: dict[str, int] = {}
        for owner in owners.values():
            if isinstance(owner, CardOf):
                others[owner.deck] = others.get(owner.deck, 0) + 1
        foreign = sorted(
            tag[-4:] for tag, owner in owners.items() if owner is None and self._hits[tag] >= HITS
        )
        missing = tuple(card for card in self._needed if card not in cards)
        return Count(
            deck=self._name,
            seen=len(self._needed) - len(missing),
            of=len(self._needed),
            missing=missing,
            spare=tuple(sorted(cards - set(self._needed))),
            others=dict(sorted(others.items())),
            foreign=tuple(foreign),
        )
