"""The cases beside the rules: logs in table talk, with what is found in them under each book.

Every file of rules has a case file of its name beside it (`card_count.py`, `card_count.toml`).
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from controller.rules.irregularity import Irregularity

BOOKS = ("homepokertourney", "nl-2010", "roberts", "tda-2009", "uk-tda")
"""The books under which a case is run, unless it says otherwise."""


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """`finds` are the codes in their order, the rule's own first where it is found. The rest is
    about the first finding: `basis`, `outcome` of the last ruling per book (`all` for every
    book), `cites` some of its citations, `steps` its step ids, `closed` how it ended ("open" if
    it did not). `books` limits the case to some."""

    name: str
    log: str
    finds: tuple[str, ...]
    basis: str | None = None
    outcome: dict[str, str] = {}
    cites: dict[str, tuple[str, ...]] = {}
    steps: dict[str, tuple[str, ...]] = {}
    closed: str | None = None
    books: tuple[str, ...] = BOOKS
    table: dict[str, object] = {}


class CaseFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A case file as it is written."""

    case: tuple[Case, ...]


def read_cases(file: bytes) -> tuple[Case, ...]:
    """The cases of a file; raises `msgspec.DecodeError`."""
    return msgspec.toml.decode(file, type=CaseFile).case


def family(rule: Irregularity) -> str:
    """The name of the file that a rule and its cases are in, without its ending."""
    return type(rule).__module__.rpartition(".")[2]
