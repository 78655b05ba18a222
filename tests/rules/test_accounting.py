"""Every rule of the catalogue is accounted for, and what meets it is there and proved."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from controller.library.books import Library
from controller.library.catalogue import CatalogueRule, read_catalogue
from controller.rule_desk.coverage import STATES, Cover, counted, met_by, read_coverage
from tests.conftest import CONFIG
from tests.rules.accounting import page
from tests.rules.index import read_proofs
from tests.rules.test_index import imported

ROOT = Path(__file__).resolve().parents[2]
RULES = read_catalogue(CONFIG)
COVERS = [
    pytest.param(cover, id=f"{name} {cover.ids[0]}")
    for name, covers in read_coverage().items()
    for cover in covers
]
PROOFS = read_proofs()

OPEN = 0
"""How many rules are not met that should be. It may not rise; lower it."""

PLACES = {
    "the players' register",
    "moves and balancing",
    "breaks and hand for hand",
    "the evening's money",
}
"""What rules may wait for."""


def test_every_rule_stands_in_one_entry() -> None:
    ids = [i for covers in read_coverage().values() for cover in covers for i in cover.ids]
    assert len(ids) == len(set(ids))
    assert set(ids) == set(RULES)
    assert len(RULES) == 847 + 303


@pytest.mark.parametrize("cover", COVERS)
def test_what_meets_a_rule_is_there_and_proved(library: Library, cover: Cover) -> None:
    works = bool(cover.finding or cover.prompt or cover.procedure)
    others = (cover.recorded, cover.reference, cover.out, cover.follows, cover.open)
    assert works + sum(map(bool, others)) == 1, "met in one way"
    assert set(cover.finding) <= set(library.texts.findings)
    assert set(cover.prompt) <= set(library.texts.prompts)
    for name in (*cover.procedure, *cover.recorded):
        assert imported(name) is not None
    assert cover.follows in ("", *PLACES)
    if works or cover.recorded:
        assert cover.tests or all(PROOFS.get(rule_id) for rule_id in cover.ids), "not proved"
    for test in cover.tests:
        path, _, name = test.partition("::")
        assert name in functions_in(ROOT / path), test


@cache
def functions_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, kinds))


@pytest.mark.parametrize("cover", [c for c in COVERS if c.values[0].prompt])  # type: ignore[union-attr]
def test_what_a_rule_has_said_its_book_names(library: Library, cover: Cover) -> None:
    """Where the dealer is told by a rule and nothing else meets it, the rule's book cites it
    there: what the dealer is told leads to it and back."""
    if cover.state != "prompted":
        return
    for rule_id in cover.ids:
        if rule_id.startswith("RRP-"):  # an older edition, whose rules the book of today has
            continue
        book = library.book(RULES[rule_id].book)
        cited = {rule for text_id in cover.prompt for rule in book.prompts.get(text_id, ())}
        twins = {rule_id.replace("-PLAY-", "-DEAL-"), rule_id}
        assert cited & twins, rule_id


def test_fewer_and_fewer_are_open() -> None:
    still_open = [rule_id for rule_id, cover in met_by().items() if cover.state == "open"]
    assert len(still_open) == OPEN, still_open


def test_the_page_is_what_the_command_prints() -> None:
    kept = (ROOT / "docs" / "coverage.md").read_text("utf-8")
    assert page() == kept, "python -m tests.rules.accounting > docs/coverage.md"


def test_figures_add_up() -> None:
    figures = counted(RULES.values(), met_by())
    assert sum(each.rules for each in figures) == len(RULES)
    assert all(sum(each.states.values()) == each.rules for each in figures)


def test_a_rule_that_stands_nowhere_is_open() -> None:
    lone = CatalogueRule("UK-999", "", "", "", "INFO", "", "")
    [figure] = counted([lone], {})
    assert figure.states == dict.fromkeys(STATES, 0) | {"open": 1}
