"""Runs the case files beside the rules: each case's log under each book."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.books import Library
from controller.events import Closed, Finding, Ruling
from controller.rules import IRREGULARITIES
from controller.rules.cases import Case, family, read_cases
from controller.rules.irregularity import Irregularity
from tests.rules.table_talk import Talk

RULES = Path(__file__).resolve().parents[2] / "controller" / "rules"


def cases(rule: Irregularity) -> tuple[Case, ...]:
    """The cases of the file beside the rule's own."""
    return read_cases((RULES / f"{family(rule)}.toml").read_bytes())


ALL = [
    pytest.param(case, book, id=f"{name}: {case.name} ({book})")
    for name, rule in {family(rule): rule for rule in IRREGULARITIES}.items()
    for case in cases(rule)
    for book in case.books
]


@pytest.mark.parametrize(("case", "book"), ALL)
def test_case(library: Library, case: Case, book: str) -> None:
    talk = Talk(library, book, **case.table)
    talk.tell(case.log)
    found = [e for e in talk.events if isinstance(e, Finding)]
    assert tuple(f.code for f in found) == case.finds
    if not found:
        return
    first = found[0]
    rulings = [first.ruling]
    rulings += [e.ruling for e in talk.events if isinstance(e, Ruling) and e.id == first.id]
    last = rulings[-1]
    if case.basis:
        assert first.basis == case.basis
    wanted = case.outcome.get(book, case.outcome.get("all"))
    if wanted:
        assert last.outcome == wanted
    assert set(case.cites.get(book, ())) <= set(last.cites)
    if book in case.steps:
        assert tuple(step.id for step in last.steps) == case.steps[book]
    ended: list[str] = [e.how for e in talk.events if isinstance(e, Closed) and e.id == first.id]
    if case.closed:
        assert (ended or ["open"]) == [case.closed]
