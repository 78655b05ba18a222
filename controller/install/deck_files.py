"""The files of a table's decks: where they are, what is in them so far, and how they are written.

A deck that is being registered is kept in a file of the same form beside its own, `….part`.
Whoever can read either can rob the game: both are their owner's alone, and written whole or not
at all.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from controller.contract.cards import is_joker
from controller.contract.messages import TABLE_STATE
from controller.contract.observations import nearest
from controller.files.toml_file import ConfigError
from controller.files.whole_file import write_whole
from controller.install.cards import IN_ORDER
from controller.table.config import TableConfig
from controller.table.deck_file import exposure, read_deck_file, read_part
from controller.table.decks import DECK_CREDENTIAL, ONLY
from firmware_bridge.decks import Registry

CREDENTIALS = "/etc/credstore"
"""Where systemd takes the service's credentials from, for whoever may read there."""

_HEAD = "# Which tag is which card. Keep this file secret.\n"


def chosen(config: TableConfig, name: str | None) -> tuple[str, Path]:
    """The deck that is meant, and its file. Raises ConfigError."""
    if not config.decks:
        raise ConfigError(
            f"{config.path}: [deck] file: no deck is set; with sudo, those "
            f"in {CREDENTIALS} are used"
        )
    if name is None:
        if len(config.decks) > 1:
            names = ", ".join(config.decks)
            raise ConfigError(f"{config.path}: there are several decks; which one? {names}")
        return next(iter(config.decks.items()))
    if name not in config.decks:
        close = nearest(name, list(config.decks))
        raise ConfigError(f"{config.path}: there is no deck {name[:40]!r}{close}")
    return name, config.decks[name]


def chosen_anew(
    config: TableConfig, name: str | None, file: Path | None = None
) -> tuple[str, Path]:
    """The same of a deck that may not exist yet: in `file`, which the settings don't name, or one
    more of the service's credentials. Raises ConfigError."""
    try:
        TABLE_STATE.name("site", name or ONLY)
    except ValueError as error:
        raise ConfigError(f"the deck's name: {error}") from None
    if file is not None:
        return name or ONLY, file
    lent = config.credentials
    are_lent = all(path.parent == lent for path in config.decks.values())
    if lent is None or not are_lent or name in config.decks:
        return chosen(config, name)
    return name or ONLY, lent / (DECK_CREDENTIAL if name is None else f"{DECK_CREDENTIAL}-{name}")


def part_of(file: Path) -> Path:
    """Where a deck is kept while it is being registered."""
    return file.with_name(f"{file.name}.part")


def is_there(path: Path) -> bool:
    """Whether there is such a file. Raises ConfigError where that can't be told."""
    try:
        return path.exists()
    except OSError as error:
        raise ConfigError(
            f"{path}: {error.strerror}: are you running as the service's user?"
        ) from None


def read_so_far(file: Path) -> dict[str, str]:
    """Tag → card, as far as the deck of this file has been registered. Raises ConfigError."""
    for path in (file, part_of(file)):
        if is_there(path):
            return read_part(path)
    return {}


def others(config: TableConfig, name: str, file: Path) -> Registry:
    """The tags that can't be cards of deck `name`: those of the other decks, finished or not, and
    the table's objects. Raises ConfigError."""
    decks = {
        other: read_so_far(path)
        for other, path in config.decks.items()
        if other != name and path != file
    }
    return Registry(decks, config.objects)


def write_deck(file: Path, deck: Mapping[str, str]) -> None:
    """Writes a deck's file, whole or not at all, and readable by its owner alone.

    Raises OSError.
    """
    order = {card: number for number, card in enumerate(IN_ORDER)}
    entries = sorted(deck.items(), key=lambda entry: (order.get(entry[1], len(order)), entry[1]))
    write_whole(file, _HEAD + "".join(f'"{tag}" = "{card}"\n' for tag, card in entries))


def finish(file: Path, deck: Mapping[str, str]) -> None:
    """Writes a deck that is complete; its part is not needed any longer. Raises OSError."""
    write_deck(file, deck)
    with contextlib.suppress(FileNotFoundError):
        part_of(file).unlink()


class Listed(Struct, frozen=True):
    """A deck as `cutcard deck list` tells of it: how many cards are registered, and what is not
    well with its file."""

    name: str
    file: str
    cards: int
    jokers: int
    is_complete: bool
    warnings: tuple[str, ...]


def look_at(name: str, file: Path) -> Listed:
    """How a deck stands; raises nothing."""
    warnings: list[str] = []
    deck: dict[str, str] = {}
    is_whole = False
    try:
        if is_there(file):
            deck = read_deck_file(file)
            is_whole = True
        elif is_there(part_of(file)):
            deck = read_part(part_of(file))
            warnings.append(f"not finished: cutcard deck enroll {name} continues it")
        else:
            warnings.append(f"no such file yet: cutcard deck enroll {name} creates it")
    except ConfigError as error:
        warnings.append(str(error).removeprefix(f"{file}: "))
    warnings += [told for path in (file, part_of(file)) if (told := exposure(path))]
    jokers = sum(is_joker(card) for card in deck.values())
    return Listed(name, str(file), len(deck) - jokers, jokers, is_whole, tuple(warnings))
