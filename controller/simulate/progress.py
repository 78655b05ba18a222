"""How far a command is, while somebody looks on."""

from __future__ import annotations

import sys

_COLUMNS = 120


class Line:
    """One line on a terminal that is written over and over; elsewhere nothing."""

    def __init__(self) -> None:
        self._is_shown = False

    def show(self, text: str) -> None:
        """How far it is now."""
        if sys.stderr.isatty():
            text = text[: _COLUMNS - 1]
            sys.stderr.write(f"\r{text:{_COLUMNS - 1}}")
            sys.stderr.flush()
            self._is_shown = True

    def end(self) -> None:
        """What comes next has a line of its own."""
        if self._is_shown:
            sys.stderr.write("\n")
