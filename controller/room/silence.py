"""Which tables have fallen silent: a table that has nothing to say says so every second.

A broker notices a frozen table by its keepalive, and mosquitto looks at that every five seconds
only. Tables of before, which say nothing of the kind, are left to it.
"""

from __future__ import annotations

SILENT_MS = 3_500
"""With the room's tick of a second a silence is known within 4.5 s. It is three signs of life that
did not come."""
NOTHING_MS = 2_000
"""When nothing at all has come for so long, not even the room's own time, it is the broker that is
silent, or the room that did not listen."""
BACK_MS = 10_000
"""So long tables may take to find a broker that is back."""


class Silence:
    """Times are the room's, in milliseconds."""

    def __init__(self) -> None:
        self._heard: dict[str, int] = {}
        self._came_ms: int | None = None

    def came(self, now_ms: int) -> None:
        """Something came in from anybody."""
        if self._is_cut(now_ms):
            self._wait_until(now_ms)
        self._came_ms = now_ms

    def beat(self, table: str, now_ms: int) -> None:
        """A table said that it is there: from now on its silence tells something."""
        self._heard[table] = now_ms

    def spoke(self, table: str, now_ms: int) -> None:
        """A table said something else."""
        if table in self._heard:
            self._heard[table] = max(now_ms, self._heard[table])

    def gone(self, table: str) -> None:
        """A table is lost or not of the room any more: that it is silent is no news."""
        self._heard.pop(table, None)

    def broker_back(self, now_ms: int) -> None:
        """The broker was reached."""
        self._wait_until(now_ms + BACK_MS)
        self._came_ms = now_ms

    def silent(self, now_ms: int) -> frozenset[str]:
        """The tables that have fallen silent."""
        if self._is_cut(now_ms):
            return frozenset()
        return frozenset(
            table for table, at_ms in self._heard.items() if now_ms - at_ms > SILENT_MS
        )

    def _is_cut(self, now_ms: int) -> bool:
        return self._came_ms is not None and now_ms - self._came_ms > NOTHING_MS

    def _wait_until(self, at_ms: int) -> None:
        self._heard = {table: max(at_ms, heard) for table, heard in self._heard.items()}
