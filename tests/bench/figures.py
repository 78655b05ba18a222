"""A figure beside its target, and how a set of them is printed."""

from __future__ import annotations

import platform
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from msgspec import Struct


class Figure(Struct, frozen=True):
    """What was measured and what is to be reached: `measured` may be `target` at most. Without
    a target it is there to compare with."""

    what: str
    measured: float
    unit: str
    target: float | None = None

    @property
    def reached(self) -> bool:
        """Whether the target was reached."""
        return self.target is None or self.measured <= self.target


def machine() -> str:
    """The processor, its architecture and the Python, in words."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    cpu = models[0] if models else "unknown processor"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{cpu} ({platform.machine()}), {python} on {platform.system()}"


def versions() -> str:
    """Of what was measured, and of what it was measured with, in words."""
    found = [f"cutcard {version('cutcard')}{_commit()}", f"PokerKit {version('pokerkit')}"]
    found.append(f"SQLite {sqlite3.sqlite_version}")
    for program, asked in (
        ("mosquitto", "-h"),
        ("postgres", "--version"),
        ("chromium", "--version"),
    ):
        where = shutil.which(program) or next(
            Path("/usr/lib/postgresql").glob(f"*/bin/{program}"), ""
        )
        if where:
            said = subprocess.run([where, asked], capture_output=True, text=True, check=False)
            number = re.search(r"\d+(\.\d+)+", said.stdout + said.stderr)
            found += [f"{program} {number[0]}"] if number else []
    return ", ".join(found)


def _commit() -> str:
    asked = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    said = subprocess.run(asked, capture_output=True, text=True, check=False)
    return f" ({said.stdout.strip()})" if said.returncode == 0 else ""


def table(figures: Sequence[Figure]) -> list[str]:
    """The figures as lines of a Markdown table."""
    rows = [("what", "measured", "target, at most", "")]
    for figure in figures:
        target = "" if figure.target is None else _amount(figure.target, figure.unit)
        verdict = "" if figure.target is None else ("reached" if figure.reached else "MISSED")
        rows.append((figure.what, _amount(figure.measured, figure.unit), target, verdict))
    return markdown(rows)


def markdown(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Lines of a Markdown table, the first row its head."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in rows]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return [lines[0], rule, *lines[1:]]


def _amount(value: float, unit: str) -> str:
    return f"{value:,.{0 if value >= 100 else 2}f} {unit}".strip()
