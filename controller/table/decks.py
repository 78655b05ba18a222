"""The decks that are registered for a table: what each is called, and its file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from controller.messages import TABLE_STATE
from controller.table.deck_file import LinedDeck, read_deck_lines
from controller.table.sections import TableFile
from controller.table.toml_file import ConfigError

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
        raise ConfigError(f"{path}: [deck] file: there is [decks] as well; one of them is enough")
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
