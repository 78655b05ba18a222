"""Tables for a spreadsheet (RFC 4180): pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

Local = Callable[[int], datetime]
"""The house's time at a moment in milliseconds, whatever its clocks were set to then."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""By which a spreadsheet knows one."""


def csv_text(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """One line for each row, after one with the names of the columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def safe(text: str) -> str:
    """A text with a `'` before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def as_written(cell: str) -> str:
    """The text of a cell that `safe` has made."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell
