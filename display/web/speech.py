"""The words of the pages about what was: of their section, of findings, rulings and rules."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache

from controller.contract.texts import blanked
from controller.files.settings import config_dir
from controller.library.books import Library, open_library
from controller.library.languages import path_of
from controller.replay.account import Account
from controller.replay.printing import ENDLESS
from controller.replay.words import Words, cards, fill, read_words
from display.web.words import page_words


class Speech:
    """One language. Times are this machine's."""

    def __init__(self, language: str, library: Library, words: Words) -> None:
        self.language = language
        self._library = library
        self._words = words
        self.codes: Mapping[str, str] = library.texts.findings

    def say(self, section: str, key: str, /, **given: object) -> str:
        """A text of a page's section."""
        return fill(page_words(section, self.language)[key], given)

    def account(self) -> Account:
        """Tells a hand, in lines that are not broken."""
        return Account(self._library, self._words, ENDLESS)

    def title(self, code: str) -> str:
        """A finding; one of which only the end is known has no code."""
        return self.codes.get(code, code) or self.say("history", "unknown-code")

    def ending(self, how: str | None) -> str:
        """What became of a finding."""
        return self._words.endings.get(how, how) if how else self._words.say("open")

    def outcome(self, outcome: str) -> str:
        """A ruling's outcome, as a sentence says it."""
        return self._words.outcomes.get(outcome, outcome)

    def book(self, book: str) -> str:
        """A rule book's title."""
        return self._library.title(book) if book else ""

    def called(self, book: str) -> str:
        """The same as the floor calls it."""
        return page_words("floor", self.language).get(f"book-{book}") or self.book(book)

    def reason(self, reason: str) -> str:
        """Why it was dismissed: one of the reasons of a screen, or what somebody has typed."""
        return page_words("floor", self.language).get(f"reason-{reason}", reason)

    def prompt(self, text_id: str) -> str:
        """What a dealer is told, without what fills it."""
        return blanked(self._library.texts.prompts[text_id])

    def rule(self, cite: str) -> str:
        """A rule in our words, which are English; empty where the house has its own."""
        return self._library.summaries.get(cite, "")

    def phase(self, phase: str) -> str:
        """How far a hand came."""
        return self.say("screen", f"phase-{phase}" if phase else "phase-none")

    def cards(self, codes: tuple[str, ...]) -> str:
        """Cards as they are read."""
        return cards(codes)

    def whole(self, count: float) -> str:
        """A number without a fraction, its thousands set apart."""
        return self._words.chips(round(count))

    def decimal(self, value: float, digits: int = 1) -> str:
        """A number with a fraction."""
        whole, _, part = f"{value:.{digits}f}".partition(".")
        mark = self.say("statistics", "decimal")
        return self.whole(int(whole)) + (f"{mark}{part}" if part else "")

    def seconds(self, value: float) -> str:
        """A span of time."""
        if value < 60:
            return self.say("statistics", "seconds", count=self.decimal(value))
        if value < 7_200:
            return self.say("statistics", "minutes", count=self.decimal(value / 60))
        return self.say("statistics", "hours", count=self.decimal(value / 3_600))


def when(at_ms: int) -> str:
    """A moment, as this machine's clock shows it."""
    return f"{datetime.fromtimestamp(at_ms / 1_000):%Y-%m-%d %H:%M}"


@cache
def speech(language: str) -> Speech:
    """The speech of a language that is there."""
    library = open_library(config_dir(), language)
    return Speech(language, library, read_words(path_of(config_dir(), language)))
