"""How lessons went: one line of JSON each, appended to a file of the learner's own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.training.course import Course, Step


class Result(Struct, frozen=True):
    """A lesson that was played to its end. `at` is wall time in milliseconds."""

    at: int
    lesson: str
    rulebook: str
    findings: int
    steps: tuple[Step, ...]

    @property
    def first_time(self) -> int:
        """How many steps were right first time."""
        return sum(not step.wrong for step in self.steps)

    @property
    def pace(self) -> float:
        """Seconds per step."""
        return sum(step.seconds for step in self.steps) / max(1, len(self.steps))


def result_of(course: Course, lesson: str, rulebook: str, at: int) -> Result:
    """How a course has gone."""
    return Result(at, lesson, rulebook, course.findings, tuple(course.steps))


def results_file(environment: Mapping[str, str], home: Path) -> Path:
    """`cutcard/training.jsonl` where the user's programs keep what they know.

    reference: XDG Base Directory Specification, `XDG_STATE_HOME`; a relative one is ignored.
    """
    state = Path(environment.get("XDG_STATE_HOME", ""))
    return (state if state.is_absolute() else home / ".local/state") / "cutcard/training.jsonl"


def keep(result: Result, path: Path) -> None:
    """Appends a result; the file is its owner's only. Raises `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    line = msgspec.json.encode(result) + b"\n"
    opened = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.fchmod(opened, 0o600)
        os.write(opened, line)
    finally:
        os.close(opened)
