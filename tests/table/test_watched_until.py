"""Until when a table was watched is stamped once all that was told until then is on the disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from controller.table.alive import FILE, Alive, Numbers, Stamps
from controller.table.clock import TableClock


def stamped(folder: Path) -> dict[str, Any] | None:
    file = folder / FILE
    return json.loads(file.read_bytes()) if file.exists() else None


def test_a_disk_that_never_rests_keeps_nobody_from_a_stamp(tmp_path: Path) -> None:
    waits: list[Callable[[], None]] = []
    lines, alive = [3], Alive(tmp_path, TableClock())
    stamps = Stamps(
        alive, after=waits.append, numbers=lambda: Numbers(lines[0]), lost_since=lambda: None
    )
    before = alive.moment().t
    stamps.due()
    asked = alive.moment().t
    lines[0] = 9
    stamps.due()
    assert stamped(tmp_path) is None, "what was told is not on the disk yet"
    assert len(waits) == 1
    waits.pop()()
    told = stamped(tmp_path)
    assert told is not None
    assert before <= told["t"] <= asked, "what was told since may not be on it"
    assert told["numbers"] == {"lines": 3, "hands": 0, "findings": 0}
    stamps.due()
    assert len(waits) == 1


def test_while_nothing_is_recorded_the_table_is_not_watched(tmp_path: Path) -> None:
    alive = Alive(tmp_path, TableClock())
    since = alive.moment().t - 5
    stamps = Stamps(alive, after=lambda then: then(), numbers=Numbers, lost_since=lambda: since)
    stamps.due()
    told = stamped(tmp_path)
    assert told is not None
    assert told["t"] == since
