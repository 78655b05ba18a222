"""What of the room's alerts is told to whoever looks at a wall: the house's choice. Pure.

A wall has no login, and so has what is published for it: what the house does not tell is left out
here, before anything is made of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Literal

from controller.contract import clock_why
from controller.contract.messages import WallAlert
from controller.room.alerts import RoomAlert
from controller.room.tables import in_order

WallsTell = Literal["none", "calls", "all"]
"""`calls`: the tables to which the floor is called; `all`: also what is wrong there, and the tables
that do not answer."""

MOST_TABLES = 30
"""So many are named of one kind; the others are counted."""
MOST_TITLES = 12


def for_walls(alerts: Iterable[RoomAlert], tells: WallsTell) -> tuple[WallAlert, ...]:
    """What walls are told of these alerts, each kind once: the calls first, the oldest of them
    before the others, then what is gravest."""
    if tells == "none":
        return ()
    shown = sorted(
        (each for each in alerts if each.closed_ms is None and each.shelf is None),
        key=lambda each: (each.priority, each.at, each.table),
    )
    calls = _alike("call", (each.table for each in shown if _calls(each)))
    if tells == "calls":
        return calls
    wrong: dict[str, list[str]] = {}
    for each in shown:
        if each.kind == "finding" and each.dismissed is None:
            wrong.setdefault(each.title, []).append(each.table)
    findings = (
        _alike("finding", in_order(wrong[title]), title) for title in list(wrong)[:MOST_TITLES]
    )
    lost = in_order(each.table for each in shown if each.kind == "lost")
    return (*calls, *chain.from_iterable(findings), *_alike("lost", lost))


def why_paused(table: str, title: str, tells: WallsTell) -> str:
    """Why an alert pauses the clock, which is read on every wall too."""
    if tells == "none":
        return ""
    return clock_why.at_table(table, title if tells == "all" else "")


def _calls(alert: RoomAlert) -> bool:
    """Whether somebody from the floor has still to go there."""
    if alert.kind not in ("call", "finding") or alert.action not in ("go", "rule"):
        return False
    is_taken = alert.owner and alert.alone_ms is None and not alert.level
    return alert.made is None and not is_taken


def _alike(
    kind: Literal["call", "finding", "lost"], found: Iterable[str], title: str = ""
) -> tuple[WallAlert, ...]:
    tables = tuple(dict.fromkeys(found))
    if not tables:
        return ()
    return (WallAlert(kind, tables[:MOST_TABLES], len(tables), title),)
