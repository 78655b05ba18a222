"""What was done wrong in the demo, and what the table made of it."""

from __future__ import annotations

from collections import Counter

from controller.contract.events import Closed, Event, Finding, Phase
from controller.demo.errors import MILDER


class Tally:
    """Counts hands and errors against findings. `slips` is how often people forgot something."""

    def __init__(self) -> None:
        """Nothing has been dealt."""
        self.hands = 0
        self.slips = 0
        self._forgetful = False
        self._asked = 0
        self._error: str | None = None
        self._made: Counter[str] = Counter()
        self._found: Counter[str] = Counter()
        self._false: Counter[str] = Counter()
        self._closed: Counter[str] = Counter()

    def begin(self, error: str | None, *, forgetful: bool = False) -> None:
        """A hand is dealt, with this error or none; `forgetful` people may have to be asked."""
        self._error, self._forgetful = error, forgetful

    def take(self, event: Event) -> None:
        """Counts what the table says."""
        match event:
            case Finding() if event.code == self._error:
                self._found[event.code] += 1
            case Finding() if event.code == MILDER.get(self._error or ""):
                pass
            case Finding(basis="unseen") if self._forgetful:
                self._asked += 1
            case Finding():
                self._false[event.code] += 1
            case Closed():
                self._closed[event.how] += 1
            case Phase(phase="complete"):
                self.hands += 1
                if self._error is not None:
                    self._made[self._error] += 1
            case _:
                pass

    @property
    def is_right(self) -> bool:
        """Whether every error was found once and nothing else was."""
        return self._made <= self._found and not self._false

    def summary(self) -> str:
        """One line for the end."""
        parts = [f"{self.hands} hand{'s' * (self.hands != 1)} dealt"]
        made = sum(self._made.values())
        if made:
            errors = ", ".join(f"{n} × {code}" for code, n in sorted(self._made.items()))
            parts.append(f"{errors} made, {sum(self._found.values())} found")
        else:
            parts.append("no error made")
        if self.slips:
            parts.append(f"people forgot {self.slips} ×, asked about {self._asked}")
        if self._closed:
            parts.append(", ".join(f"{n} {how}" for how, n in sorted(self._closed.items())))
        if self._false:
            parts.append(f"false alarms: {', '.join(sorted(self._false))}")
        return "; ".join(parts)
