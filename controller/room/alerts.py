"""An alert of the room, from the moment it is raised until it is closed: values.

An alert asks something of somebody. What asks nothing of anyone is in the history only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from controller.contract.events import Basis, RulingText
from controller.contract.messages import Dismissed

AlertKind = Literal["finding", "call", "lost", "reader", "test"]
"""`finding`: an open finding of a table. `call`: a table calls for the floor without one. `lost`:
a table in play is not heard. `reader`: something of a table needs a person. `test`: somebody
tries whether alerts are heard."""

AlertState = Literal["new", "taken", "ruled", "closed"]
"""`new`: nobody has it. `taken`: its owner is on it. `ruled`: the table has confirmed a ruling
and its remedy is under way. `closed`: it asks nothing more; a ruling may still be amended."""

Action = Literal["rule", "watch", "close", "go", "table", "reader", "answer"]
"""What an alert asks for. `rule`: a ruling is wanted; `watch`: the dealer puts it right; `close`:
the dealer dismissed it and the floor has to; `go`: to the table; `table`: find out why the table
is not heard; `reader`: see to what its links say; `answer`: take it, it is a test."""

Why = Literal["", "not-taken", "not-ruled", "owner-away"]
"""Why an alert escalates."""

What = Literal[
    "raised",
    "changed",
    "escalated",
    "dismissed",
    "closed",
    "confirmed",
    "refused",
    "unanswered",
    "returned",
    "off-duty",
    "acted",
]
"""What happened: `acted` is an act of somebody, whose name is in `act`."""


class Shelf(Struct, frozen=True, omit_defaults=True):
    """Put aside until then, and comes back by itself."""

    until_ms: int
    by: str
    reason: str


class Made(Struct, frozen=True, omit_defaults=True):
    """A ruling that the table has confirmed."""

    outcome: str
    by: str
    at_ms: int


class RoomAlert(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One alert. Times are the room's milliseconds; `at` is when it was raised.

    `session` and `hand` are the table's when it was last said, `by` its dealer, where known.
    `owner` took it at `taken_ms`, else it is nobody's since `alone_ms`; with an owner `alone_ms`
    is when that one went off duty.
    `level` is how far it has escalated: 0 to those of its section, 1 to everyone on duty, 2 to
    the directors too. `refused` is why the table did not take the last decision on it. `how` it
    was closed: the table's word for a finding, else `seen-to`, `back`, or `gone` where nobody
    said. `amendable`: closed by a ruling, which may be amended until the next riffle.
    """

    key: str
    table: str
    kind: AlertKind
    at: int
    priority: int
    finding: str = ""
    code: str = ""
    title: str = ""
    session: str = ""
    hand: int | None = None
    seats: tuple[int, ...] = ()
    by: str = ""
    basis: Basis = "seen"
    ruling: RulingText | None = None
    dismissed: Dismissed | None = None
    owner: str = ""
    taken_ms: int | None = None
    alone_ms: int | None = None
    level: int = 0
    why: Why = ""
    shelf: Shelf | None = None
    shelvings: int = 0
    made: Made | None = None
    refused: str = ""
    closed_ms: int | None = None
    how: str = ""
    amendable: bool = False

    @property
    def state(self) -> AlertState:
        """How far its life has come."""
        if self.closed_ms is not None:
            return "closed"
        if self.made is not None:
            return "ruled"
        return "taken" if self.owner else "new"

    @property
    def action(self) -> Action:
        """What it asks for."""
        if self.kind == "finding":
            if self.dismissed is not None:
                return "close"
            return "rule" if self.priority == 1 else "watch"
        wanted: Mapping[str, Action] = {
            "call": "go",
            "lost": "table",
            "reader": "reader",
            "test": "answer",
        }
        return wanted[self.kind]


class Happened(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the shift's history; `n` counts them. `age_ms`: how long the alert was there
    then. `refused`: why nothing came of an act. `at_ms` is the room's time."""

    at_ms: int
    wall_ms: int = 0
    n: int = 0
    what: What
    act: str = ""
    key: str = ""
    table: str = ""
    code: str = ""
    title: str = ""
    priority: int = 0
    actor: str = ""
    to: str = ""
    words: str = ""
    refused: str = ""
    age_ms: int | None = None


class OnDuty(Struct, frozen=True, omit_defaults=True):
    """Somebody who is there. `director`: is also called at level 2 off the floor. Without
    `sections` all tables are theirs."""

    name: str
    since_ms: int
    sections: tuple[str, ...] = ()
    director: bool = False


class Note(Struct, frozen=True, omit_defaults=True):
    """What the one before leaves to the next: shown until `to` has read it, or, without a name,
    anybody has."""

    id: int
    by: str
    at_ms: int
    text: str
    to: str = ""


class FloorRecord(Struct, frozen=True, kw_only=True):
    """All that the room knows of its alerts and of the people on them; `alerts` by key, the
    oldest first. `settled` are calls, losses and readers that somebody has seen to and that
    are as they were: they raise nothing until they have been otherwise."""

    alerts: Mapping[str, RoomAlert] = {}
    duty: Mapping[str, OnDuty] = {}
    sections: Mapping[str, tuple[str, ...]] = {}
    configured: Mapping[str, tuple[str, ...]] = {}
    notes: tuple[Note, ...] = ()
    settled: tuple[str, ...] = ()
    counted: int = 0
