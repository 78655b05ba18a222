"""The floor's side of the room's view: alerts, people, and how the shift goes."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from controller.contract.messages import TableEvent
from controller.room.alerts import Happened, Note, RoomAlert


class PersonOnDuty(Struct, frozen=True):
    """Somebody on duty. `tables` are theirs, `everything`: all are. `open` alerts have them as
    owner, `raised` is how many came up in their tables in the last ten minutes; `flood`: ten or
    more, so that pages group them."""

    name: str
    since_ms: int
    director: bool
    sections: tuple[str, ...]
    tables: tuple[str, ...]
    everything: bool
    open: int
    raised: int
    flood: bool


class Group(Struct, frozen=True):
    """Alerts of one table and one cause, in a flood. `keys` are those that stand inside, never
    one of priority 1; `count` and `worst` are of all of that table and cause."""

    table: str
    cause: str
    title: str
    count: int
    worst: int
    since_ms: int
    keys: tuple[str, ...]


class RunningMute(Struct, frozen=True):
    """A code that is for the record only at a table, from one zone or, "", from all, until the
    hand `until` is over; None: until its reader has been checked. `left` hands are to come,
    the running one included. `by` and `reason` where this room asked for it."""

    table: str
    code: str
    zone: str
    until: int | None
    left: int | None
    by: str = ""
    reason: str = ""


class Counts(Struct, frozen=True):
    """The shift in numbers, over `since_ms` until now.

    `raised` are the alerts by priority 1, 2, 3 and `shares` the same in percent; well run they
    are near 5, 15 and 80. `rate` is raised in ten minutes per floorperson on duty, over the last
    hour; `rate_urgent` without those of priority 3. `to_take_ms` and `to_close_ms` are medians and
    the longest, None where there is none yet. `escalated` counts alerts.
    """

    since_ms: int = 0
    raised: tuple[int, int, int] = (0, 0, 0)
    shares: tuple[int, int, int] = (0, 0, 0)
    rate: float = 0.0
    rate_urgent: float = 0.0
    to_take_ms: tuple[int, int] | None = None
    to_close_ms: tuple[int, int] | None = None
    escalated: int = 0
    dismissed: int = 0


class Trouble(Struct, frozen=True):
    """What a table sent that could not be used, or was too much at once: counted since the room
    began."""

    table: str
    malformed: int = 0
    unknown_version: int = 0
    unknown_fields: int = 0
    oversize: int = 0
    late: int = 0
    dropped: int = 0


class Pushes(Struct, frozen=True):
    """Messages to telephones: `on` if any are sent; `fault` is why the last was not."""

    on: bool = False
    sent: int = 0
    failed: int = 0
    dropped: int = 0
    fault: str = ""


class Limits(Struct, frozen=True):
    """The settings that pages show: seconds until nobody's alert escalates, by priority, until a
    taken one does without a ruling; how long and how often something may be shelved."""

    take_1_s: int = 30
    take_2_s: int = 120
    rule_s: int = 300
    shelve_minutes: int = 15
    shelve_times: int = 2
    flood: int = 10


class LastEvents(Struct, frozen=True):
    """What a table has told of its last hands: `events` the oldest first, of which some are
    missing before those of `gaps`, given as (session, seq). `last` counts with every event."""

    events: tuple[TableEvent, ...] = ()
    gaps: frozenset[tuple[str, int]] = frozenset()
    last: int = 0


class Shift(Struct, frozen=True):
    """The floor as it stands. `alerts` are open, the gravest first, then the oldest; `ruled` are
    closed by a ruling that may be amended until the next riffle. `calls` has by key whom an
    alert calls now, by name; nobody named is everybody. `in_sections` has by key of whose
    sections it is. `escalates_ms` has by key when it escalates next. `news` are the last lines
    of the history."""

    alerts: tuple[RoomAlert, ...] = ()
    ruled: tuple[RoomAlert, ...] = ()
    calls: Mapping[str, tuple[str, ...]] = {}
    in_sections: Mapping[str, tuple[str, ...]] = {}
    escalates_ms: Mapping[str, int] = {}
    people: tuple[PersonOnDuty, ...] = ()
    sections: Mapping[str, tuple[str, ...]] = {}
    notes: tuple[Note, ...] = ()
    mutes: tuple[RunningMute, ...] = ()
    groups: tuple[Group, ...] = ()
    flood: bool = False
    counts: Counts = Counts()
    news: tuple[Happened, ...] = ()
    trouble: tuple[Trouble, ...] = ()
    pushes: Pushes = Pushes()
    limits: Limits = Limits()
    heard: Mapping[str, LastEvents] = {}
