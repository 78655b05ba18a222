"""When the wall sounds: at one minute and at the change of level. Pure."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from display.wall.heard import RoomAsHeard
from display.wall.model import LAST_MS

Cue = Literal["minute", "change"]
_GAP_S = 5.0  # who has not looked for longer has slept, and is told nothing late


class _Look(Struct, frozen=True):
    entry: tuple[int, bool]  # a break may be called in the middle of a level
    left_ms: float
    t: float


class Cues:
    """Watches a clock that runs. One that is moved while it stands makes no sound."""

    def __init__(self) -> None:
        self._last: _Look | None = None
        self._over: tuple[int, bool] | None = None  # the entry whose end has been told

    def look(self, heard: RoomAsHeard, t: float) -> Cue | None:
        """What is due at `t`: one minute is left, or the level changes."""
        clock, left_ms = heard.clock, heard.left_ms(t)
        before, self._last = self._last, None
        if clock is None or left_ms is None:
            return None
        ended = clock.ended and before is not None and before.left_ms > 0
        if clock.deadline_ms is None and not ended:
            return None
        entry = (clock.index, clock.on_break)
        self._last = _Look(entry, left_ms, t)
        if before is None or t - before.t > _GAP_S:
            return None
        if entry != before.entry:
            told, self._over = self._over == before.entry, None
            return None if told else "change"
        if left_ms == 0 and before.left_ms > 0:
            told, self._over = self._over == entry, entry
            return None if told else "change"
        return "minute" if left_ms <= LAST_MS < before.left_ms else None
