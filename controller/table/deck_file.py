"""Which tag is which card: a TOML file with one `TAG = "CARD"` a line.

The file can rob a game, so no message says what is in it: mistakes are told by line number.
"""

from __future__ import annotations

import re
import stat
import tomllib
from pathlib import Path
from typing import NamedTuple

from controller.contract.cards import CARDS, JOKERS, RANKS, SUITS, is_card, is_joker
from controller.files.toml_file import ConfigError, read_text

SHORTEST_UID, LONGEST_UID = 4, 16
"""Bytes of a tag's UID, as the readers deliver it."""

_TAG = re.compile(rf"(?:[0-9A-F]{{2}}){{{SHORTEST_UID},{LONGEST_UID}}}")


def canonical(tag: str) -> str | None:
    """A tag as the readers give it: upper case hex without `:`, `-` or blanks; None if it is none.

    The most significant byte is expected first.
    """
    upper = re.sub(r"[:\- ]", "", tag).upper()
    return upper if _TAG.fullmatch(upper) else None


class Entry(NamedTuple):
    """A card, and in which line of the file it stands."""

    card: str
    line: int

    def __repr__(self) -> str:
        return f"Entry(line {self.line})"


LinedDeck = dict[str, Entry]


def read_deck_file(path: Path) -> dict[str, str]:
    """Tag → card code: all 52 cards, and up to two jokers, each once. Raises ConfigError."""
    return {tag: entry.card for tag, entry in read_deck_lines(path).items()}


def read_deck_lines(path: Path) -> LinedDeck:
    """The same with the lines in which the tags stand."""
    deck = _read(path)
    count = sum(not is_joker(entry.card) for entry in deck.values())
    if count != len(CARDS):
        missing = len(CARDS) - count
        are = "is" if missing == 1 else "are"
        raise ConfigError(
            f"{path}: a deck has {len(CARDS)} cards and up to {len(JOKERS)} jokers, here "
            f"{'is' if count == 1 else 'are'} {count or 'no'} card{'s'[: count != 1]}: "
            f"{missing} {are} missing"
        )
    return deck


def read_part(path: Path) -> dict[str, str]:
    """Tag → card code as far as a deck has been registered, each once. Raises ConfigError."""
    return {tag: entry.card for tag, entry in _read(path).items()}


def exposure(path: Path) -> str | None:
    """A warning in words if others than the file's owner can read it; None if all is well."""
    if not is_exposed(path):
        return None
    return f"{path}: others can read which tag is which card; chmod 600 {path}"


def is_exposed(path: Path) -> bool:
    """Whether others than the file's owner can do anything with it; False if there is none."""
    try:
        return bool(stat.S_IMODE(path.stat().st_mode) & 0o077)
    except OSError:
        return False


def _read(path: Path) -> LinedDeck:
    deck: LinedDeck = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        for tag, card in _entry(path, number, line).items():
            _refuse_double(path, number, "tag", lines.get(tag))
            _refuse_double(path, number, "card", lines.get(card))
            deck[tag] = Entry(card, number)
            lines[tag] = lines[card] = number
    return deck


def _entry(path: Path, number: int, line: str) -> dict[str, str]:
    """What one line says: at most one tag and its card."""
    where = f"{path}: line {number}"
    try:
        pairs = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        raise ConfigError(f'{where}: is not of the form TAG = "CARD"') from None
    if not all(isinstance(card, str) for card in pairs.values()) or line.lstrip().startswith("["):
        raise ConfigError(f'{where}: is not of the form TAG = "CARD"')
    entry = {}
    for written, card in pairs.items():
        tag = canonical(written)
        if tag is None:
            raise ConfigError(
                f"{where}: not a tag: a UID in hex, {SHORTEST_UID} to {LONGEST_UID} bytes"
            )
        if not is_card(card):
            raise ConfigError(
                f"{where}: not a card code: a rank of {RANKS} and a suit of {SUITS}, or X1, X2"
            )
        entry[tag] = card
    return entry


def _refuse_double(path: Path, number: int, what: str, before: int | None) -> None:
    if before is not None:
        raise ConfigError(f"{path}: line {number}: the same {what} as in line {before}")


_PAIR = re.compile(
    r"""(['"]?)(?P<tag>[0-9A-Fa-f][0-9A-Fa-f:\- ]{6,50}?)\1[ \t]*[=:]"""
    r"""[ \t]*['"]{1,3}(?P<card>[^'"]{2,5})['"]"""
)


def names_cards(text: str) -> bool:
    """Whether a file, whatever else it is, says anywhere which card a tag is: as a deck's file
    does, in any of TOML's quotes, or a table's log."""
    return any(
        canonical(found["tag"]) and (is_card(found["card"]) or is_joker(found["card"]))
        for line in text.splitlines()
        for found in _PAIR.finditer(line)
    )
