"""Observations as the journal keeps them: tags hidden, and what kind of thing each one is.

A line is `{"o": observation}`, where each tag has become `p` and 16 hex digits: a keyed hash
that means nothing without the key, and there is another key whenever the table has been cleared
(`controller.storage.key_ring`). Beside it stands
what the tags are: `"c"` is the class of the one tag, or maps pseudonym → class for the tags of
a deck check; `"d"` does so for the deck that came into play, of which only its name `"n"` is kept.
Wherever several tags stand together they are in the order of their pseudonyms, since a deck in
its usual order would give each card away. Objects are no secret: their pseudonyms keep the map.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Raw, Struct

from controller.contract.cards import is_card, is_joker
from controller.contract.observations import (
    Boxed,
    DeckChange,
    DeckCheck,
    Exposed,
    Gone,
    MalformedObservationError,
    Observation,
    Pick,
    Seen,
    Table,
    decode,
    encode,
)

KEY_BYTES = 32

ThingClass = Literal["card", "joker", "foreign", "object", "twin"]


class _Line(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    o: Raw
    c: str | dict[str, str] | None = None
    d: dict[str, str] | None = None
    n: str | None = None

    def __repr__(self) -> str:
        return "_Line(…)"


_read = msgspec.json.Decoder(_Line).decode
_write = msgspec.json.Encoder().encode


def classifier(
    deck: Mapping[str, str] | None, objects: Mapping[str, str]
) -> Callable[[str], ThingClass]:
    """What kind of thing a tag is, given the deck in play; without one a tag is its own code.

    A twin is a card whose rank and suit another tag of the deck has too.
    """
    copies = Counter(() if deck is None else deck.values())

    def classify(tag: str) -> ThingClass:
        if tag in objects:
            return "object"
        code = deck.get(tag) if deck is not None else tag if is_card(tag) else None
        if code is None:
            return "foreign"
        if is_joker(code):
            return "joker"
        return "twin" if copies[code] > 1 else "card"

    return classify


def deck_name(line: bytes) -> str:
    """What the deck is called that a journal's line put in play; empty where that is not kept."""
    return _read(line).n or ""


def reveal(line: bytes, names: Mapping[str, str]) -> Observation:
    """The observation of a journal's line; `names` are pseudonym → tag.

    Any other pseudonym is left standing, as a foreign tag. Where a deck came into play the
    observation has an empty one, for the caller to put it in. Raises MalformedObservationError.
    """
    try:
        read = _read(line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise MalformedObservationError("this is not a line of a journal") from None
    o = decode(bytes(read.o))
    match o:
        case Table():
            objects = {names.get(p, p): thing for p, thing in o.objects.items()}
            deck: dict[str, str] | None = None if read.d is None else {}
            return msgspec.structs.replace(o, deck=deck, objects=objects)
        case DeckCheck():
            return msgspec.structs.replace(o, tags=tuple(names.get(p, p) for p in o.tags))
        case Seen() | Gone() | Exposed() | Boxed() | Pick() if o.tag is not None:
            return msgspec.structs.replace(o, tag=names.get(o.tag, o.tag))
        case _:
            return o


class Hiding(ABC):
    """Hides the tags of observations, and knows them again."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(…)"

    @abstractmethod
    def of(self, tag: str) -> str:
        """The pseudonym of a tag."""

    @abstractmethod
    def known(self, tags: Iterable[str]) -> dict[str, str]:
        """Pseudonym → tag for these tags."""

    def hide(
        self, observation: Observation, classify: Callable[[str], str], deck: str | None = None
    ) -> bytes:
        """The journal's line for an observation.

        `classify` says what a tag is in the deck in play; a deck that the observation itself
        brings is looked up there, and `deck` is what it is called.
        """
        o = observation
        c: str | dict[str, str] | None = None
        d: dict[str, str] | None = None
        match observation:
            case Table():
                d = self._deck(observation.deck)
                things = {self.of(tag): thing for tag, thing in observation.objects.items()}
                ordered = dict(sorted(things.items()))
                o = msgspec.structs.replace(observation, deck=None, objects=ordered)
            case DeckChange():
                d = self._deck(observation.deck)
                o = msgspec.structs.replace(observation, deck={})
            case DeckCheck():
                classes = {self.of(tag): classify(tag) for tag in observation.tags}
                c = dict(sorted(classes.items()))
                o = msgspec.structs.replace(
                    observation, tags=tuple(sorted(self.of(tag) for tag in observation.tags))
                )
            case Seen() | Gone() | Exposed() | Boxed() | Pick() if observation.tag is not None:
                o = msgspec.structs.replace(observation, tag=self.of(observation.tag))
                c = classify(observation.tag)
            case _:
                pass
        return _write(_Line(Raw(encode(o)), c, d, None if d is None else deck))

    def _deck(self, deck: Mapping[str, str] | None) -> dict[str, str] | None:
        if deck is None:
            return None
        classify = classifier(deck, {})
        return dict(sorted((self.of(tag), str(classify(tag))) for tag in deck))


class Pseudonyms(Hiding):
    """The names that tags have in the journal for as long as one key is in use.

    `key` is `KEY_BYTES` random bytes; ValueError for any other length. Prints redacted.
    """

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a key of {KEY_BYTES} bytes is needed, not one of {len(key)}")
        self._key = key

    @property
    def fingerprint(self) -> str:
        """Tells whether a line was hidden with this key, and nothing about the key."""
        return self._hash(b"", b"key")

    def of(self, tag: str) -> str:
        """The pseudonym of a tag."""
        return "p" + self._hash(tag.encode(), b"tag")

    def known(self, tags: Iterable[str]) -> dict[str, str]:
        """Pseudonym → tag for these tags."""
        return {self.of(tag): tag for tag in tags}

    def _hash(self, text: bytes, purpose: bytes) -> str:
        return hashlib.blake2b(text, key=self._key, digest_size=8, person=purpose).hexdigest()
