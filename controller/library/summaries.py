"""What the rules of the books say, in our own words: `config/catalogue.csv`."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def read_summaries(config: Path) -> Mapping[str, str]:
    """What each rule says, by its id."""
    with (config / "catalogue.csv").open(encoding="utf-8", newline="") as rows:
        return {row["id"]: row["summary"] for row in csv.DictReader(rows)}
