"""How the rules that the table watches are met: `rules/coverage.toml`.

The catalogue's rows of category DETECT are what sensors are there for. Each is met by findings,
by prompts to the dealer or by how the hand is followed, or it is still `open`.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the catalogue: a rule's id, the section it stands in and what it says."""

    id: str
    section: str
    summary: str


class Cover(Struct, frozen=True, forbid_unknown_fields=True):
    """What meets the rules `ids`: codes of findings, ids of prompts, names in the program
    (`controller.rules.procedure.Burn`). `shown` names cases ("file: case") and tests
    ("tests/…/test_x.py::test_y") that show it. `open` says that it is not met, `note` what is
    missing or what else should be known."""

    ids: tuple[str, ...]
    finding: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ()
    procedure: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    open: bool = False
    note: str = ""


class _CoverFile(Struct, frozen=True, forbid_unknown_fields=True):
    rules: tuple[Cover, ...]


def read_coverage(file: bytes) -> tuple[Cover, ...]:
    """The covers of a file; raises `msgspec.DecodeError`."""
    return msgspec.toml.decode(file, type=_CoverFile).rules


def watched_rules(catalogue: Path) -> tuple[Rule, ...]:
    """The rows of a catalogue that sensors are to watch, in its order."""
    with catalogue.open(encoding="utf-8", newline="") as rows:
        return tuple(
            Rule(row["id"], row["section"], row["summary"])
            for row in csv.DictReader(rows)
            if row["category"] == "DETECT"
        )


def cover_of(rule: Rule, covers: Sequence[Cover]) -> Cover | None:
    """What is said of a rule; None if nothing is."""
    return next((cover for cover in covers if rule.id in cover.ids), None)
