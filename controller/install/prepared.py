"""A deck from a prepared list, such as a card maker delivers it: which tag is which card.

A TOML file has the form of a deck's own, any other file one `TAG,CARD` a line. Mistakes are told
by line and fault; no message holds a tag.
"""

from __future__ import annotations

import re
from pathlib import Path

from controller.contract.cards import CARDS, JOKERS, is_card
from controller.files.toml_file import ConfigError, read_text
from controller.install.cards import called, listed
from controller.table.deck_file import canonical, read_deck_lines
from firmware_bridge.decks import CardOf, Registry, Thing

_SEPARATOR = re.compile(r"[,;\t]")
_HEADING = ("tag", "uid")


def read_prepared(path: Path, others: Registry) -> dict[str, str]:
    """Tag → card: all 52 cards, up to two jokers, each once, and no tag that is one of `others`.

    Raises ConfigError.
    """
    if path.suffix == ".toml":
        deck = {tag: (entry.card, entry.line) for tag, entry in read_deck_lines(path).items()}
    else:
        deck = _read_lines(path)
    for tag, (_, line) in deck.items():
        match others.owner(tag):
            case CardOf(name, _):
                raise ConfigError(f"{path}: line {line}: this tag is a card of {called(name)}")
            case Thing(name):
                raise ConfigError(
                    f"{path}: line {line}: this tag is the table's {name}, not a card"
                )
    return {tag: card for tag, (card, _) in deck.items()}


def _read_lines(path: Path) -> dict[str, tuple[str, int]]:
    deck: dict[str, tuple[str, int]] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(read_text(path).removeprefix("\ufeff").splitlines(), 1):
        text = line.partition("#")[0].strip()
        parts = [part.strip().strip("\"'").strip() for part in _SEPARATOR.split(text)]
        if not text or (number == 1 and parts[0].lower() in _HEADING):
            continue
        where = f"{path}: line {number}"
        if len(parts) != 2:
            raise ConfigError(f"{where}: is not of the form TAG,CARD")
        tag, card = canonical(parts[0]), _card(parts[1])
        if tag is None:
            raise ConfigError(f"{where}: not a tag: a UID in hex, 4 to 16 bytes")
        if not is_card(card):
            raise ConfigError(f"{where}: not a card code, such as As, 10h or X1")
        for what, value in (("tag", tag), ("card", card)):
            if value in lines:
                raise ConfigError(f"{where}: the same {what} as in line {lines[value]}")
            lines[value] = number
        deck[tag] = (card, number)
    missing = set(CARDS) - lines.keys()
    if missing:
        raise ConfigError(
            f"{path}: {len(missing)} of {len(CARDS)} cards are missing: {listed(missing)}"
        )
    return deck


def _card(text: str) -> str:
    """A card code, however it is written: `10S` is `Ts`."""
    upper = text.upper().replace("10", "T")
    return upper if upper in JOKERS else upper[:-1] + upper[-1:].lower()
