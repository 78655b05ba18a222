"""How each rule of the catalogue is met, as `controller/rules/coverage/*.toml` says it.

Every row of the catalogue stands in one entry, and every entry is met in one of these ways:

- by something that the program does, named by what finds it (`finding`), says it to the dealer
  (`prompt`) or has it in the code (`procedure`, dotted names): *implemented*, or *prompted* where
  the dealer is told and nothing else;
- `recorded`: the fact is kept or shown, and nothing is made of it;
- `reference`: it is shown to who looks it up, and why nothing more can be done;
- `out`: it is out of the project's scope, and why;
- `follows`: it waits for a part that is not there yet, which is named;
- `open`: it should be met and is not, and what is missing.

What is implemented, prompted or recorded is proved: by cases beside the rules that `prove` it, or
by the `tests` that are named. `decided` is why it is met otherwise than the book says, `note` what
else should be known. tests/rules/test_accounting.py holds all of this to the code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from controller.library.catalogue import CatalogueRule

State = Literal["implemented", "prompted", "recorded", "reference", "out", "follows", "open"]
STATES: tuple[State, ...] = (
    "implemented",
    "prompted",
    "recorded",
    "reference",
    "out",
    "follows",
    "open",
)


class Cover(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What meets the rules `ids`; see above."""

    ids: tuple[str, ...]
    finding: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ()
    procedure: tuple[str, ...] = ()
    recorded: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    reference: str = ""
    out: str = ""
    follows: str = ""
    open: str = ""
    decided: str = ""
    note: str = ""

    @property
    def state(self) -> State:
        """How it stands with these rules."""
        if self.finding or self.procedure:
            return "implemented"
        if self.prompt:
            return "prompted"
        if self.recorded:
            return "recorded"
        return next((each for each in STATES[3:] if getattr(self, each)), "open")

    @property
    def why(self) -> str:
        """Why no more than that is done."""
        return self.reference or self.out or self.follows or self.open


class _CoverFile(Struct, frozen=True, forbid_unknown_fields=True):
    rules: tuple[Cover, ...]


def read_coverage() -> dict[str, tuple[Cover, ...]]:
    """By the name of each file the entries in it; raises `msgspec.DecodeError`."""
    folder = files("controller.rules") / "coverage"
    return {
        file.name.removesuffix(".toml"): msgspec.toml.decode(
            file.read_bytes(), type=_CoverFile
        ).rules
        for file in sorted(folder.iterdir(), key=lambda each: each.name)
        if file.name.endswith(".toml")
    }


class Counted(Struct, frozen=True):
    """How many rules of one book and category there are in each state."""

    book: str
    category: str
    rules: int
    states: dict[str, int]


def met_by() -> dict[str, Cover]:
    """By each rule's id what meets it."""
    return {
        rule_id: cover
        for covers in read_coverage().values()
        for cover in covers
        for rule_id in cover.ids
    }


def counted(rules: Iterable[CatalogueRule], met: Mapping[str, Cover]) -> list[Counted]:
    """The figures, book by book in the catalogue's order. A rule that stands nowhere is open."""
    by: dict[tuple[str, str], Counter[str]] = {}
    for rule in sorted(rules, key=lambda rule: (rule.book, rule.category)):
        state = met[rule.id].state if rule.id in met else "open"
        by.setdefault((rule.book, rule.category), Counter())[state] += 1
    return [
        Counted(book, category, found.total(), {each: found[each] for each in STATES})
        for (book, category), found in by.items()
    ]
