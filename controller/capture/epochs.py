"""Which false names and faces a capture gives the cards, from one hand to the next.

The faces are exchanged at random among the cards of a deck, jokers among jokers, and those that
a deck has twice among each other. With every epoch both names and faces are new, for a board or
a tabled hand that everybody saw would unveil the next hand's cards. Only what lies on the table
then could be recognised by where it lies: of each such group of cards the faces stay in the
group, so that the table goes on as it stands, and are dealt anew within it.
"""

from __future__ import annotations

import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from random import SystemRandom

from controller.capture.files import Faces
from controller.contract.cards import is_joker
from firmware_bridge.false_names import KEY_BYTES, FalseNames

Tracked = Mapping[str, Mapping[str, bool]]
"""The tags in each place, and whether each has arrived there."""


_shuffle = SystemRandom().shuffle


class Epochs:
    """Names and faces. `decks` map tag → card code, `objects` tag → what it is.

    `key` gives random bytes, `shuffle` shuffles in place; neither may be foreseen.
    """

    def __init__(
        self,
        decks: Sequence[Mapping[str, str]],
        objects: Mapping[str, str],
        *,
        key: Callable[[int], bytes] = secrets.token_bytes,
        shuffle: Callable[[list[str]], None] = _shuffle,
    ) -> None:
        self._decks = [dict(deck) for deck in decks]
        self._key = key
        self._shuffle = shuffle
        self._objects = dict(objects)
        self._object_names = FalseNames(key(KEY_BYTES), objects)
        self._faces: dict[str, str] = {}
        self._carried: dict[str, str] = {}
        self._names: FalseNames | None = None

    def __repr__(self) -> str:
        return f"Epochs({len(self._decks)} decks)"

    def index(self, deck: Mapping[str, str] | None) -> int | None:
        """The number of a deck; one that was not known is from the next epoch on."""
        if deck is None:
            return None
        if deck not in self._decks:
            self._decks.append(dict(deck))
        return self._decks.index(dict(deck))

    def name(self, tag: str, near: Collection[str] = ()) -> str:
        """A tag's name in this epoch; `near` are the tags near it."""
        if tag in self._objects:
            return self._object_names.of(tag)
        if self._names is None:
            self._names = self._new_names()
        return self._names.of(tag, near)

    def begin(self, tracked: Tracked) -> None:
        """A new epoch begins, with these tags on the table."""
        where: dict[str, tuple[tuple[str, bool], ...]] = defaultdict(tuple)
        for place, tags in tracked.items():
            for tag, is_there in tags.items():
                where[tag] = (*where[tag], (place, is_there))
        old = self._names
        self._names = self._new_names()
        before, self._faces = self._faces, {}
        for deck in self._decks:
            self._exchange(deck, where, before)
        self._carried = {}
        if old is not None:
            self._carry(where, old, self._names)

    def faces(self, t: float, deck: int | None) -> Faces:
        """What the capture tells of this epoch; `deck` is the number of the one in play."""
        told = tuple(
            dict(sorted((self.name(tag), self._faces[tag]) for tag in each)) for each in self._decks
        )
        objects = {self._object_names.of(tag): thing for tag, thing in self._objects.items()}
        carried = dict(sorted(self._carried.items()))
        return Faces(t, told, deck, dict(sorted(objects.items())), carried)

    def _new_names(self) -> FalseNames:
        cards = [tag for deck in self._decks for tag in deck]
        return FalseNames(self._key(KEY_BYTES), cards, cards)

    def _exchange(
        self,
        deck: Mapping[str, str],
        where: Mapping[str, tuple[tuple[str, bool], ...]],
        before: Mapping[str, str],
    ) -> None:
        copies = Counter(deck.values())
        if not deck.keys() <= before.keys():
            before = self._first(deck, copies)
        groups: dict[object, list[str]] = defaultdict(list)
        twins: dict[str, list[str]] = defaultdict(list)
        for tag, code in deck.items():
            if copies[code] == 1:
                groups[where.get(tag, ()), is_joker(code)].append(tag)
            else:
                twins[before[tag]].append(tag)
        for tags in groups.values():
            dealt = [before[tag] for tag in tags]
            self._shuffle(dealt)
            self._faces |= dict(zip(tags, dealt, strict=True))
        self._exchange_twins(twins, where)

    def _exchange_twins(
        self,
        twins: Mapping[str, list[str]],
        where: Mapping[str, tuple[tuple[str, bool], ...]],
    ) -> None:
        """Two of one card become two of another, if none of them lies on the table."""
        classes: dict[object, list[str]] = defaultdict(list)
        for code, tags in twins.items():
            lies = code if any(tag in where for tag in tags) else ""
            classes[lies, is_joker(code), len(tags)].append(code)
        for codes in classes.values():
            dealt = list(codes)
            self._shuffle(dealt)
            for code, becomes in zip(codes, dealt, strict=True):
                self._faces |= dict.fromkeys(twins[code], becomes)

    def _first(self, deck: Mapping[str, str], copies: Mapping[str, int]) -> dict[str, str]:
        """Each code becomes another one, if it happens so, and two of one stay two of one."""
        classes: dict[object, list[str]] = defaultdict(list)
        for code in dict.fromkeys(deck.values()):
            classes[is_joker(code), copies[code]].append(code)
        becomes: dict[str, str] = {}
        for codes in classes.values():
            dealt = list(codes)
            self._shuffle(dealt)
            becomes |= dict(zip(codes, dealt, strict=True))
        return {tag: becomes[code] for tag, code in deck.items()}

    def _carry(
        self,
        where: Mapping[str, tuple[tuple[str, bool], ...]],
        old: FalseNames,
        new: FalseNames,
    ) -> None:
        """Tags of no deck that lie on the table go on lying there."""
        groups: dict[object, list[str]] = defaultdict(list)
        cards = {tag for deck in self._decks for tag in deck}
        for tag, places in where.items():
            if tag not in cards and tag not in self._objects:
                groups[places, len(tag)].append(tag)
        for tags in groups.values():
            dealt = [old.of(tag) for tag in tags]
            self._shuffle(dealt)
            self._carried |= {new.of(tag): name for tag, name in zip(tags, dealt, strict=True)}


class TrueNames:
    """No false names at all: for a capture in the raw."""

    def __init__(self, objects: Mapping[str, str]) -> None:
        self._objects = dict(objects)

    def index(self, _deck: Mapping[str, str] | None) -> int | None:
        """No deck is told."""
        return None

    def name(self, tag: str, _near: Collection[str] = ()) -> str:
        """The tag itself."""
        return tag

    def begin(self, tracked: Tracked) -> None:
        """Nothing is new."""

    def faces(self, t: float, _deck: int | None) -> Faces:
        """Only what the objects are."""
        return Faces(t, (), None, self._objects)
