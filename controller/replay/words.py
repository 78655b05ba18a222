"""The words of an account: section `account` of a language file, and what it shares."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from controller.contract.texts import blanks
from controller.library.languages import check, read

_ACCOUNT = "account"
_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
LONGEST_NAME = 40
"""Characters of a name that are printed."""


class Words(Struct, frozen=True):
    """`lines` are sentences by their key; the others are words by what the events call them.

    `happened` says for a finding's code what happened, `closed` how a finding was closed,
    `prompts` which of the dealer's prompts belong to an account.
    """

    lines: Mapping[str, str]
    headings: Mapping[str, str]
    streets: Mapping[str, str]
    positions: Mapping[str, str]
    happened: Mapping[str, str]
    outcomes: Mapping[str, str]
    until: Mapping[str, str]
    closed: Mapping[str, str]
    endings: Mapping[str, str]
    prompts: Mapping[str, str]
    entries: Mapping[str, str]
    zones: Mapping[str, str]

    def say(self, line: str, /, **given: object) -> str:
        """A line with what is given filled in."""
        return fill(self.lines[line], given)

    def chips(self, amount: int) -> str:
        """An amount with thousands separated: `12,500`."""
        return f"{amount:,}".replace(",", self.lines["thousands"])

    def seat(self, seat: int, people: Mapping[int, str]) -> str:
        """A seat, with its player's name where that is known."""
        if seat in people:
            return self.say("seat-named", seat=seat, name=people[seat])
        return self.say("seat", seat=seat)

    def listed(self, parts: Sequence[str]) -> str:
        """`a, b and c`."""
        if not parts:
            return self.say("nobody")
        *before, last = parts
        return self.say("and", all=", ".join(before), last=last) if before else last


class _Blanks(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


def fill(text: str, given: Mapping[str, object]) -> str:
    """A text with its words in braces filled in; those that are not given stay as they are."""
    return text.format_map(_Blanks(given))


def cards(codes: Collection[str]) -> str:
    """Cards as people write them: `10♠ 7♣`."""
    return " ".join(c[0].replace("T", "10") + _SUITS.get(c[1], c[1]) for c in codes)


def person(name: str) -> str:
    """A name fit to be printed: at most `LONGEST_NAME` characters, none of them a control."""
    return "".join(c if c.isprintable() else "?" for c in name[:LONGEST_NAME])


def sentence(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def read_words(path: Path) -> Words:
    """Reads the sections of a language file; raises `ConfigError` naming file and key."""
    sections = read(path, (_ACCOUNT, "streets", "entries", "zones"))
    lines = sections.pop(_ACCOUNT)
    check(path, _ACCOUNT, lines, {key: blanks(lines.get(key, "")) for key in LINES})
    groups = {name.removeprefix(f"{_ACCOUNT}."): texts for name, texts in sections.items()}
    return Words(lines=lines, **groups)


_LINES = """
    thousands and nobody seat seat-named begins redeal implied dealer level level-ante button
    dead-button dead-small column posts posts-all-in before-hand street street-board
    street-pot-unknown street-board-pot-unknown first-board next-board board-now tabled cut-off
    misdeal clock floor-called floor-called-by floor-coming floor-coming-by check fold call
    call-more bet raise all-in call-unknown bet-unknown raise-unknown all-in-unknown
    other-action and-all-in by-dealer by-muck by-inferred finding question concerned cards certain
    not-certain priority-1 priority-2 priority-3 ruling ruling-until silent rule remedy
    remedy-advised advice named anew anew-answered anew-until anew-rules anew-steps now-certain
    now-uncertain after-action after-cut-off after-floor is-closed still-open still-running over
    pot main-pot main-pot-uncontested side-pot pot-uncontested side-pot-uncontested refund wins
    winner-unknown pots-unknown stacks stack-line no-change summary hands misdeals nothing-found
    found in-hand in-hands ending open
"""
LINES = frozenset(_LINES.split())
"""The lines that an account needs."""
