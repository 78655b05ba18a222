"""What each table plays, beside what it is to play: pure.

A level is told to every table when it begins, again until the table has taken it, and applies
there from the next riffle. A break lets every hand be finished and closes the table then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct

from controller.contract.events import Blinds
from controller.contract.view import BETWEEN_HANDS
from controller.room.tables import TableSeen

AGAIN_MS = 2_000
"""After an order that came to nothing."""
REFUSED_AGAIN_MS = 15_000

LevelWord = Literal["current", "old", "waiting", "unknown"]


class TableLevel(Struct, frozen=True):
    """What a table plays. `old`: its hand has the blinds of another level; `waiting`: no hand is
    under way, and it has not been told yet; `unknown`: it can't be heard or the clock was not
    started. `trouble`: why it has not taken what it was told; `unanswered`: it has said nothing to
    it."""

    table: str
    level: LevelWord
    blinds: Blinds | None
    playing: bool
    open: bool
    trouble: str = ""
    unanswered: bool = False


class LevelTold(Struct, frozen=True):
    """What a table was last told in one of its sessions, in which hand, and what came of it."""

    session: str
    hand: int
    blinds: Blinds
    id: str
    taken: bool = False
    again_ms: int | None = None
    trouble: str = ""
    unanswered: bool = False


def plays(table: TableSeen) -> bool:
    """Whether a hand is under way, by what was last heard of a table that is not lost."""
    if table.state != "ready" or table.hand is None:
        return False
    view = table.hand.view
    return view.is_open and view.phase not in BETWEEN_HANDS


def level_of(table: TableSeen, wanted: Blinds | None, told: LevelTold | None) -> TableLevel:
    """What `table` plays where `wanted` are the blinds in force."""
    view = table.hand.view if table.hand is not None else None
    playing = plays(table)
    word: LevelWord = "unknown"
    if wanted is not None and table.live and view is not None:
        if playing:
            word = "current" if view.blinds == wanted else "old"
        else:
            word = "current" if _has(table, wanted, told) else "waiting"
    about = told if told is not None and told.blinds == wanted else None
    return TableLevel(
        table.id,
        word,
        view.blinds if view is not None else None,
        playing,
        view is None or view.is_open,
        about.trouble if about is not None else "",
        unanswered=about is not None and about.unanswered,
    )


def to_tell(
    tables: Iterable[TableSeen], wanted: Blinds | None, told: Mapping[str, LevelTold], now_ms: int
) -> list[TableSeen]:
    """The tables that have to be told `wanted` now."""
    if wanted is None:
        return []
    return [
        table
        for table in tables
        if table.live and table.hand is not None and _is_due(table, wanted, told, now_ms)
    ]


def to_close(tables: Iterable[TableSeen]) -> list[TableSeen]:
    """The tables to be closed on a break: those that are open and have finished their hand."""
    return [
        table
        for table in tables
        if table.live and table.hand is not None and table.hand.view.is_open and not plays(table)
    ]


def to_open(tables: Iterable[TableSeen], closed: Iterable[str]) -> list[TableSeen]:
    """The tables that the room has closed, and that still are."""
    ours = set(closed)
    return [
        table
        for table in tables
        if table.id in ours
        and table.live
        and table.hand is not None
        and not table.hand.view.is_open
    ]


def _session(table: TableSeen) -> str:
    return table.hand.session if table.hand is not None else ""


def _has(table: TableSeen, wanted: Blinds, told: LevelTold | None) -> bool:
    return (
        told is not None and told.taken and (told.session, told.blinds) == (_session(table), wanted)
    )


def _is_due(table: TableSeen, wanted: Blinds, told: Mapping[str, LevelTold], now_ms: int) -> bool:
    last = told.get(table.id)
    if last is None or table.hand is None:
        return True
    view = table.hand.view
    if (last.session, last.blinds) != (table.hand.session, wanted):
        return True
    if last.taken:  # a later hand with other blinds: somebody else has told it something else
        return plays(table) and view.hand > last.hand and view.blinds != wanted
    return last.again_ms is not None and now_ms >= last.again_ms
