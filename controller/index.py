"""What the table watches, for people: `python -m controller.index` prints it.

The printed text is kept in `docs/findings.md`: each finding with what every book makes of it, and
each rule that sensors are to watch with what meets it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import getdoc
from itertools import groupby
from pathlib import Path

from msgspec.structs import replace

from controller import rules
from controller.books import Library, open_library
from controller.coverage import (
    Cover,
    Rule,
    cover_of,
    proofs,
    read_coverage,
    state_of,
    watched_rules,
)
from controller.rules import IRREGULARITIES
from controller.rules.cases import BOOKS, Case, family, read_case_files
from controller.rules.irregularity import Irregularity
from controller.rules.moments import FACTS, moments
from controller.rules.rulebook import RuleBook, RulingEntry
from controller.settings import config_dir

INTRODUCTION = """\
# What the table watches

This page is written by `python -m controller.index > docs/findings.md`; a test fails when it is
out of date. It has two parts: the [findings](#findings), each with what every rule book makes of
it, and the [rules the table watches](#rules-the-table-watches), each with what meets it.

A finding says what happened and is the same under every book; only the rulings differ. The rules
are cited by their ids in `config/catalogue.csv`. *Home Poker Tourney* and *NL 2010* lie over
Robert's Rules: what they take from it they cite with the rule that sends them there
(HPT-PREC-01, NL10-PREC-01). Where the *UK* and *TDA 2009* books are silent the floor decides, and
is told what Robert's Rules would say.

Where a finding rests on something that was *not* read, the dealer is asked first; the question
stands with the finding. In the tables the first line that fits is the ruling; what its words mean
is said [below them](#what-the-moments-mean). Each line is shown by a case, and each finding has
cases in which it is found; those for some books only say for which.
"""

_FIRST = "roberts"
"""The book that is listed first: others take their rulings from it."""

_EDITIONS = {
    "HPT": "Home Poker Tourney, house rules and dealer's reference page",
    "RR7": "Robert's Rules of Poker, version 7",
    "RRP": "Robert's Rules of Poker, extract",
    "UK": "UK casino rules (TDA-based)",
    "NL10": "No-Limit Texas Hold'em 2010",
    "TDA09": "TDA 2009",
}
"""What the ids of the catalogue begin with."""


@dataclass(frozen=True, slots=True)
class Family:
    """The irregularities of one file of rules, with its docstring and its cases."""

    name: str
    doc: str
    rules: tuple[Irregularity, ...]
    cases: tuple[Case, ...]


def rulings(book: RuleBook, rule: Irregularity) -> tuple[RulingEntry | None, ...]:
    """What a book can say about an irregularity, in its order; None is its silence.

    Left out is what no moment leads to, as an entry above it always fits first.
    """
    entries = [entry for entry in book.entries if rule.code in entry.finding.split("|")]
    first = [
        next((entry for entry in entries if entry.fits(rule.code, moment)), None)
        for moment in moments(rule.facts)
    ]
    said: list[RulingEntry | None] = []
    for i, entry in enumerate(entries):
        ordered = "by-order" in entry.when
        if entry in first or (ordered and entry.outcome not in {e.outcome for e in entries[:i]}):
            said.append(entry)
    return (*said, None) if None in first else tuple(said)


def index(
    library: Library,
    families: Sequence[Family],
    watched: Sequence[Rule],
    covers: Sequence[Cover],
    proved: Mapping[str, Sequence[str]],
) -> str:
    """The page as text, the same for the same rules, books and cases. `proved` is that of
    `coverage.proofs`."""
    parts = [
        INTRODUCTION,
        *_findings(library, families),
        *_facts(families),
        *_watched(library, watched, covers, proved),
    ]
    return "\n".join(parts)


# --- findings ---


def _findings(library: Library, families: Sequence[Family]) -> Iterable[str]:
    yield "## Findings\n"
    rows = [
        (
            f"[`{rule.code}`](#{rule.code})",
            library.texts.findings[rule.code],
            "yes" if rule.question else "no",
            str(sum(rule.code in case.finds for case in each.cases)),
        )
        for each in families
        for rule in each.rules
    ]
    yield _table(("finding", "what the dealer's screen says", "may be asked", "cases"), rows)
    for each in families:
        yield from _family(library, each)


def _family(library: Library, each: Family) -> Iterable[str]:
    title, *paragraphs = map(_one_line, each.doc.split("\n\n"))
    yield f"### {title.removesuffix('.')}\n"
    yield from (f"{paragraph}\n" for paragraph in paragraphs)
    yield f"Rules and cases: `controller/rules/{each.name}.py` and `.toml`.\n"
    for rule in each.rules:
        yield f"#### `{rule.code}`\n"
        yield f"**{library.texts.findings[rule.code]}.**{_asked(library, rule)}\n"
        yield _table(("book", "when", "outcome", "rules"), _rulings_of(library, rule))
        yield f"Found in: {_names(c for c in each.cases if rule.code in c.finds)}.\n"
    yield f"**Nothing is found** in: {_names(c for c in each.cases if not c.finds)}.\n"


def _asked(library: Library, rule: Irregularity) -> str:
    if rule.question is None:
        return ""
    return f" The dealer may be asked: *{_without_words(library.texts.steps[rule.question])}*"


def _rulings_of(library: Library, rule: Irregularity) -> Iterable[tuple[str, ...]]:
    first = rulings(library.book(_FIRST), rule)
    for name in (_FIRST, *(name for name in library.ids if name != _FIRST)):
        book = library.book(name)
        said = rulings(book, rule)
        if name != _FIRST and len(said) > 1 and _alike(said, first):
            cites = dict.fromkeys(rule_id for entry in said if entry for rule_id in entry.cites)
            yield book.title, f"as {library.book(_FIRST).title}", "", ", ".join(cites)
            continue
        title = book.title
        for entry in said:
            yield title, *_ruling(book, entry, alone=len(said) == 1)
            title = ""


def _alike(said: Sequence[RulingEntry | None], other: Sequence[RulingEntry | None]) -> bool:
    """Whether two books say the same, whatever they cite for it."""
    return [e and replace(e, cites=()) for e in said] == [e and replace(e, cites=()) for e in other]


def _ruling(book: RuleBook, entry: RulingEntry | None, *, alone: bool) -> tuple[str, str, str]:
    otherwise = "always" if alone else "otherwise"
    if entry is None:
        advice = f"; {book.advisory.title} advises" if book.advisory else ""
        return otherwise, f"`floor`{advice}", ", ".join(book.silence.cites)
    when = ", ".join(" or ".join(map(_words, one.split("|"))) for one in entry.when)
    until = f" until {_words(entry.until)}" if entry.until else ""
    return when or otherwise, f"`{entry.outcome}`{until}", ", ".join(entry.cites)


def _facts(families: Sequence[Family]) -> Iterable[str]:
    used = {fact for each in families for rule in each.rules for fact in rule.facts}
    yield "### What the moments mean\n"
    rows = [(_words(fact), meaning) for fact, meaning in FACTS.items() if fact in used]
    yield _table(("when", "that is"), rows)


# --- rules ---


def _watched(
    library: Library,
    watched: Sequence[Rule],
    covers: Sequence[Cover],
    proved: Mapping[str, Sequence[str]],
) -> Iterable[str]:
    states = {rule.id: state_of(rule, covers, proved) for rule in watched}
    count = Counter(states.values())
    yield "## Rules the table watches\n"
    yield (
        f"The catalogue has {len(watched)} rules that sensors are to watch (DETECT). "
        f"{count['proved']} are *proved*: cases written from the rule's own sentence show the "
        f"ruling, the prompt or the way the hand is followed. {count['decided']} are *decided*: "
        f"the same, but otherwise than the sentence says, for the reason given. {count['open']} "
        f"are *open*.\n"
    )
    for prefix, group in groupby(watched, key=lambda rule: rule.id.split("-")[0]):
        yield f"### {prefix}: {_EDITIONS[prefix]}\n"
        rows = [
            (
                rule.id,
                rule.summary,
                states[rule.id] if states[rule.id] == "proved" else f"**{states[rule.id]}**",
                _covered_by(library, cover_of(rule, covers)),
                "; ".join(f"*{case.partition(': ')[2]}*" for case in proved.get(rule.id, ())),
            )
            for rule in group
        ]
        yield _table(("rule", "what it says", "state", "met by", "shown by"), rows)


def _covered_by(library: Library, cover: Cover | None) -> str:
    if cover is None:
        return "**nothing**"
    by = [f"[`{code}`](#{code})" for code in cover.finding]
    by += [f"prompt “{_without_words(library.texts.prompts[name])}”" for name in cover.prompt]
    by += [f"`{name}`" for name in cover.procedure]
    return "; ".join(each for each in (", ".join(by), cover.decided, cover.note) if each)


# --- text ---


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |\n" for row in lines)


def _without_words(text: str) -> str:
    return re.sub(r"\{\w+\}", "…", text)


def _words(fact: str) -> str:
    return fact.replace("-", " ")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _names(cases: Iterable[Case]) -> str:
    return "; ".join(
        f"*{case.name}*" + ("" if case.books == BOOKS else f" ({', '.join(case.books)})")
        for case in cases
    )


# --- reading it all ---


def read_families() -> tuple[Family, ...]:
    """The files of irregularities with their cases, in the order of the irregularities."""
    cases = read_case_files()
    members: dict[str, list[Irregularity]] = {}
    for rule in IRREGULARITIES:
        members.setdefault(family(rule), []).append(rule)
    return tuple(
        Family(name, _docstring(of), tuple(of), cases[name]) for name, of in members.items()
    )


def _docstring(of: Sequence[Irregularity]) -> str:
    return getdoc(sys.modules[type(of[0]).__module__]) or ""


def read_covers() -> tuple[Cover, ...]:
    """What is said of the rules that the table watches."""
    return read_coverage((Path(rules.__file__).parent / "coverage.toml").read_bytes())


def read_proofs() -> dict[str, tuple[str, ...]]:
    """By rule id the cases that prove it."""
    files = read_case_files()
    return proofs((name, case) for name, cases in files.items() for case in cases)


def page() -> str:
    """The page for the project's own rules and books."""
    config = config_dir()
    watched = watched_rules(config / "catalogue.csv")
    return index(open_library(config), read_families(), watched, read_covers(), read_proofs())


if __name__ == "__main__":
    sys.stdout.write(page())
