"""What the tables have said, as far as it still holds: a pure fold over their messages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.messages import Alert, DeadButton, Hand, Presence, State, TimeCall
from controller.room import calls
from controller.room.calls import Called

MAX_TABLES = 2_000
MAX_ALERTS_PER_TABLE = 100
SETTLE_MS = 2_000


class TableSeen(Struct, frozen=True):
    """One table. `confirmed`: it has spoken since the broker was last reached. `silent`: it was
    there, and gives no sign of life.

    `fresh` are the findings that were said since then; at `settle_ms` the others go. `called` is
    the clock that runs on one of its players.
    """

    id: str
    state: Presence | Literal["unknown"] = "unknown"
    confirmed: bool = False
    silent: bool = False
    hand: Hand | None = None
    alerts: Mapping[str, Alert] = {}
    fresh: frozenset[str] = frozenset()
    settle_ms: int | None = None
    called: Called | None = None

    @property
    def live(self) -> bool:
        """Whether what it said holds now; if not, everything of it is stale."""
        return self.confirmed and self.state == "ready" and not self.silent


Tables = Mapping[str, TableSeen]


def in_order(names: Iterable[str]) -> list[str]:
    """Names of tables as people count them: 2 comes before 10, and T2 before T10."""
    return sorted(names, key=_counted)


@lru_cache(maxsize=2 * MAX_TABLES)
def _counted(name: str) -> tuple[tuple[str | int, ...], str]:
    parts = re.split("([0-9]+)", name)
    return tuple(int(part) if at % 2 else part for at, part in enumerate(parts)), name


class OpenAlert(Struct, frozen=True):
    """An open finding for the screens of the room: what and where, never a card.

    `dismissed`: the dealer has answered it, and the floor has still to close it.
    """

    table: str
    finding: str
    title: str
    priority: int
    at: int
    stale: bool
    dismissed: bool = False


def on_state(tables: Tables, table: str, state: State, now_ms: int) -> Tables:
    """A table said whether it is there, or its last will did."""
    seen = tables.get(table, TableSeen(table))
    here = state.state != "lost"
    settle_ms = now_ms + SETTLE_MS if here and not seen.confirmed else seen.settle_ms
    told = replace(seen, state=state.state, confirmed=here, silent=False, settle_ms=settle_ms)
    return _with(tables, told)


def on_silence(tables: Tables, silent: Collection[str]) -> Tables:
    """These and no others give no sign of life; what they said before stands, and is stale."""
    others = {
        id_: replace(seen, silent=id_ in silent)
        for id_, seen in tables.items()
        if seen.silent != (id_ in silent)
    }
    return {**tables, **others} if others else tables


def on_hand(
    tables: Tables, table: str, hand: Hand | None, now_ms: int = 0, age_ms: int | None = None
) -> Tables:
    """The public picture of a table's hand, or its deletion, heard at `now_ms`; `age_ms` as in
    `calls.heard`."""
    seen = tables.get(table, TableSeen(table))
    called = calls.heard(seen.called, hand, now_ms, age_ms)
    return _with(tables, replace(seen, hand=hand, called=called))


def on_alert(tables: Tables, table: str, finding: str, alert: Alert | None) -> Tables:
    """A finding was opened or changed, or, with None, closed."""
    seen = tables.get(table, TableSeen(table))
    others = {id_: each for id_, each in seen.alerts.items() if id_ != finding}
    if alert is None:
        return _with(tables, replace(seen, alerts=others, fresh=seen.fresh - {finding}))
    if len(others) >= MAX_ALERTS_PER_TABLE:
        return tables
    return _with(
        tables, replace(seen, alerts=others | {finding: alert}, fresh=seen.fresh | {finding})
    )


def without(tables: Tables, table: str) -> Tables:
    """A table was taken out of the room: its state was deleted."""
    return {id_: seen for id_, seen in tables.items() if id_ != table}


def on_broker_lost(tables: Tables) -> Tables:
    """Nobody can be heard: all that is known is stale until it is said again."""
    return {
        id_: replace(seen, confirmed=False, silent=False, fresh=frozenset(), settle_ms=None)
        for id_, seen in tables.items()
    }


def settle(tables: Tables, now_ms: int) -> Tables:
    """Forget alerts that were not said again in time: they were closed while we were away."""
    due = {
        id_: seen
        for id_, seen in tables.items()
        if seen.settle_ms is not None and seen.settle_ms <= now_ms
    }
    if not due:
        return tables
    return {**tables} | {
        id_: replace(
            seen,
            alerts={key: alert for key, alert in seen.alerts.items() if key in seen.fresh},
            settle_ms=None,
        )
        for id_, seen in due.items()
    }


def open_alerts(tables: Tables) -> tuple[OpenAlert, ...]:
    """All open findings, the gravest first, then the oldest; what was dismissed comes last."""
    found = (
        OpenAlert(
            seen.id,
            finding,
            alert.finding.title,
            alert.finding.priority,
            alert.at,
            stale=not seen.live,
            dismissed=alert.dismissed is not None,
        )
        for seen in tables.values()
        for finding, alert in seen.alerts.items()
    )
    return tuple(
        sorted(
            found,
            key=lambda each: (
                each.dismissed,
                each.priority,
                each.at,
                each.table,
                each.finding,
            ),
        )
    )


def time_calls(tables: Tables, now_ms: int) -> tuple[TimeCall, ...]:
    """The clocks that run on players, what ends first before the others."""
    found = [
        TimeCall(seen.id, call.seat, call.until_ms, _player(seen, call.seat))
        for seen in tables.values()
        if (call := seen.called) is not None and seen.live and calls.is_shown(call.until_ms, now_ms)
    ]
    return tuple(sorted(found, key=lambda each: (each.until_ms, each.table)))


def dead_buttons(tables: Tables) -> tuple[DeadButton, ...]:
    """The tables whose running hand has its button at a seat where nobody plays."""
    found = [
        DeadButton(seen.id, seen.hand.view.button)
        for seen in tables.values()
        if seen.hand is not None and seen.hand.view.dead_button and seen.live
    ]
    return tuple(sorted(found, key=lambda each: each.table))


def _player(seen: TableSeen, seat: int) -> str | None:
    seats = () if seen.hand is None else seen.hand.view.seats
    return next((each.player for each in seats if each.seat == seat), None)


def _with(tables: Tables, seen: TableSeen) -> Tables:
    if seen.id not in tables and len(tables) >= MAX_TABLES:
        return tables
    return {**tables, seen.id: seen}
