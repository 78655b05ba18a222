"""What the archive keeps and what it gives back: values, and the interface of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from controller.archive.statistics import Counts, Period
from controller.contract.events import Event, Result

MOST_HANDS = 200
"""Of a search, at once."""


class ArchiveError(Exception):
    """The archive can't be read or written now, or at all; one line says why."""


class DamagedError(ArchiveError):
    """Its file is damaged, and stays so."""


class KeptEvent(Struct, frozen=True):
    """One event as its table told it; (table, session, seq) is unique.

    `at` is the table's wall time in milliseconds. `by` and `reason` belong to what a person
    decided, where the table says so. `journal` is the one that numbers its hands and findings;
    empty where the table did not say.
    """

    table: str
    session: str
    seq: int
    at: int
    event: Event
    by: str | None = None
    reason: str | None = None
    journal: str = ""


class Reached(Struct, frozen=True):
    """A table says that its session has come to event `seq`."""

    table: str
    session: str
    seq: int


class Gap(Struct, frozen=True):
    """Events `first` to `last` of a session that never came.

    They are known since `since_ms` and were asked for `asked` times, last at `asked_ms`, all
    by the archive's wall clock. `lost`: the table does not have them any more; they are shown
    as missing and not asked for again.
    """

    table: str
    session: str
    first: int
    last: int
    since_ms: int = 0
    asked: int = 0
    asked_ms: int = 0
    lost: bool = False


class KeptHead(Struct, frozen=True):
    """How far a table said that its journal had come, as in `messages.Chain`; `sealed` is empty
    where nothing is. `heard_ms` is when that was heard first, by the archive's wall clock."""

    table: str
    session: str
    chain: str
    hand: int
    n: int
    link: str
    boxes: int
    sealed: str
    at: int
    heard_ms: int = 0


class KeptFinding(Struct, frozen=True):
    """A finding with what became of it. Times are wall time in milliseconds.

    `code` is empty while the event that established it is missing. `asked`: it began as a
    question to the dealer. `how` is how it was closed, `outcome` and `rulebook` are those of
    the last ruling; `by` closed it, where that is known, and `reason` is what he said.
    """

    table: str
    hand: int
    id: int
    code: str = ""
    priority: int = 0
    basis: str = ""
    opened_ms: int = 0
    closed_ms: int | None = None
    how: str | None = None
    outcome: str = ""
    rulebook: str = ""
    cites: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    by: str | None = None
    reason: str | None = None
    asked: bool = False


class KeptHand(Struct, frozen=True):
    """One hand in short. `phase` is the last that it reached, empty if none is known; `events`
    is how many are kept, 0 once they were old enough to be deleted.

    `redeal_of` is the hand that was dealt again and `redealt_as` the one that this was dealt
    again as; `implied`: no riffle began it. (table, journal, hand) is unique.
    """

    table: str
    hand: int
    first_ms: int
    last_ms: int
    events: int
    dealer: str | None = None
    phase: str = ""
    board: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    result: Result | None = None
    implied: bool = False
    redeal_of: int | None = None
    redealt_as: int | None = None
    findings: tuple[KeptFinding, ...] = ()
    journal: str = ""


class Place(Struct, frozen=True):
    """Which hand of a table: its number, and the journal that gave it."""

    hand: int
    journal: str = ""


class HandRecord(Struct, frozen=True):
    """One hand with all that is kept of it: events in their order, a Gap where some are missing."""

    hand: KeptHand
    told: tuple[KeptEvent | Gap, ...]

    @property
    def whole(self) -> bool:
        """Whether nothing is missing."""
        return bool(self.told) and not any(isinstance(each, Gap) for each in self.told)


class Query(Struct, frozen=True):
    """Which hands; what is None does not count. All of it has to hold.

    `since_ms` ≤ begin of the hand < `until_ms`. `code` is a finding's, `person` a dealer or
    whoever decided, in any case; without `dealers` one who decided only. `text` occurs in names of
    who decided, codes, outcomes, reasons or the board. `found`: with a finding only.
    """

    table: str | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    code: str | None = None
    person: str | None = None
    hand: int | None = None
    text: str | None = None
    found: bool = False
    dealers: bool = True


class Page(Struct, frozen=True):
    """Hands, the newest first. `cursor` leads on to the next page; None: there is none."""

    hands: tuple[KeptHand, ...]
    cursor: str | None = None


class Added(Struct, frozen=True):
    """What became of a batch: so many events were `new`, so many had come before."""

    new: int = 0
    doubles: int = 0


class Archive(Protocol):
    """A store of the room's history. It may be used from any thread, one call at a time, and
    beside other processes. Every call raises ArchiveError for what can't be done now and then
    has done nothing."""

    def add(
        self, heard: Sequence[KeptEvent], reached: Sequence[Reached] = (), *, now_ms: int = 0
    ) -> Added:
        """Keep events in any order; all are on the disk when it returns, or none."""

    def add_heads(self, heads: Sequence[KeptHead]) -> None:
        """Keep how far tables' journals have come; all are on the disk when it returns, or none."""

    def heads(self, table: str | None = None) -> tuple[KeptHead, ...]:
        """That of a table, or of all, in the order in which it was heard."""

    def gaps(self, most: int = 1_000) -> tuple[Gap, ...]:
        """What is missing and not lost, the longest known first."""

    def asked(self, piece: Gap, *, now_ms: int, told: bool = False) -> None:
        """What is missing from `first` to `last` has been asked for, or, with `told`, its table
        says that it has told all of it that it has."""

    def lost(self, piece: Gap) -> None:
        """What is missing from `first` to `last` will not come any more."""

    def search(
        self, query: Query, *, limit: int = 50, cursor: str | None = None, oldest: bool = False
    ) -> Page:
        """Hands, the newest first, or the `oldest`, at most MOST_HANDS. Raises ValueError for a
        cursor that is none."""

    def hand(self, table: str, hand: int, journal: str | None = None) -> HandRecord | None:
        """One hand whole, without a `journal` the newest of this number; None where nothing is
        known of it."""

    def beside(self, table: str, place: Place) -> tuple[Place | None, Place | None]:
        """The hands before and after this one at its table, be they of another journal."""

    def counts(self, period: Period, *, dealers: bool = False) -> Counts:
        """What was dealt and found in a period; with `dealers` also by whoever dealt."""

    def reach(self) -> tuple[int, int] | None:
        """When the first hand began and the last one that is kept; None: there is none."""

    def tables(self) -> tuple[str, ...]:
        """The names of all tables, sorted."""

    def forget(self, *, events_ms: int, findings_ms: int, most: int = 50) -> int:
        """Delete what of at most `most` hands is too old: events of hands of which the last came
        in before `events_ms`, the hands and their findings where it was before `findings_ms`.
        What was heard of journals goes with the findings.
        Returns how many hands it touched; call it again until that is 0."""

    def stop(self) -> None:
        """End what is being asked now, from any thread: it raises ArchiveError."""

    def close(self) -> None:
        """Let go of it."""
