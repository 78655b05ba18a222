"""Runs the case files beside the rules: each case's log under each book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
import pytest

from controller.contract.events import Action, Closed, Finding, Phase, Prompt, Result, Ruling
from controller.library.books import Library
from tests.rules.cases import Case, of, read_cases
from tests.rules.coverage import read_case_files
from tests.rules.table_talk import Talk

ALL = [
    pytest.param(case, book, id=f"{name}: {case.name} ({book})")
    for name, cases in read_case_files().items()
    for case in cases
    for book in case.books
]


@pytest.mark.parametrize(("case", "book"), ALL)
def test_case(library: Library, case: Case, book: str) -> None:
    talk = Talk(library, book, **case.table)
    talk.tell(case.log)
    found = [e for e in talk.events if isinstance(e, Finding)]
    assert tuple(f.code for f in found) == case.finds
    if found:
        assert_ruling(case, book, talk, next(f for f in found if case.about in (None, f.code)))
    assert_hand(case, talk)


def assert_ruling(case: Case, book: str, talk: Talk, finding: Finding) -> None:
    """What is expected of one finding and its last ruling."""
    rulings = [finding.ruling]
    rulings += [e.ruling for e in talk.events if isinstance(e, Ruling) and e.id == finding.id]
    last = rulings[-1]
    if case.basis:
        assert finding.basis == case.basis
    if (outcome := of(case.outcome, book)) is not None:
        assert last.outcome == outcome
    if (advised := of(case.advises, book)) is not None:
        assert last.advisory is not None
        assert last.advisory.outcome == advised
    cited = {*last.cites, *(last.advisory.cites if last.advisory else ())}
    assert set(of(case.cites, book) or ()) <= cited
    if (steps := of(case.steps, book)) is not None:
        assert tuple(step.id for step in last.steps) == steps
    ended: list[str] = [e.how for e in talk.events if isinstance(e, Closed) and e.id == finding.id]
    if case.closed:
        assert (ended or ["open"]) == [case.closed]


def assert_hand(case: Case, talk: Talk) -> None:
    """What is expected of the log as a whole."""
    prompts = [e for e in talk.events if isinstance(e, Prompt)]
    to_seats = [f"{e.text_id} {e.args.get('seat')}" for e in prompts]
    ids = [e.text_id for e in prompts]
    named = [to if to in case.prompts else of for to, of in zip(to_seats, ids, strict=True)]
    assert_in_order(case.prompts, named)
    assert not set(case.never) & set(ids)
    actions = [e for e in talk.events if isinstance(e, Action)]
    assert_in_order(case.actions, map(in_words, actions))
    assert_in_order(case.phases, (e.phase for e in talk.events if isinstance(e, Phase)))
    results = [e for e in talk.events if isinstance(e, Result)]
    if case.awards is not None:
        assert results
        assert (results[-1].awards or "unknown") == case.awards
    if case.stacks is not None:
        assert results
        assert results[-1].stacks == case.stacks


def in_words(action: Action) -> str:
    amount = "" if action.amount is None else f" {action.amount}"
    return f"{action.seat} {action.action}{amount}"


def assert_in_order(wanted: Iterable[str], there: Iterable[str]) -> None:
    """All of `wanted` are there in this order; others may stand between them."""
    seen = list(there)
    rest: Iterator[str] = iter(seen)
    for each in wanted:
        assert each in rest, f"{each!r} in {seen}"


# --- what a case file may say ---

CASE = """
[[case]]
name = "n"
log = "deal 3"
finds = ["joker"]
"""


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ("outcom.all = 'stands'", "outcom"),
        ("outcome.robert = 'stands'", "outcome: 'robert' is none of"),
        ("outcome.all = 'stands'\ncites.uk = ['UK-1']", "cites: 'uk' is none of"),
        ("outcome.all = 'stands'\nbooks = ['uk']", "books: 'uk' is none of"),
        ("outcome.all = 'stands'\nabout = 'jokers'", "about: 'jokers' is none of joker"),
        ("outcome.all = 'stands'\nproves = ['XX-1']", "no book has a rule XX-1"),
        (
            "outcome.all = 'stands'\nbooks = ['uk-tda']\nproves = ['RR7-HE-1']",
            "proves: 'roberts' is none of uk-tda",
        ),
        (
            "outcome = {roberts = 'stands', all = 'floor'}\nbooks = ['roberts']",
            "outcome: 'all' is left for no book",
        ),
    ],
)
def test_what_could_not_be_checked_is_refused(more: str, fault: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=fault):
        read_cases((CASE + more).encode())


def test_of_no_finding_no_ruling_is_expected() -> None:
    text = CASE.replace('["joker"]', "[]") + "cites.all = ['UK-1']"
    with pytest.raises(msgspec.ValidationError, match="cites: of no finding"):
        read_cases(text.encode())
