"""A room under the load of a thousand tables, run after run; and what one table costs.

`cutcard simulate` runs broker, room, archive, generators, a counting subscriber and three pages of
the floor on the cores of this machine: what the generators and the counting take, the room has not.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure

ROOT = Path(__file__).resolve().parents[2]
TABLES, RATE, SECONDS, ERRORS = 1_000, 2.0, 60, 100
MOST_MS = 100.0
OURS = ("broker", "room", "archive")
Report = Mapping[str, Any]


def measure(rounds: int, say: Callable[[str], None]) -> list[Figure]:
    """So many runs in a row, and one of half the tables."""
    reports: list[Report] = []
    for number in range(1, rounds + 1):
        say(f"run {number} of {rounds}: {TABLES:,} tables at {RATE:g} messages a second")
        reports.append(_simulated(TABLES, number))
    say(f"a run of {TABLES // 2} tables")
    half = _simulated(TABLES // 2, 1)
    load = f"{TABLES:,} tables at {RATE:g} messages a second for {SECONDS} s"
    figures = [
        Figure(f"alert → floor page, p99, {load}: run {number}", _p99(each), "ms", MOST_MS)
        for number, each in enumerate(reports, 1)
    ]
    figures.append(Figure("…, p99, half as many tables", _p99(half), "ms", MOST_MS))
    lost = max(float(each["lost"]) for each in (*reports, half))
    figures.append(Figure("lost in any of these runs", lost, "", 0))
    last = reports[-1]
    for name, use in last["use"].items():
        figures.append(Figure(f"{name}: one core busy, on average", 100 * use["share"], "%"))
    return [*figures, *_of_one_table(last)]


def _simulated(tables: int, seed: int) -> Report:
    words = ["--tables", str(tables), "--rate", str(RATE), "--seconds", str(SECONDS)]
    words += ["--errors", str(ERRORS), "--seed", str(seed), "--json"]
    ran = subprocess.run(
        [sys.executable, "-m", "controller", "simulate", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=False,
    )
    report: Report = json.loads(ran.stdout)
    return report


def _p99(report: Report) -> float:
    appear = report["on_pages"]["appear"]
    return float("inf") if appear is None else float(appear["p99"])


def _of_one_table(report: Report) -> list[Figure]:
    """Whatever it says."""
    sent = sum(report["sent"].values())
    hands = report["hands"]
    figures = [Figure("a hand: messages, as simulated", sent / hands, "")]
    for name in OURS:
        spent = report["use"][name]["cpu_s"] / sent * 1e6
        figures.append(Figure(f"a message: {name}'s processor", spent, "µs"))
    return figures
