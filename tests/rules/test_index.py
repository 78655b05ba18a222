"""The page of what the table watches is up to date; every rule and ruling is shown by a case."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from controller.contract.events import Finding, Ruling, RulingText
from controller.library.books import Library
from controller.rule_desk.coverage import Cover
from controller.rules import IRREGULARITIES
from controller.rules.irregularity import Irregularity
from controller.rules.rulebook import RuleBook, RulingEntry
from tests.rules.cases import BOOKS, Case, of
from tests.rules.coverage import read_case_files, state_of, watched_rules
from tests.rules.index import Family, read_covers, read_families, read_proofs, rulings
from tests.rules.moments import FACTS, moments
from tests.rules.table_talk import Talk

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = read_families()
RULES = {rule.code: rule for rule in IRREGULARITIES}
WATCHED = watched_rules(ROOT / "config" / "catalogue.csv")
COVERS = read_covers()
PROOFS = read_proofs()
CASES = read_case_files()

OPEN = 0
"""How many of the rules that the table watches no case proves yet."""


def test_the_page_is_what_the_command_prints() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "tests.rules.index"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    kept = (ROOT / "docs" / "findings.md").read_bytes()
    assert printed == kept, "python -m tests.rules.index > docs/findings.md"


def test_its_links_lead_to_one_heading_each() -> None:
    page = (ROOT / "docs" / "findings.md").read_text("utf-8")
    anchors = [
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    ]
    for link in set(re.findall(r"\]\(#([^)]+)\)", page)):
        assert anchors.count(link) == 1, link


# --- rules, cases, rulings ---


@pytest.mark.parametrize("rule", IRREGULARITIES, ids=lambda rule: rule.code)
def test_a_code_has_a_title(library: Library, rule: Irregularity) -> None:
    assert library.texts.findings[rule.code]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_file_of_rules_says_by_which_rules_and_what_sensors_can_tell(family: Family) -> None:
    ids = "|".join(re.escape(row) for row in _rule_ids())
    assert re.search(rf"\b(?:{ids})\b", family.doc)
    assert re.search(r"(?i)\b(?:sensors?|antennas?|reads?|tags?)\b", family.doc)


def _rule_ids() -> list[str]:
    lines = (ROOT / "config" / "catalogue.csv").read_text("utf-8").splitlines()[1:]
    return [line.split('"')[1] for line in lines]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_rule_has_cases_in_which_it_is_found_and_in_which_nothing_is(family: Family) -> None:
    found = {code for case in family.cases for code in case.finds}
    assert {rule.code for rule in family.rules} <= found
    assert any(not case.finds for case in family.cases)
    names = [case.name for case in family.cases]
    assert len(set(names)) == len(names)


@dataclass
class Said:
    """What was asked and said in all cases: `facts` by code, rulings by book and code."""

    facts: dict[str, set[frozenset[str]]] = field(default_factory=lambda: defaultdict(set))
    rulings: dict[tuple[str, str], list[RulingText]] = field(
        default_factory=lambda: defaultdict(list)
    )


@pytest.fixture(scope="module")
def said(library: Library) -> Said:
    heard = Said()
    ask = RuleBook.ruling

    def listen(
        book: RuleBook,
        code: str,
        facts: frozenset[str],
        question: str | None = None,
        words: tuple[tuple[str, str], ...] = (),
    ) -> RulingText:
        heard.facts[code].add(facts)
        return ask(book, code, facts, question, words)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RuleBook, "ruling", listen)
        for each in FAMILIES:
            for case in each.cases:
                for book in case.books:
                    talk = Talk(library, book, **case.table)
                    talk.tell(case.log)
                    codes = {e.id: e.code for e in talk.events if isinstance(e, Finding)}
                    for e in talk.events:
                        if isinstance(e, Finding | Ruling):
                            heard.rulings[book, codes[e.id]].append(e.ruling)
    return heard


def is_said(book: RuleBook, entry: RulingEntry | None, rule: Irregularity, said: Said) -> bool:
    """Whether an entry of a book, or its silence, was the ruling in some case."""
    wanted: tuple[object, ...] = ("floor", book.silence.cites, book.silence.steps, None)
    if entry is not None:
        wanted = (entry.outcome, entry.cites, entry.steps, entry.until)
    for ruling in said.rulings[book.id, rule.code]:
        steps = tuple(step.id for step in ruling.steps)
        if steps[:1] == (rule.question,):
            steps = steps[1:]
        if (ruling.outcome, ruling.cites, steps, ruling.until) == wanted:
            return True
    return False


def test_every_ruling_of_every_book_is_shown_by_a_case(library: Library, said: Said) -> None:
    assert not [
        (book.id, rule.code, entry.when if entry else "silent")
        for book in map(library.book, BOOKS)
        for rule in IRREGULARITIES
        for entry in rulings(book, rule)
        if not is_said(book, entry, rule, said)
    ]


def test_the_cases_know_no_moment_that_the_page_does_not(said: Said) -> None:
    assert set(said.facts) == set(RULES)
    for code, facts in said.facts.items():
        assert facts <= set(moments(RULES[code].facts)), code


@pytest.mark.parametrize("book_id", BOOKS)
def test_once_it_is_too_late_no_ruling_is_a_misdeal(library: Library, book_id: str) -> None:
    book = library.book(book_id)
    past = {"two-actions": "two-actions", "substantial-action": "substantial"}[book.cut_off]
    late = [
        (r.code, moment) for r in IRREGULARITIES for moment in moments(r.facts) if past in moment
    ]
    words = (
        ("street", "flop"),
        ("next", "turn"),
        ("seats", "1"),
        ("owner", "1"),
        ("uncalled", "90"),
    )
    assert late
    for code, moment in late:
        assert book.ruling(code, moment, None, words).outcome != "misdeal", (code, moment)


def test_every_fact_is_said_in_words_and_is_part_of_a_moment() -> None:
    used = frozenset().union(*(rule.facts for rule in IRREGULARITIES))
    assert used == set(FACTS)
    for rule in IRREGULARITIES:
        part = frozenset().union(*moments(rule.facts))
        assert rule.facts - part <= {"by-order"}, rule.code


# --- the rules the table watches ---


def test_every_watched_rule_is_met_or_said_to_be_open() -> None:
    assert len(WATCHED) == 149
    ids = [rule_id for cover in COVERS for rule_id in cover.ids]
    assert sorted(ids) == sorted(rule.id for rule in WATCHED)


def test_fewer_and_fewer_are_open() -> None:
    still_open = [r.id for r in WATCHED if state_of(r, COVERS, PROOFS) == "open"]
    assert len(still_open) == OPEN, f"lower OPEN; it may not rise: {still_open}"


def test_what_cases_prove_are_rules_of_the_catalogue() -> None:
    assert set(PROOFS) <= set(_rule_ids())


@pytest.mark.parametrize("file", CASES)
def test_a_proof_says_more_than_that_something_is_found(file: str) -> None:
    """The ruling with what it cites, or what the dealer is told, or how the hand goes on."""
    for case in CASES[file]:
        if case.proves:
            for book in case.books:
                assert_proof(case, book)


def assert_proof(case: Case, book: str) -> None:
    hand = case.prompts or case.never or case.actions or case.phases or case.awards or case.stacks
    if case.finds:
        assert of(case.outcome, book), f"{case.name}: the ruling under {book}"
        assert of(case.cites, book) or hand, f"{case.name}: what it rests on under {book}"
    else:
        assert hand, f"{case.name}: what is told or done instead"


@pytest.mark.parametrize("file", CASES)
def test_a_case_with_a_finding_says_what_is_ruled(file: str) -> None:
    assert not [case.name for case in CASES[file] if case.finds and not case.outcome]


@pytest.mark.parametrize("cover", COVERS, ids=lambda cover: cover.ids[0])
def test_what_meets_a_rule_is_there(library: Library, cover: Cover) -> None:
    assert set(cover.finding) <= set(RULES)
    assert set(cover.prompt) <= set(library.texts.prompts)
    for name in cover.procedure:
        assert imported(name) is not None
    assert cover.finding or cover.prompt or cover.procedure


@pytest.mark.parametrize(
    "cover", [cover for cover in COVERS if cover.finding], ids=lambda cover: cover.ids[0]
)
def test_a_rule_that_a_finding_meets_is_cited_by_its_rulings(
    library: Library, cover: Cover
) -> None:
    """Unless something else meets it too. The house's reference page is a copy of RR7."""
    cited = {
        rule_id
        for book in map(library.book, library.ids)
        for code in cover.finding
        for entry in rulings(book, RULES[code])
        for rule_id in (entry.cites if entry else ())
    }
    for rule_id in cover.ids:
        twin = rule_id.replace("HPT-REF-", "RR7-")
        assert {rule_id, twin} & cited or cover.prompt or cover.procedure, rule_id


def imported(name: str) -> object:
    """What a dotted name in the program stands for; raises if there is no such thing."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[cut:]:
            found = getattr(found, attribute)
        return found
    raise ModuleNotFoundError(name)
