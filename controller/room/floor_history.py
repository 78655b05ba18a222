"""The shift's history: what happened to alerts and what people did, and who is told of it by
telephone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice

from msgspec.structs import replace

from controller.room.alerts import Happened
from controller.room.intake import Budget
from controller.room.ntfy import Push
from controller.room.room_time import RoomClocks
from controller.room.store import KEPT_LINES

SHOWN = 30
MOST_SINCE = 500
LINES_BURST = 100
LINES_PER_S = 0.2
PUSHES_BURST = 10
PUSHES_PER_S = 0.1
_BY_TABLES = ("raised", "changed", "dismissed", "closed", "escalated")
_TITLES = {"call": "floor called", "lost": "offline", "test": "test"}


class FloorHistory:
    """The newest line first. `owed` are those that the store does not have yet. A table has no
    more than its share of lines and of messages to telephones."""

    def __init__(self, clocks: RoomClocks, push: Callable[[Push], None]) -> None:
        self._clocks = clocks
        self._push = push
        self._budgets: dict[str, Budget] = {}
        self._pushes: dict[str, Budget] = {}
        self.lines: deque[Happened] = deque(maxlen=KEPT_LINES)
        self.owed: deque[Happened] = deque(maxlen=KEPT_LINES)

    def recalls(self, lines: Iterable[Happened]) -> None:
        """What a run before has left, the oldest first."""
        self.lines.extendleft(lines)

    def note(self, lines: Iterable[Happened]) -> None:
        """It happened just now."""
        now_ms, wall_ms = self._clocks.now_ms(), self._clocks.wall_ms()
        for each in lines:
            if each.what in _BY_TABLES:
                lines_left = Budget(LINES_BURST, LINES_PER_S, now_ms)
                if not self._budgets.setdefault(each.table, lines_left).take(now_ms):
                    continue
            n = self.lines[0].n + 1 if self.lines else 1
            kept = replace(each, n=n, wall_ms=wall_ms)
            self.lines.appendleft(kept)
            self.owed.append(kept)
            self._tell(kept)

    def since(self, at_ms: int) -> tuple[bool, tuple[Happened, ...]]:
        """What happened from that time on, the oldest first, and whether there was more."""
        found: list[Happened] = []
        for each in self.lines:
            if each.at_ms < at_ms:
                break
            if len(found) == MOST_SINCE:
                return True, tuple(reversed(found))
            found.append(each)
        return False, tuple(reversed(found))

    def news(self) -> tuple[Happened, ...]:
        """The last lines."""
        return tuple(islice(self.lines, SHOWN))

    def _tell(self, each: Happened) -> None:
        is_grave = each.what == "raised" and each.priority == 1
        if not is_grave and each.what != "escalated":
            return
        pushes_left = Budget(PUSHES_BURST, PUSHES_PER_S, each.at_ms)
        if self._pushes.setdefault(each.table, pushes_left).take(each.at_ms):
            title = each.title or _TITLES.get(each.code, each.code)
            text = f"Table {each.table}: {title}" if each.table else title.capitalize()
            self._push(Push(text, text, each.priority))
