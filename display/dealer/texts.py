"""The words on the dealer's screen, out of `languages/<language>.toml`, section `screen`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from string import Formatter

from msgspec import Struct

SECTION = "screen"

_PLAIN = """
    language thousands no-hand
    phase-none phase-deal phase-preflop phase-flop phase-turn phase-river phase-showdown
    phase-complete phase-misdeal
    live folded all-in out to-act puck
    action-check action-call action-bet action-raise action-fold action-all-in
    suit-s suit-h suit-d suit-c joker
    book-homepokertourney book-uk-tda book-roberts book-nl-2010 book-tda-2009
    priority-1 priority-2 priority-3 question to-table steps-done advisory-none
    done back yes no dismiss dismiss-why reason-misread reason-floor-decided reason-other cancel
    new-hand round-closed tabled tabled-who award misdeal misdeal-sure misdeal-yes misdeal-no
    more-entries more-title exposed boxed act clock reshuffled unwatched sign-in
    exposed-who boxed-who clock-who act-who elsewhere nth-1 nth-2 by-dealer by-player
    did-check did-call did-bet did-raise did-all-in did-fold
    unwatched-sure unwatched-yes unwatched-no
    deck deck-title
    enter erase space no-amount nothing-typed letters
    undo choose-language call-floor floor-calling
    links-well links-title lost lost-help
    until-action until-next-street until-turn until-award
    cause-absent cause-refused cause-closed cause-flood cause-other cause-silent
"""

KEYS: Mapping[str, frozenset[str]] = {
    **{key: frozenset() for key in _PLAIN.split()},
    "table": frozenset({"table"}),
    "hand": frozenset({"hand"}),
    "blinds": frozenset({"small", "big"}),
    "blinds-ante": frozenset({"small", "big", "ante"}),
    "pot": frozenset({"amount"}),
    "seat": frozenset({"seat"}),
    "seats": frozenset({"seats"}),
    "exposed-which": frozenset({"seat"}),
    "boxed-which": frozenset({"seat"}),
    "act-what": frozenset({"seat"}),
    "amount-title": frozenset({"seat", "action", "amount"}),
    "sign-in-title": frozenset({"name"}),
    "more": frozenset({"count"}),
    "next-finding": frozenset({"n", "total"}),
    "who-rules": frozenset({"book", "cites"}),
    "until": frozenset({"event"}),
    "step": frozenset({"n", "total"}),
    "advisory": frozenset({"book"}),
    "advisory-step": frozenset({"n", "total", "step"}),
    "floor-called": frozenset({"since"}),
    "floor-coming": frozenset({"since"}),
    "links-down": frozenset({"count"}),
    "link-unreadable": frozenset({"count"}),
    "lost-since": frozenset({"since"}),
    "silent-since": frozenset({"since"}),
}


class TextsError(Exception):
    """A language file is missing or wrong; the message names the file and the key."""


class Texts(Struct, frozen=True):
    """All texts of one language; `language` is the file's name without its ending."""

    language: str
    entries: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of `key` with its words in braces filled in."""
        return self.entries[key].format(**values)

    def named(self, prefix: str, value: str) -> str:
        """Return the text of `prefix-value`, or `value` itself where there is none."""
        return self.entries.get(f"{prefix}-{value}", value)

    def number(self, amount: int) -> str:
        """Return `amount` with the language's separator of thousands."""
        return f"{amount:,}".replace(",", self.entries["thousands"])


def load(language: str, root: Path) -> Texts:
    """Read section `screen` of `root/languages/<language>.toml`.

    Raises TextsError when the file can't be read, a key is unknown or missing, a text is
    not a string, or its words in braces are not those that the key has.
    """
    path = root / "languages" / f"{language}.toml"
    try:
        section = tomllib.loads(path.read_text(encoding="utf-8")).get(SECTION)
    except (OSError, ValueError) as error:
        raise TextsError(f"{path}: {error}") from error
    if not isinstance(section, dict):
        raise TextsError(f"{path}: section [{SECTION}] is missing")
    for key, text in section.items():
        if key not in KEYS:
            near = get_close_matches(key, KEYS, n=1)
            hint = f", did you mean {near[0]!r}?" if near else ""
            raise TextsError(f"{path}: unknown key {SECTION}.{key}{hint}")
        _check(path, key, text)
    for key in KEYS:
        if key not in section:
            raise TextsError(f"{path}: key {SECTION}.{key} is missing")
    return Texts(language, section)


def available(root: Path) -> Mapping[str, str]:
    """Return the languages that have a section `screen`, each with its own name for itself.

    Raises TextsError as `load` does.
    """
    names = {}
    for path in sorted((root / "languages").glob("*.toml")):
        try:
            entries = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise TextsError(f"{path}: {error}") from error
        if SECTION in entries:
            names[path.stem] = load(path.stem, root)("language")
    return names


def _check(path: Path, key: str, text: object) -> None:
    if not isinstance(text, str):
        raise TextsError(f"{path}: {SECTION}.{key} is not a text")
    try:
        fields = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError as error:
        raise TextsError(f"{path}: {SECTION}.{key}: {error}") from error
    if fields != KEYS[key]:
        wanted = ", ".join(f"{{{name}}}" for name in sorted(KEYS[key])) or "no braces"
        raise TextsError(f"{path}: {SECTION}.{key} needs {wanted}")
