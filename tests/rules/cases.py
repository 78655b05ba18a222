"""The cases beside the rules: logs in table talk, with what is found in them under each book.

A file of rules has a case file of its name beside it (`card_count.py`, `card_count.toml`). A case
that `proves` a rule was written from that rule's own sentence, before it was run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from controller.library.catalogue import BOOK_OF
from controller.rules.irregularity import Irregularity

T = TypeVar("T")

BOOKS = ("homepokertourney", "nl-2010", "roberts", "tda-2009", "uk-tda")
"""The books under which a case is run, unless it says otherwise."""

ALL = "all"
"""In place of a book: whatever is not said of that book itself."""


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """`finds` are the codes in their order, the rule's own first where it is found.

    About one finding, the first of code `about` (default: the first of all): `basis`, `outcome` of
    the last ruling, `advises` of its advisory, `cites` some of its citations, `steps` its step ids,
    each per book (`all`: every book that is not named), `closed` how it ended ("open" if it did
    not).

    About the log as a whole: `prompts` are text ids in their order, others may stand between
    them, one to a seat with its number ("act 3"), `never` are text ids that do not come; `actions`
    ("2 call 20", "3 fold") and `phases` likewise in their order; `awards` and `stacks` those of the
    last result, or "unknown" awards.

    `books` limits the case to some, `table` has fields of the log's first line. `proves` are the
    rules of the catalogue that the case was written from.
    """

    name: str
    log: str
    finds: tuple[str, ...]
    about: str | None = None
    basis: str | None = None
    outcome: dict[str, str] = {}
    advises: dict[str, str] = {}
    cites: dict[str, tuple[str, ...]] = {}
    steps: dict[str, tuple[str, ...]] = {}
    closed: str | None = None
    prompts: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    awards: dict[str, int] | Literal["unknown"] | None = None
    stacks: dict[str, int] | None = None
    books: tuple[str, ...] = BOOKS
    table: dict[str, object] = {}
    proves: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError for what could never be met or would never be looked at."""
        for name in ("outcome", "advises", "cites", "steps"):
            said = getattr(self, name)
            _known(name, said, (*self.books, ALL))
            if said and not self.finds:
                raise ValueError(f"{name}: of no finding")
            if ALL in said and set(self.books) <= set(said):
                raise ValueError(f"{name}: '{ALL}' is left for no book")
        _known("books", self.books, BOOKS)
        _known("about", [self.about] if self.about else [], self.finds)
        _known("proves", [book_of(each) for each in self.proves], self.books)


class CaseFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A case file as it is written."""

    case: tuple[Case, ...]


def of(expected: Mapping[str, T], book: str) -> T | None:
    """What is expected under a book; None: nothing is said of it."""
    return expected.get(book, expected.get(ALL))


def book_of(rule_id: str) -> str:
    """The book in which a rule of the catalogue stands. Raises ValueError."""
    prefix = rule_id.partition("-")[0]
    if prefix not in BOOK_OF:
        raise ValueError(f"proves: no book has a rule {rule_id}")
    return BOOK_OF[prefix]


def read_cases(file: bytes) -> tuple[Case, ...]:
    """The cases of a file; raises `msgspec.DecodeError`."""
    return msgspec.toml.decode(file, type=CaseFile).case


def family(rule: Irregularity) -> str:
    """The name of the file that a rule and its cases are in, without its ending."""
    return type(rule).__module__.rpartition(".")[2]


def _known(what: str, said: Iterable[str], known: Collection[str]) -> None:
    for each in said:
        if each not in known:
            raise ValueError(f"{what}: '{each}' is none of {', '.join(known)}")
