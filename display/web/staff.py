"""The command `cutcard staff`: what it lists of who did what is told in the pages' sentences."""

from __future__ import annotations

from collections.abc import Sequence

from controller.library.languages import PATTERN
from controller.people.staff_store import Done
from controller.room.commands import staff
from display.web.audit_sentences import audit_line


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    return staff.run(argv, _told)


def _told(done: Done) -> str:
    line = audit_line(done, PATTERN)
    who = ", ".join(filter(None, (line.role, f"at {line.address}")))
    refused = f"; refused: {line.refused}" if line.refused else ""
    return f"{line.text} [{who}]{refused}"
