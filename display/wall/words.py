"""The words on the wall: section `wall` of `languages/<language>.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from controller.contract.events import Blinds
from controller.library import languages

SECTION = "wall"


class Words(Struct, frozen=True):
    """All words of one language."""

    language: str
    entries: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of `key` with its words in braces filled in."""
        return self.entries[key].format(**values)

    def chips(self, amount: int) -> str:
        """Return an amount as it is read aloud: 12,500 and 1.5M."""
        if amount >= 1_000_000 and amount % 10_000 == 0:
            millions = f"{amount / 1_000_000:.2f}".rstrip("0").rstrip(".")
            return millions.replace(".", self.entries["decimal"]) + "M"
        return f"{amount:,}".replace(",", self.entries["thousands"])

    def blinds(self, blinds: Blinds | None) -> str:
        """Return both blinds, or nothing."""
        return f"{self.chips(blinds.small)} / {self.chips(blinds.big)}" if blinds else ""

    def ante(self, blinds: Blinds | None) -> str:
        """Return the ante; nothing where there is none."""
        return self.chips(blinds.ante) if blinds and blinds.ante else ""


def players(left: int | None, entries: int | None) -> str:
    """Return who is left, and of how many; nothing where that is not known."""
    if left is None:
        return ""
    return f"{left}" if entries is None else f"{left} / {entries}"


@cache
def load(language: str, config: Path) -> Words:
    """Read them from under a `config` folder, once in a process. Raises ConfigError."""
    return Words(language, languages.section(config, language, SECTION))
