"""What comes in from tables, so that one that talks nonsense or too much harms no other.

Each table has a budget of messages. What is beyond it waits, the latest of each topic, where
only the latest counts; of events some are lost then, and that is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from controller.broker.client import Incoming
from controller.room.shift import Trouble

MAX_TABLES = 2_000
MAX_WAITING = 300
BURST = 400
PER_S = 100
MAX_SHOWN = 50


class Budget:
    """`burst` at once, and `per_s` more with each second."""

    def __init__(self, burst: int, per_s: float, now_ms: int) -> None:
        self._burst = burst
        self._per_s = per_s
        self._left = float(burst)
        self._at_ms = now_ms

    def take(self, now_ms: int) -> bool:
        """Whether there is one more."""
        more = max(0, now_ms - self._at_ms) * self._per_s / 1_000
        self._left = min(self._burst, self._left + more)
        self._at_ms = now_ms
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Intake:
    """`handle` is given what a table said, in order, when there is room for it; `lost` is told
    of a table of which something was not taken in."""

    def __init__(
        self,
        now_ms: Callable[[], int],
        handle: Callable[[Incoming], None],
        lost: Callable[[str], None],
    ) -> None:
        self._now_ms = now_ms
        self._handle = handle
        self._lost = lost
        self._budgets: dict[str, Budget] = {}
        self._waiting: dict[str, dict[str, Incoming]] = {}
        self._counts: dict[str, dict[str, int]] = {}

    def received(self, table: str, incoming: Incoming, *, latest_counts: bool) -> bool:
        """Handles it, lets it wait or drops it; False for a table too many."""
        now_ms = self._now_ms()
        budget = self._budgets.get(table)
        if budget is None:
            if len(self._budgets) >= MAX_TABLES:
                return False
            budget = self._budgets[table] = Budget(BURST, PER_S, now_ms)
        waiting = self._waiting.get(table, {})
        if not (waiting and latest_counts) and budget.take(now_ms):
            self._handle(incoming)
            return True
        if not latest_counts:
            self.count(table, "dropped")
            self._lost(table)
        elif incoming.topic in waiting or len(waiting) < MAX_WAITING:
            self.count(table, "late")
            waiting.pop(incoming.topic, None)  # its place is that of its latest word
            self._waiting[table] = {**waiting, incoming.topic: incoming}
        else:
            self.count(table, "dropped")
        return True

    def drain(self) -> None:
        """Handles what waits, as far as the budgets go by now."""
        for table in list(self._waiting):
            waiting, budget = self._waiting[table], self._budgets[table]
            while waiting and budget.take(self._now_ms()):
                self._handle(waiting.pop(next(iter(waiting))))
            if not waiting:
                del self._waiting[table]

    def count(self, table: str, what: str, number: int = 1) -> None:
        """So much more of that kind of trouble with a table."""
        if number and (table in self._counts or len(self._counts) < MAX_TABLES):
            counts = self._counts.setdefault(table, {})
            counts[what] = counts.get(what, 0) + number

    @property
    def trouble(self) -> tuple[Trouble, ...]:
        """The tables with the most of it, the worst first. Fields that are not known here are
        none as long as they are all there is."""
        worst = sorted(self._counts, key=lambda table: (-_weight(self._counts[table]), table))
        return tuple(
            msgspec.convert({"table": table, **self._counts[table]}, Trouble)
            for table in worst[:MAX_SHOWN]
            if _weight(self._counts[table])
        )


def _weight(counts: Mapping[str, int]) -> int:
    return sum(number for what, number in counts.items() if what != "unknown_fields")
