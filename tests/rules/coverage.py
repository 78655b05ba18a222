"""How the rules that the table watches are met: `controller/rules/coverage/detect.toml`.

The catalogue's rows of category DETECT are what sensors are there for. Each is met by findings,
by prompts to the dealer or by how the hand is followed. A row is *proved* by cases that were
written from its own sentence and run under its book; *decided* where what they show departs from
that sentence on purpose; else *open*.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from controller import rules
from controller.rule_desk.coverage import Cover
from tests.rules.cases import Case, read_cases


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the catalogue: a rule's id, the section it stands in and what it says."""

    id: str
    section: str
    summary: str


State = Literal["proved", "decided", "open"]


@cache
def read_case_files() -> Mapping[str, tuple[Case, ...]]:
    """By the name of the file of rules that they lie beside: all cases there are."""
    cases = {
        path.stem: read_cases(path.read_bytes())
        for path in sorted(Path(rules.__file__).parent.glob("*.toml"))
        if path.with_suffix(".py").is_file()
    }
    return MappingProxyType(cases)


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


def proofs(cases: Iterable[tuple[str, Case]]) -> dict[str, tuple[str, ...]]:
    """By rule id the names of the cases that prove it; `cases` with the files they are in."""
    found: dict[str, tuple[str, ...]] = {}
    for file, case in cases:
        for rule_id in case.proves:
            found[rule_id] = (*found.get(rule_id, ()), f"{file}: {case.name}")
    return found


def state_of(rule: Rule, covers: Sequence[Cover], proved: Mapping[str, Sequence[str]]) -> State:
    """How it stands with a rule; `proved` is that of `proofs`."""
    cover = cover_of(rule, covers)
    if cover is None or rule.id not in proved:
        return "open"
    return "decided" if cover.decided else "proved"
