"""What a room has taken in from its tables, counted since its start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from controller.room.tables import MAX_TABLES


class TakenIn:
    """Counts by kind, which is the last word of the topic; of events also `doubles`, which came
    before, and `gaps`, those that are missing before a later one of their session."""

    def __init__(self) -> None:
        self._counts = Counter({"events": 0, "gaps": 0, "doubles": 0})
        self._last: dict[str, tuple[str, int]] = {}

    @property
    def counts(self) -> Mapping[str, int]:
        """What there is until now."""
        return dict(self._counts)

    def message(self, kind: str) -> None:
        """One of it."""
        self._counts[kind] += 1

    def event(self, table: str, session: str, seq: int) -> None:
        """One event. What a table said before its first one here, nobody can know."""
        known = self._last.get(table)
        if known is not None and known[0] == session:
            if seq <= known[1]:
                self._counts["doubles"] += 1
                return
            self._counts["gaps"] += seq - known[1] - 1
        if known is not None or len(self._last) < MAX_TABLES:
            self._last[table] = (session, seq)
        self._counts["events"] += 1
