"""Rules found by their ids or by words, with where the books differ and what rests on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from controller.library.catalogue import CatalogueRule
from controller.library.citations import Citations
from controller.rule_desk.coverage import Cover
from controller.storage.word_search import WordSearch

_ID = re.compile(r"[A-Z0-9]+-[\w-]+")
_RANGE = re.compile(r"(?P<ids>[^:]+):\s*(?P<how>.*)")


class Difference(Struct, frozen=True):
    """Other rules, as the catalogue writes them, and how they have it."""

    rules: str
    how: str


class Found(Struct, frozen=True):
    """A rule, where others differ, the codes of the findings in whose rulings it is cited, the
    prompts that rest on it, and how it is met."""

    rule: CatalogueRule
    differs: tuple[Difference, ...]
    findings: tuple[str, ...]
    prompts: tuple[str, ...] = ()
    met: Cover | None = None


class RuleDesk:
    """All rules of the catalogue."""

    def __init__(
        self,
        rules: Mapping[str, CatalogueRule],
        books: Iterable[Citations],
        met: Mapping[str, Cover] | None = None,
    ) -> None:
        """`books` are those whose rulings and prompts cite them, `met` is how each is met where
        that is asked. Rules are found by the thread that is the first to look for one."""
        self._rules = rules
        self._met = met or {}
        self._findings: dict[str, dict[str, None]] = {}
        self._prompts: dict[str, dict[str, None]] = {}
        for book in books:
            for entry in book.entries:
                for rule in entry.cites:
                    cited = self._findings.setdefault(rule, {})
                    cited.update(dict.fromkeys(entry.finding.split("|")))
            for text_id, cites in book.prompts.items():
                for rule in cites:
                    self._prompts.setdefault(rule, {})[text_id] = None

    @cached_property
    def _search(self) -> WordSearch:
        return WordSearch(
            (
                rule.id,
                " ".join((rule.summary, rule.section, rule.rule_no, rule.topic.replace("_", " "))),
            )
            for rule in self._rules.values()
        )

    def codes(self, words: Sequence[str]) -> tuple[str, ...]:
        """The findings and prompts that these words name by their codes, where each does."""
        return tuple(words) if all(self._behind(word) for word in words) else ()

    def rules_in(self, words: str) -> tuple[str, ...]:
        """The ids of rules among these words, such as those of a `Difference`."""
        return tuple(dict.fromkeys(name for name in _ID.findall(words) if name in self._rules))

    def _behind(self, code: str) -> list[str]:
        """The rules that decide a finding or that a prompt rests on."""
        cited = (self._findings, self._prompts)
        return [name for rests in cited for name, codes in rests.items() if code in codes]

    def find(self, words: Sequence[str], book: str | None = None) -> list[Found]:
        """The rules with one of these ids, or behind these findings and prompts, or whose id begins
        so (`UK-4`); else those that have the words, the best first; all without any. A code that is
        a plain word (`award`) finds what has that word too, after those behind it. `book` leaves
        those of one book."""
        named = self._named(words)
        codes = self.codes(words)
        cited = [name for code in codes for name in self._behind(code)]
        if not named and (not cited or any("-" not in code for code in codes)):
            cited += self._search.find(" ".join(words)) if words else [*self._rules]
        names = named or list(dict.fromkeys(cited))
        rules = (self._rules[name] for name in names if name in self._rules)
        return [self._with(rule) for rule in rules if book in (None, rule.book)]

    def _named(self, words: Sequence[str]) -> list[str]:
        ids = [word.upper() for word in words]
        named = [name for name in self._rules if name.upper() in ids]
        begun = tuple(word for word in ids if "-" in word)
        return named or [name for name in self._rules if name.upper().startswith(begun)]

    def _with(self, rule: CatalogueRule) -> Found:
        differs = filter(None, (part.strip() for part in rule.differs_from.split(" ; ")))
        split = (_RANGE.fullmatch(part) for part in differs)
        return Found(
            rule,
            tuple(Difference(part["ids"], part["how"]) for part in split if part),
            tuple(self._findings.get(rule.id, ())),
            tuple(self._prompts.get(rule.id, ())),
            self._met.get(rule.id),
        )
