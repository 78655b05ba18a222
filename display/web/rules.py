"""The rules as the room's page shows them: what is found, in the words of a language. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from controller.rule_desk.search import Difference, Found, RuleDesk
from controller.rules.rulebook import RuleBook
from display.web.speech import Speech

LONGEST = 200
"""Of what is asked, in characters."""
MOST = 40
"""Rules in one answer."""
_APART = re.compile(r"[\s,;]+")


class Named(Struct, frozen=True):
    """What is found by an id, and its text."""

    id: str
    text: str


class Other(Struct, frozen=True):
    """How other books have it: `rules` as the catalogue writes them, and `ids` of those that it
    has."""

    rules: str
    ids: tuple[str, ...]
    how: str


class Shown(Struct, frozen=True):
    """A rule: `book` in words, `verified` if somebody has checked it; `met` is how it is met here,
    in a word of the language, and `why`."""

    id: str
    book: str
    verified: bool
    section: str
    number: str
    summary: str
    differs: tuple[Other, ...]
    findings: tuple[Named, ...]
    prompts: tuple[Named, ...]
    met: str
    why: str


class Answer(Struct, frozen=True):
    """The first rules that were found; `said` is how many there are, of what, or why none is.
    `unknown` are ids that no book has, and `more` says that there are others."""

    said: str
    rules: tuple[Shown, ...] = ()
    unknown: str = ""
    more: str = ""


class Rules:
    """All rules, for whoever asks. It belongs to the thread that it is made in."""

    def __init__(self, desk: RuleDesk, ids: Iterable[str], books: Mapping[str, RuleBook]) -> None:
        """`ids` are those of all rules."""
        self._desk = desk
        self._upper = {each.upper() for each in ids}
        self.books = books

    def answer(self, asked: str, book: str, speech: Speech) -> Answer:
        """What is found; without words all of a `book`, "" being every one."""
        words = [word for word in _APART.split(asked) if word]
        if not words and not book:
            return Answer(speech.say("rules", "ask"))
        found = self._desk.find(words, book or None)
        left = len(found) - MOST
        return Answer(
            said=self._said(words, book, len(found), speech),
            rules=tuple(self._shown(each, speech) for each in found[:MOST]),
            unknown=self._unknown(words, speech),
            more=speech.say("rules", "more", count=left) if left > 0 else "",
        )

    def _said(self, words: list[str], book: str, count: int, speech: Speech) -> str:
        if not count:
            return speech.say("rules", "none-in" if book else "none", book=speech.called(book))
        counted = speech.say("rules", "count" if count > 1 else "one", count=count)
        codes = self._desk.codes(words)
        if not codes or any("-" not in code for code in codes):
            return counted
        titles = ", ".join(speech.codes.get(code) or speech.prompt(code) for code in codes)
        return speech.say("rules", "behind", counted=counted, title=titles)

    def _unknown(self, words: list[str], speech: Speech) -> str:
        """Ids among ids that lead nowhere: a house's own, or mistyped."""
        if not any(word.upper() in self._upper for word in words):
            return ""
        left = [word for word in words if word.upper() not in self._upper]
        return speech.say("rules", "unknown", ids=", ".join(left)) if left else ""

    def _shown(self, found: Found, speech: Speech) -> Shown:
        rule, met = found.rule, found.met
        return Shown(
            id=rule.id,
            book=speech.called(rule.book),
            verified=self.books[rule.book].verified,
            section=rule.section,
            number=rule.rule_no,
            summary=rule.summary,
            differs=tuple(self._other(each) for each in found.differs),
            findings=tuple(Named(code, speech.title(code)) for code in found.findings),
            prompts=tuple(Named(text_id, speech.prompt(text_id)) for text_id in found.prompts),
            met=speech.say("rules", f"met-{met.state}") if met else "",
            why=(met.decided or met.why) if met else "",
        )

    def _other(self, each: Difference) -> Other:
        return Other(each.rules, self._desk.rules_in(each.rules), each.how)
