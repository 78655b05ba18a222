"""What the rules of the books say, in our own words: `config/catalogue.csv`, and what is not
checked against the printed rules in files of their own beside it (`catalogue-….csv`)."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

BOOK_OF = {
    "HPT": "homepokertourney",
    "RR7": "roberts",
    "RRP": "roberts",
    "UK": "uk-tda",
    "TDA09": "tda-2009",
    "NL10": "nl-2010",
    "TDA24": "tda-2024",
}
"""By the beginning of a rule's id, the rule book that it is in."""


class CatalogueRule(Struct, frozen=True):
    """A rule: the section it stands in with its number there, what it is about and what it says,
    and where other books differ (`RULES: how; RULES: how`)."""

    id: str
    section: str
    rule_no: str
    topic: str
    category: str
    summary: str
    differs_from: str

    @property
    def book(self) -> str:
        """The id of its rule book."""
        return BOOK_OF[self.id.partition("-")[0]]


@cache
def read_catalogue(config: Path) -> Mapping[str, CatalogueRule]:
    """All rules, by their ids."""
    found: dict[str, CatalogueRule] = {}
    for path in (config / "catalogue.csv", *sorted(config.glob("catalogue-*.csv"))):
        with path.open(encoding="utf-8", newline="") as rows:
            found |= {row["id"]: CatalogueRule(**row) for row in csv.DictReader(rows)}
    return found


@cache
def read_summaries(config: Path) -> Mapping[str, str]:
    """What each rule says, by its id."""
    return {name: rule.summary for name, rule in read_catalogue(config).items()}
