"""Runs the case files beside the rules: each case's log under each book."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from controller.books import Library
from controller.events import Closed, Finding, Ruling
from controller.rules import IRREGULARITIES
from controller.rules.irregularity import Irregularity
from tests.rules.table_talk import Talk

RULES = Path(__file__).resolve().parents[2] / "controller" / "rules"
BOOKS = ("homepokertourney", "nl-2010", "roberts", "tda-2009", "uk-tda")


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
    case: tuple[Case, ...]


def cases(rule: Irregularity) -> tuple[Case, ...]:
    """The cases of the file beside the rule's own."""
    path = RULES / f"{type(rule).__module__.rpartition('.')[2]}.toml"
    return msgspec.toml.decode(path.read_bytes(), type=CaseFile).case


ALL = [
    pytest.param(case, book, id=f"{family}: {case.name} ({book})")
    for family, rule in {type(rule).__name__: rule for rule in IRREGULARITIES}.items()
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


@pytest.mark.parametrize("rule", IRREGULARITIES, ids=lambda rule: rule.code)
def test_a_rule_has_cases_in_which_it_is_found_and_in_which_it_is_not(
    rule: Irregularity,
) -> None:
    found = [rule.code in case.finds for case in cases(rule)]
    assert True in found
    assert False in found
