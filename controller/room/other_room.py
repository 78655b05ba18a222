"""What is heard of another room for the same site."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from controller.contract.messages import RoomClock, RoomTime, State
from controller.room.changes import Changes
from controller.room.lead import Lead
from controller.room.publisher import EventPublisher, RoomPublisher


class OtherRoom:
    """Takes in what rooms say, which may be this one, of this `session`; the pages are woken where
    they show it.

    `publishers` are this room's own and that of its first event. `clock` is what another room has
    published, in that room's time, which is `ahead_ms` later than ours. `events` are those beside
    the first of which the broker keeps something, whosever they are.
    """

    def __init__(
        self,
        session: str,
        lead: Lead,
        publishers: tuple[RoomPublisher, EventPublisher],
        changes: Changes,
        now_ms: Callable[[], int],
    ) -> None:
        self._session = session
        self._lead = lead
        self._publisher, self._said = publishers
        self._changes = changes
        self._now_ms = now_ms
        self.clock: RoomClock | None = None
        self.ahead_ms = 0
        self.events: frozenset[str] = frozenset()

    def says_time(self, said: RoomTime) -> None:
        """A room has told its time."""
        if said.session == self._session:
            return
        before, now_ms = (self._lead.leads, bool(self._lead.other)), self._now_ms()
        self.ahead_ms = said.now_ms - now_ms
        self._lead.heard(said.session, now_ms)
        if before != (self._lead.leads, True):
            self._changes.now()

    def says_clock(self, said: RoomClock | None) -> None:
        """A room has told what its clock shows. Where this one leads and hears no other, that one
        has put its clock in the place of ours, as one does whose connection is back: ours is said
        again. While another leads too, they would go on at that for ever."""
        if said is not None and said.session == self._session:
            return
        self.clock = said
        self._lead.kept("" if said is None else said.session)
        if self._lead.leads and not self._lead.other:
            self._said.again()
        self._changes.now()

    def says_event(self, event: str, *, there: bool) -> None:
        """A room has told something of an event beside its first one, or that it is gone."""
        self.events = self.events | {event} if there else self.events - {event}

    def says_state(self, said: State | None) -> None:
        """A room has told how it is, or its last will did: that of a room that stood by says
        nothing of this one."""
        if said is None or said.session != self._session:
            self._publisher.ready()

    @property
    def clock_in_our_time(self) -> RoomClock | None:
        """Its clock in our time."""
        return None if self.clock is None else _shifted(self.clock, -self.ahead_ms)


def _shifted(said: RoomClock, by_ms: int) -> RoomClock:
    question = said.question
    if question is not None:
        question = replace(
            question,
            stopped_ms=question.stopped_ms + by_ms,
            back_ms=question.back_ms + by_ms,
            deadline_ms=question.deadline_ms + by_ms,
        )
    deadline_ms = None if said.deadline_ms is None else said.deadline_ms + by_ms
    return replace(said, deadline_ms=deadline_ms, question=question)
