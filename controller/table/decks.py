"""The decks that are registered for a table: what each is called, and which is in play."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from controller.contract.messages import TABLE_STATE
from controller.contract.observations import DeckChange, Observation, Seen, Table
from controller.contract.picture import DecksNow
from controller.engine.implied import deck_shown
from controller.files.toml_file import ConfigError
from controller.table.deck_file import LinedDeck, read_deck_lines
from controller.table.sections import TableFile

DECK_CREDENTIAL = "cutcard.deck"
"""Also `cutcard.deck-NAME`, one for each of several decks."""
ONLY = "deck"
"""What a table's only deck is called."""


def deck_files(path: Path, file: TableFile, credentials: Path | None) -> dict[str, Path]:
    """The decks of the table whose settings `file` were read from `path`: name → file. The first
    is in play at the first start.

    Without a file in `[deck]` and without `[decks]` they are the credentials that there are;
    none at all: a tag is its own card code. Raises ConfigError.
    """
    if file.deck.file is not None and file.decks:
        raise ConfigError(f"{path}: [deck] file: there is also [decks]; use one of the two")
    if file.deck.file is not None:
        return {ONLY: _beside(path, file.deck.file)}
    if not file.decks:
        return _lent(credentials)
    decks = {}
    for name, deck in file.decks.items():
        where = f"{path}: [decks] {name[:40]}"
        try:
            TABLE_STATE.name("site", name)
        except ValueError as error:
            raise ConfigError(f"{path}: [decks]: {error}") from None
        lent = None if credentials is None else credentials / f"{DECK_CREDENTIAL}-{name}"
        if deck.file is not None:
            decks[name] = _beside(path, deck.file)
        elif lent is not None and lent.is_file():
            decks[name] = lent
        else:
            raise ConfigError(
                f"{where}: no file, and no credential '{DECK_CREDENTIAL}-{name[:40]}'"
            )
    return decks


def read_decks(decks: Mapping[str, Path]) -> dict[str, dict[str, str]]:
    """Name → (tag → card code), in the order given. Raises ConfigError, also where two decks
    have the same tag: it names files and lines, never a tag."""
    read: dict[str, LinedDeck] = {}
    for name, path in decks.items():
        deck = read_deck_lines(path)
        for other, known in read.items():
            for tag in known.keys() & deck.keys():
                raise ConfigError(
                    f"{path}: line {deck[tag].line}: the same tag as in {decks[other]}: "
                    f"line {known[tag].line}"
                )
        read[name] = deck
    return {name: {tag: entry.card for tag, entry in deck.items()} for name, deck in read.items()}


def _lent(credentials: Path | None) -> dict[str, Path]:
    """The decks that systemd hands to the service: the plain one first, then by name."""
    if credentials is None:
        return {}
    only = credentials / DECK_CREDENTIAL
    decks = {ONLY: only} if only.is_file() else {}
    for file in sorted(credentials.glob(f"{DECK_CREDENTIAL}-?*")):
        decks[file.name.removeprefix(f"{DECK_CREDENTIAL}-")] = file
    return decks


def _beside(path: Path, given: str) -> Path:
    return path.absolute().parent / given


class Decks:
    """The registered decks of a running table, and which of them is in play. Prints redacted."""

    def __init__(self, decks: Mapping[str, Mapping[str, str]]) -> None:
        """Name → (tag → card code); the first is in play. None: a tag is its own card code."""
        self._decks = decks
        self._of = {tag: name for name, deck in decks.items() for tag in deck}
        self.names = tuple(decks)
        """What the decks are called."""
        self.in_play = next(iter(decks), "")
        """The name of the deck in play; empty where none is registered."""

    def __repr__(self) -> str:
        return f"Decks({', '.join(self.names)}; in play: {self.in_play})"

    @property
    def now(self) -> DecksNow:
        """What everybody may see of them."""
        return DecksNow(self.in_play, self.names)

    @property
    def deck(self) -> dict[str, str] | None:
        """The deck in play."""
        return dict(self._decks[self.in_play]) if self.in_play else None

    @property
    def maps(self) -> tuple[dict[str, str], ...]:
        """All decks, each tag → card code."""
        return tuple(dict(deck) for deck in self._decks.values())

    @property
    def tags(self) -> list[str]:
        """The tags of all decks."""
        return list(self._of)

    @property
    def resting(self) -> list[str]:
        """The tags of all decks but the one in play."""
        return [tag for tag, name in self._of.items() if name != self.in_play]

    def put_in_play(self, name: str) -> None:
        """This deck is in play from now on; one that is not registered any more gives way to the
        first."""
        self.in_play = name if name in self._decks else next(iter(self._decks), "")

    def follow(self, observation: Observation) -> None:
        """What is observed may put another deck in play."""
        if isinstance(observation, Table | DeckChange):
            self.put_in_play(self.name_of(observation.deck))

    def name_of(self, deck: Mapping[str, str] | None) -> str:
        """What a deck is called; empty for one that is not registered."""
        return next((name for name, known in self._decks.items() if known == deck), "")

    def change(self, name: str, t: float) -> DeckChange | None:
        """What puts a deck in play that rests; None for any other name."""
        if name == self.in_play or name not in self._decks:
            return None
        return DeckChange(t=t, deck=dict(self._decks[name]))

    def change_by(self, seen: Seen, first_cards: Callable[[Seen], Collection[str]]) -> str | None:
        """The deck to which this reading shows the table to have changed, if it does."""
        in_play = self.in_play
        return deck_shown(seen, first_cards, lambda tag: self._of.get(tag, in_play), in_play)

    def told(self, t: float) -> list[DeckChange]:
        """What makes several decks known to an engine that knows the one in play."""
        if len(self._decks) < 2:
            return []
        others = [name for name in self._decks if name != self.in_play]
        return [DeckChange(t=t, deck=dict(self._decks[n])) for n in (*others, self.in_play)]
