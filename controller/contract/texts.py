"""The engine's words in one language (`config/languages/`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from string import Formatter

from msgspec import Struct

TAKEN_OVER = "taken-over"
"""The prompt that says what a deal has shown of who plays and where the button is."""


class Texts(Struct, frozen=True):
    """A step's or prompt's id → its text, a finding's code → its title; and what stands in them
    for a street, an entry of the dealer's, the zones of one kind and the kind of a hand."""

    steps: Mapping[str, str]
    prompts: Mapping[str, str]
    findings: Mapping[str, str]
    streets: Mapping[str, str]
    entries: Mapping[str, str]
    zones: Mapping[str, str]
    hands: Mapping[str, str] = {}

    def step(self, name: str, words: Mapping[str, object]) -> str:
        """A step filled in; raises KeyError where the text or one of its words is missing."""
        return self._filled(self.steps[name], words)

    def prompt(self, text_id: str, args: Mapping[str, object]) -> str:
        """A prompt filled in; raises KeyError where the text or one of its words is missing."""
        if text_id == TAKEN_OVER:
            names = ("out", "in", "button")
            return ". ".join(s for n in names for s in self._each(f"{text_id}-{n}", args[n]))
        return self._filled(self.prompts[text_id], args)

    def _each(self, text_id: str, seats: object) -> list[str]:
        """A sentence for each of these seats, or for the only one."""
        each = seats if isinstance(seats, list | tuple) else [] if seats is None else [seats]
        return [self.prompts[text_id].format(seat=seat) for seat in each]

    def _filled(self, text: str, words: Mapping[str, object]) -> str:
        filled = text.format(**{name: self._said(name, words[name]) for name in blanks(text)})
        return filled[:1].upper() + filled[1:]

    def _said(self, name: str, value: object) -> object:
        match name, value:
            case (("street" | "next"), str()):
                return self.streets.get(value, value)
            case "why", str():
                return self.findings[value]
            case "entry", str():
                return self.entries.get(value, value)
            case "made", str():
                return self.hands.get(value, value)
            case "zone", str():
                return zone_in_words(value, self.zones)
        return value


def zone_in_words(zone: str, zones: Mapping[str, str]) -> str:
    """`seat/3` as `seat 3`, with the words for each kind of zone."""
    kind, _, number = zone.partition("/")
    return f"{zones.get(kind, kind)} {number}".rstrip()


@cache
def blanks(text: str) -> frozenset[str]:
    """The names of the words in braces that a text leaves to be filled in; raises ValueError
    for braces that don't match."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def blanked(text: str) -> str:
    """A text without what fills it."""
    return text.format(**dict.fromkeys(blanks(text), "…"))
